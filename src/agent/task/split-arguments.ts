// Splits a line into words as a shell does, without being one: quotes and backslashes count, nothing else does.

export class UnclosedQuote extends Error {}

export function splitArguments(line: string): readonly string[] {
  const args: string[] = [];
  let argument: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      const next = line[++at]!;
      // Within double quotes a backslash is itself, unless a quote or another backslash follows.
      argument = `${argument ?? ''}${quote === undefined || next === '"' || next === '\\' ? next : `\\${next}`}`;
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else argument += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      argument ??= '';
    } else if (/\s/.test(character)) {
      if (argument !== undefined) args.push(argument);
      argument = undefined;
    } else argument = `${argument ?? ''}${character}`;
  }
  if (quote !== undefined) throw new UnclosedQuote(`The arguments contain a quote (${quote}) that is never closed: ${line}`);
  return argument === undefined ? args : [...args, argument];
}
