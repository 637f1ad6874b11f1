// Splits a line into words as a shell does, without being one: quotes and backslashes count, nothing else does.

export class UnclosedQuote extends Error {}

export function splitArguments(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      const next = line[++at]!;
      // Within double quotes a backslash is itself, unless a quote or another backslash follows.
      word = `${word ?? ''}${quote === undefined || next === '"' || next === '\\' ? next : `\\${next}`}`;
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ''}${character}`;
  }
  if (quote !== undefined) throw new UnclosedQuote(`The arguments contain a quote (${quote}) that is never closed: ${line}`);
  return word === undefined ? words : [...words, word];
}
