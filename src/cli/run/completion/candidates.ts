// The words that could end a command line that is being typed.
import type { Command, Flag, Flags, Offer } from '../../terminal/command.ts';
import { commandsUnder, findCommand, NO_COLOR_FLAG } from '../../terminal/parse.ts';

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

export interface Completion {
  /** Known without a request to the server. */
  readonly candidates: readonly Candidate[];
  readonly offer?: Exclude<Offer, readonly string[]>;
  /** The words before it, without options. */
  readonly before: readonly string[];
  /** Options that were given, with a value. */
  readonly given: Readonly<Record<string, string>>;
}

/** `typed` ends with the word that is being typed, which may be empty. */
export function completionOf(commands: readonly Command[], typed: readonly string[]): Completion {
  const before = typed.slice(0, -1);
  const current = typed.at(-1) ?? '';
  if (before.length === 0) return onlyCandidates(current.startsWith('-') ? GLOBAL : commandNames(commands));
  const found = findCommand(commands, before);
  const [first = ''] = before;
  const subcommandCandidates = before.length === 1 ? subcommands(commands, first) : [];
  return found ? candidatesOf(found.command, found.rest, current, subcommandCandidates) : onlyCandidates(subcommandCandidates);
}

const GLOBAL: readonly Candidate[] = [
  { word: '--help', about: 'all commands' },
  { word: '--version', about: 'the version of Slipway' },
];

function onlyCandidates(list: readonly Candidate[]): Completion {
  return { candidates: list, before: [], given: {} };
}

function commandNames(commands: readonly Command[]): readonly Candidate[] {
  const names = Map.groupBy(commands, ({ name }) => name.split(' ')[0]!);
  return Array.from(names, ([word, [one, ...others]]) => ({
    word,
    about: others.length === 0 ? one!.summary : `${others.length + 1} commands`,
  }));
}

function subcommands(commands: readonly Command[], first: string): readonly Candidate[] {
  return commandsUnder(commands, first).map(({ name, summary }) => ({ word: name.slice(first.length + 1), about: summary }));
}

function candidatesOf(
  { flags, arguments: args = [] }: Command,
  rest: readonly string[],
  current: string,
  subcommandCandidates: readonly Candidate[],
): Completion {
  const { positional, given, open } = parsePartial(flags, rest);
  const common = { before: positional, given };
  if (open) return { ...common, ...offeredBy(open.choices ?? open.offers) };
  if (current.startsWith('-')) return { ...common, candidates: flagCandidates(flags) };
  const argument = args[positional.length] ?? (args.at(-1)?.isRepeated ? args.at(-1) : undefined);
  const own = offeredBy(argument?.offers);
  return { ...common, ...own, candidates: [...subcommandCandidates, ...own.candidates] };
}

function offeredBy(offer: Offer | undefined): Pick<Completion, 'candidates' | 'offer'> {
  if (offer === undefined) return { candidates: [] };
  return typeof offer === 'string' ? { candidates: [], offer } : { candidates: offer.map((word) => ({ word, about: '' })) };
}

function flagCandidates(flags: Flags): readonly Candidate[] {
  return [
    ...Object.entries(flags).map(([name, { about }]) => ({ word: `--${name}`, about })),
    { word: NO_COLOR_FLAG, about: 'no colours' },
    { word: '--help', about: 'the help of this command' },
  ];
}

interface PartialArguments {
  readonly positional: readonly string[];
  readonly given: Readonly<Record<string, string>>;
  /** The flag whose value comes next. */
  readonly open: Flag | undefined;
}

/** Unknown flags and missing values are no errors here. */
function parsePartial(flags: Flags, rest: readonly string[]): PartialArguments {
  const positional: string[] = [];
  const given: Record<string, string> = {};
  let open: readonly [string, Flag] | undefined;
  for (const word of rest) {
    if (open) {
      given[open[0]] = word;
      open = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      const [call = '', value] = word.split(/=(.*)/s);
      const flag = Object.entries(flags).find(([name, { short }]) => call === `--${name}` || call === `-${short}`);
      if (flag && flag[1].value !== undefined && value === undefined) open = flag;
      else if (flag && value !== undefined) given[flag[0]] = value;
    } else positional.push(word);
  }
  return { positional, given, open: open?.[1] };
}
