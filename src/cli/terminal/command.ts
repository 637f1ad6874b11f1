// The declaration of a command. Its help, the suggestions for misspelt words and docs/command-line.md follow from it.
import type { Context } from './context.ts';

/** Words that can be offered: some are fixed, others are known by the server or by the configuration of the user. */
export type Offer = 'resource' | 'id' | 'pipeline' | 'agent' | 'context' | 'file' | readonly string[];

/** A flag with a `value` takes a text, which is shown under that name; one without is a switch. */
export interface Flag {
  readonly value?: string;
  /** One letter that does the same: `o` for `-o`. */
  readonly short?: string;
  /** All that it can be. */
  readonly choices?: readonly string[];
  /** Its description, without a full stop. */
  readonly about: string;
  /** The environment variable that does the same. */
  readonly variable?: string;
  /** The default when neither is given. */
  readonly absent?: string;
  /** The words that shell completion offers for its value. */
  readonly offers?: Offer;
  /** It may be given several times; only where it takes a value. */
  readonly isRepeated?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly isRepeated: true }
    ? readonly string[]
    : F[Name] extends { readonly value: string }
      ? string | undefined
      : boolean;
};

/** The text given for each flag; of a repeated flag, all texts. */
export type FlagTexts = ReadonlyMap<string, string | true | readonly string[]>;

export interface Argument {
  readonly name: string;
  readonly about: string;
  readonly isOptional?: boolean;
  /** It may be given several times. */
  readonly isRepeated?: boolean;
  /** The words that shell completion offers for it. */
  readonly offers?: Offer;
}

/** Lines that are shown as they are. */
export interface Code {
  readonly code: string;
}

export interface Example {
  /** What follows `npm run slipway --`. */
  readonly command: string;
  readonly about: string;
  /** Its output is for a program, so npm must not add lines of its own. */
  readonly isSilent?: boolean;
}

export const GROUPS = [
  'Servers',
  'Resources',
  'Configuration',
  'Pipelines as code',
  'Builds',
  'Users and tokens',
  'Operation',
  'Shell',
] as const;

interface CommandDeclaration {
  /** One word, or two: `user add`. */
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  /** One line, without a full stop. */
  readonly summary: string;
  /** More about it, one paragraph each. */
  readonly details?: readonly (string | Code)[];
  readonly arguments?: readonly Argument[];
  readonly examples: readonly Example[];
  /** The meaning of each exit code. */
  readonly exits: Readonly<Record<number, string>>;
  /** The exit code for a command line that cannot be understood. */
  readonly wrongUse: number;
  /** Whether its exit codes distinguish kinds of failures, as `SERVER_EXIT_CODES` says; others end with 1. */
  readonly hasFailureCodes?: true;
}

/** The flags and positional arguments after the name of the command. */
export interface ParsedArguments<V> {
  readonly values: V;
  readonly positionals: readonly string[];
}

/** Returns the exit code. */
export type Run<F extends Flags> = (given: ParsedArguments<Values<F>>, context: Context) => Promise<number>;

interface Declaration<F extends Flags> extends CommandDeclaration {
  readonly flags: F;
  /** Loads the code only when the command is run. */
  readonly load: () => Promise<Run<F>>;
}

export interface Command extends CommandDeclaration {
  readonly flags: Flags;
  run(texts: FlagTexts, positionals: readonly string[], context: Context): Promise<number>;
}

export function command<const F extends Flags>({ load, ...declared }: Declaration<F>): Command {
  return {
    ...declared,
    run: async (texts, positionals, context) => (await load())({ values: valuesOf(declared.flags, texts), positionals }, context),
  };
}

function valuesOf<F extends Flags>(flags: F, texts: FlagTexts): Values<F> {
  const values = Object.entries(flags).map(([name, { value, isRepeated }]) => [
    name,
    value === undefined ? texts.has(name) : (texts.get(name) ?? (isRepeated ? [] : undefined)),
  ]);
  return Object.fromEntries(values) as Values<F>;
}
