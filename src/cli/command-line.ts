// What all commands have in common: reading their arguments, and saying what is wrong with them.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export interface Streams {
  readonly out: (text: string) => unknown;
  readonly err: (text: string) => unknown;
}

export interface Problem {
  readonly problem: string;
}

export type Read<Command> = { readonly command: Command } | { readonly isHelp: true } | Problem;

const HELP = { help: { type: 'boolean', short: 'h', default: false } } as const;

type Parsed<O extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: O }>>;

/** `understand` makes a command out of what was given, or says what is wrong with it. */
export function readCommand<O extends ParseArgsOptionsConfig, Command extends object>(
  args: readonly string[],
  options: O,
  understand: (values: Parsed<O>['values'], positionals: readonly string[]) => Command | Problem,
): Read<Command> {
  let given: Parsed<O & typeof HELP>;
  try {
    given = parseArgs({ args: [...args], allowPositionals: true, options: { ...options, ...HELP } });
  } catch (failure) {
    if (!String((failure as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw failure;
    return { problem: (failure as Error).message };
  }
  if ((given.values as { readonly help?: boolean }).help) return { isHelp: true };
  const command = understand(given.values as Parsed<O>['values'], given.positionals);
  return 'problem' in command ? command : { command };
}

/** Runs a command that was understood; otherwise tells how to use it. Returns the status to end with. */
export async function runCommand<Command>(
  read: Read<Command>,
  { usage, wrongUse }: { readonly usage: string; readonly wrongUse: number },
  { out, err }: Streams,
  run: (command: Command) => number | Promise<number>,
): Promise<number> {
  if ('command' in read) return run(read.command);
  if ('isHelp' in read) {
    out(usage);
    return 0;
  }
  err(`${read.problem}\n\n${usage}`);
  return wrongUse;
}
