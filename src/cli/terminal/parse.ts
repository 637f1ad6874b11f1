// Reads a command line: the command that it names, its flags and arguments. Misspelt words get a suggestion.
import { parseArgs } from 'node:util';
import { closest } from '../../kit/text/closest.ts';
import type { Argument, Command, Flag, Flags, FlagTexts } from './command.ts';
import { UsageError } from './failures.ts';

export const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h']);
export const VERSION_FLAGS: ReadonlySet<string> = new Set(['--version', '-v']);
/** Flags that need no command. */
const GLOBAL_FLAGS: readonly string[] = ['--help', '--version'];
/** Counts for every command. */
export const NO_COLOR_FLAG = '--no-color';

export interface FoundCommand {
  readonly command: Command;
  /** The words after its name. */
  readonly rest: readonly string[];
}

/** Undefined: there is no such command. */
export function findCommand(commands: readonly Command[], args: readonly string[]): FoundCommand | undefined {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ');
    const command = commands.find((one) => one.name === name);
    if (command) return { command, rest: args.slice(length) };
  }
  return undefined;
}

/** The commands whose names begin with this word. */
export function commandsUnder(commands: readonly Command[], word: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

/** Why there is no such command, with the one that may have been meant. */
export function unknownCommand(commands: readonly Command[], [first = '', second]: readonly string[]): string {
  if (first === '') return 'Name a command.';
  if (first.startsWith('-')) return `Unknown option ${first}.${suggestion(closest(first, GLOBAL_FLAGS)) || ' The command comes first.'}`;
  const below = commandsUnder(commands, first).map(({ name }) => name);
  const wanted = second === undefined || second.startsWith('-') ? first : `${first} ${second}`;
  if (below.length === 0) {
    const names = commands.map(({ name }) => name);
    const flag = GLOBAL_FLAGS.find((one) => one === `--${first.toLowerCase()}`);
    return `Unknown command ${first}.${suggestion(flag ?? closest(wanted, names) ?? closest(first, new Set(names.map(firstWord))))}`;
  }
  if (wanted === first) return `Name the whole command: ${below.join(', ')}.`;
  return `Unknown command ${wanted}.${suggestion(closest(wanted, below)) || ` There are: ${below.join(', ')}.`}`;
}

function firstWord(name: string): string {
  return name.split(' ')[0]!;
}

function suggestion(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

export interface ParsedFlags {
  readonly texts: FlagTexts;
  readonly positionals: readonly string[];
}

export function parseFlags({ flags, arguments: wanted = [] }: Command, args: readonly string[]): ParsedFlags {
  const texts = new Map<string, string | true | readonly string[]>();
  const positionals: string[] = [];
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true });
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    else if (token.kind === 'option')
      texts.set(token.name, withEarlier(texts.get(token.name), checkedValue(flags, token), flags[token.name]));
  }
  mustFit(wanted, positionals);
  return { texts, positionals };
}

/** The last one counts, unless all do. */
function withEarlier(earlier: string | true | readonly string[] | undefined, given: string | true, flag: Flag | undefined) {
  return flag?.isRepeated && given !== true ? [...(Array.isArray(earlier) ? earlier : []), given] : given;
}

interface Option {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkedValue(flags: Flags, { name, rawName, value, inlineValue }: Option): string | true {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (!flag || (!rawName.startsWith('--') && rawName !== `-${flag.short}`)) {
    const meant = closest(name, Object.keys(flags));
    throw new UsageError(`Unknown option ${rawName}.${suggestion(meant === undefined ? undefined : `--${meant}`)}`);
  }
  if (flag.value === undefined) {
    if (inlineValue) throw new UsageError(`The option --${name} takes no value.`);
    return true;
  }
  // A lone dash is a value, not the beginning of the next option.
  if (value === undefined || (!inlineValue && /^-./.test(value)))
    throw new UsageError(`The option --${name} needs a value: ${flag.value}.`);
  if (flag.choices && !flag.choices.includes(value))
    throw new UsageError(`--${name} must be one of ${flag.choices.join(', ')}, not '${value}'.`);
  return value;
}

function mustFit(wanted: readonly Argument[], positionals: readonly string[]): void {
  const missing = wanted.find(({ isOptional }, index) => !isOptional && positionals[index] === undefined);
  if (missing) throw new UsageError(`${missing.name} is missing: ${missing.about}.`);
  // As from a variable of a script that is not set. Left to itself it would name something else, such as the whole list.
  const empty = positionals.indexOf('');
  if (empty >= 0) throw new UsageError(`${(wanted[empty] ?? wanted.at(-1))?.name ?? 'An argument'} is empty.`);
  const surplus = wanted.at(-1)?.isRepeated ? [] : positionals.slice(wanted.length);
  if (surplus.length > 0) throw new UsageError(`Unexpected: ${surplus.join(' ')}.`);
}
