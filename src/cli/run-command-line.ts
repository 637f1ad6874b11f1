// Runs one command line.
import { DIALECT_VERSION, readVersion } from '../server/version.ts';
import { shownWithColours } from './output/shown-text.ts';
import type { Command } from './terminal/command.ts';
import type { Context } from './terminal/context.ts';
import { CommandFailed, FAILURE_CODES, UsageError } from './terminal/failures.ts';
import { guardedOutput } from './terminal/guarded-output.ts';
import { helpOf, overview, seeHelp } from './terminal/help.ts';
import { withPassword } from './terminal/login.ts';
import { commandsUnder, findCommand, HELP_FLAGS, NO_COLOR_FLAG, parseFlags, unknownCommand, VERSION_FLAGS } from './terminal/parse.ts';

const WRONG_USE = 2;
const SHORT_SHA = 10;
/** The command that the completion scripts of shells call. */
const COMPLETE = '__complete';

/** Returns the exit code. */
export async function runCommandLine(given: readonly string[], commands: readonly Command[], caller: Context): Promise<number> {
  const terminal = { ...caller, out: guardedOutput(caller.out), err: guardedOutput(caller.err) };
  const { out, err } = terminal;
  if (given[0] === COMPLETE) return (await import('./run/completion/complete.ts')).printCompletions(given.slice(1), commands, terminal);
  const isPlain = given.includes(NO_COLOR_FLAG);
  const context = isPlain ? { ...terminal, environment: { ...terminal.environment, NO_COLOR: '1' } } : terminal;
  const withoutColor = given.filter((word) => word !== NO_COLOR_FLAG);
  const args = withoutColor[0] === 'help' ? [...withoutColor.slice(1), '--help'] : withoutColor;
  const [first = ''] = args;
  const found = findCommand(commands, args);
  if (args.some((word) => HELP_FLAGS.has(word))) {
    const below = commandsUnder(commands, first);
    out.write(found ? helpOf(found.command, out.columns) : overview(below.length === 0 ? commands : below, out.columns));
    return 0;
  }
  if (VERSION_FLAGS.has(first)) {
    const { release, gitSha } = readVersion();
    out.write(`Slipway ${release} (commit ${gitSha.slice(0, SHORT_SHA)}, API version ${DIALECT_VERSION})\n`);
    return 0;
  }
  if (args.length === 0) {
    err.write(overview(commands, err.columns));
    return WRONG_USE;
  }
  if (found) return runFound(found.command, found.rest, context);
  err.write(`${unknownCommand(commands, args)}\n${seeHelp(undefined)}\n`);
  return WRONG_USE;
}

async function runFound(command: Command, rest: readonly string[], context: Context): Promise<number> {
  try {
    const { texts, positionals } = parseFlags(command, rest);
    return await command.run(await withPassword(command, texts, context), positionals, context);
  } catch (failure) {
    if (failure instanceof UsageError) {
      context.err.write(`${shownWithColours(failure.message)}\n${seeHelp(command)}\n`);
      return command.wrongUse;
    }
    if (!(failure instanceof CommandFailed)) throw failure;
    context.err.write(`${shownWithColours(failure.message)}\n`);
    return command.hasFailureCodes ? FAILURE_CODES[failure.kind] : FAILURE_CODES.failed;
  }
}
