// Follows the console of a job to its end, across connections that break and servers that restart.
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, askServer, refusalOf } from '../../terminal/ask-server.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import type { JobAnswer } from './answers.ts';
import { askWithRetries, fetchWithRetries, type OnUnavailable } from './ask-with-retries.ts';
import { type ConsoleLine, consoleLines } from './console-lines.ts';
import { type JobAddress, jobPath } from './paths.ts';

export interface ConsoleReader {
  readonly server: RemoteServer;
  readonly job: JobAddress;
  /** The first line that is wanted. */
  readonly from: number;
  print(lines: readonly ConsoleLine[]): Promise<void>;
  readonly onUnavailable: OnUnavailable;
}

const JSON_LINES = { Accept: 'application/vnd.svc.v1+json' };
const EVENT_STREAM = { Accept: 'text/event-stream' };
const NOT_FOUND = 404;
/** Before the next connection, when the last one brought nothing. */
const PAUSE_MS = 1000;

/** All lines there are at present. A server that is away is not waited for. */
export async function readConsole(reader: ConsoleReader): Promise<void> {
  const { server, job, from } = reader;
  const response = await askServer(server, `${jobPath(job, 'console')}?from=${from}`, { headers: JSON_LINES });
  if (!response.ok) throw refusalOf(response, await answerOf(response, server), server);
  await printed(response, reader, reader.from);
}

/** Ends with the job, and says how it ended. */
export async function followConsole(reader: ConsoleReader): Promise<JobAnswer> {
  const { server, job, onUnavailable } = reader;
  for (let next = reader.from; ; ) {
    const before = next;
    next = await following(reader, next);
    const answer = await fetchWithRetries<JobAnswer>(server, jobPath(job), onUnavailable);
    if (answer.state === 'Completed') {
      // The stream may have ended for another reason, and the job meanwhile.
      await following(reader, next, JSON_LINES);
      return answer;
    }
    if (next === before) await pause(PAUSE_MS);
  }
}

/** Returns the number of the next line. */
async function following(reader: ConsoleReader, next: number, accept: Readonly<Record<string, string>> = EVENT_STREAM): Promise<number> {
  const response = await ask(reader, next, accept);
  if (response.ok) return printed(response, reader, next);
  const answer = await answerOf(response, reader.server);
  // A job that was cancelled before it began has none.
  if (response.status === NOT_FOUND) return next;
  throw refusalOf(response, answer, reader.server);
}

function ask(
  { server, job, from, onUnavailable }: ConsoleReader,
  next: number,
  accept: Readonly<Record<string, string>>,
): Promise<Response> {
  const path = jobPath(job, 'console');
  const isResumed = accept === EVENT_STREAM && next > from;
  return isResumed
    ? askWithRetries(server, path, onUnavailable, { headers: { ...accept, 'Last-Event-ID': String(next - 1) } })
    : askWithRetries(server, `${path}?from=${next}`, onUnavailable, { headers: accept });
}

async function printed({ body }: Response, { print }: ConsoleReader, first: number): Promise<number> {
  let next = first;
  for await (const lines of consoleLines(body)) {
    await print(lines);
    next = lines.at(-1)!.line + 1;
  }
  return next;
}
