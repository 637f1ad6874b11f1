// The command that prints the console of a job, and follows it.
import { setTimeout as pause } from 'node:timers/promises';
import { fetchJson } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import type { JobAnswer } from './answers.ts';
import { printedLine } from './console-lines.ts';
import { exitCodeOf } from './exit-codes.ts';
import { type ConsoleReader, followConsole, readConsole } from './follow-console.ts';
import { FollowScreen } from './follow-screen.ts';
import { readJobAddress, resolveJobAddress } from './job-address.ts';
import { type JobAddress, jobPath, nameOfJob } from './paths.ts';
import { waitingText } from './waiting-text.ts';

interface LogValues extends ServerValues {
  readonly follow: boolean;
  readonly from: string | undefined;
  readonly raw: boolean;
}

/** Between two requests for the reason why a job waits. */
const LOOK_MS = 5000;

export async function runLog({ values, positionals: [given = ''] }: ParsedArguments<LogValues>, context: Context): Promise<number> {
  const from = firstLine(values);
  const address = readJobAddress(given);
  const server = serverOf(values, context);
  const job = await resolveJobAddress(server, address);
  const screen = new FollowScreen(context);
  const reader: ConsoleReader = {
    server,
    job,
    from,
    print: (lines) => screen.write(lines.map((line) => `${printedLine(line, values.raw)}\n`).join('')),
    onUnavailable: screen.unavailable,
  };
  try {
    if (!values.follow) {
      await readConsole(reader);
      return 0;
    }
    const { result } = await followed(reader, screen);
    screen.end();
    if (result !== 'Passed') context.err.write(`${nameOfJob(job)}: ${result}.\n`);
    return exitCodeOf(result);
  } finally {
    screen.end();
  }
}

function firstLine({ from = '0' }: LogValues): number {
  if (/^\d{1,15}$/.test(from)) return Number(from);
  throw new UsageError(`--from must be a number of a line, counted from 0, not '${from}'.`);
}

async function followed(reader: ConsoleReader, screen: FollowScreen): Promise<JobAnswer> {
  const { server, job } = reader;
  // One that does not exist ends here.
  await fetchJson<JobAnswer>(server, jobPath(job));
  const ended = new AbortController();
  const showing = showWaiting(server, job, screen, ended.signal);
  // It is awaited below. Until then its rejection would be unhandled, and Node would end the process.
  showing.catch(() => undefined);
  try {
    return await followConsole(reader);
  } finally {
    ended.abort();
    await showing;
  }
}

/** Until an agent has it. */
async function showWaiting(server: RemoteServer, job: JobAddress, screen: FollowScreen, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)) {
    const text = await waitingText(server, job);
    if (signal.aborted) return;
    if (text === undefined) {
      screen.end();
      return;
    }
    screen.show(text);
  }
}
