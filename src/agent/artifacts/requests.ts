// Requests about artifacts: sent until the server has done them, however long it is away, or has failed for too long.
import type { ArtifactAnswer } from '../../contracts/agent-protocol/messages.ts';
import { BadArchive } from '../../kit/tar/bad-archive.ts';
import { BackOff } from '../server/back-off.ts';
import { type Answer, messageOf } from '../server/server-client.ts';
import { type ArtifactContext, ArtifactFailure } from './context.ts';

/** A server may have much to do before it answers, and a store behind it, too. */
export const ARTIFACT_TIMEOUT_MS = 300_000;

/** Answers of a server whose disk has no room. */
const FULL: ReadonlySet<number> = new Set([413, 507]);
/** A token that is not known is renewed by the next poll. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);

/** A body that was cut off on the way is a bad request, too. */
const BAD_REQUEST = 400;
const MAX_BAD_REQUESTS = 5;
const CONFLICT = 409;

export type Reply = 'taken' | 'full' | 'refused' | 'again';

export function replyOf(status: number): Reply {
  if (status >= 200 && status < 300) return 'taken';
  if (FULL.has(status)) return 'full';
  return status >= 400 && status < 500 && !PASSING.has(status) ? 'refused' : 'again';
}

/** Interprets the answers to a request that is sent again and again. */
export class Replies {
  #bad = 0;

  of(answer: Answer | undefined): Reply {
    if (!answer) return 'again';
    if (answer.status === BAD_REQUEST && ++this.#bad < MAX_BAD_REQUESTS) return 'again';
    // The request before this one is not done with a file yet.
    if (answer.status === CONFLICT && lengthIn(answer) !== undefined) return 'again';
    return replyOf(answer.status);
  }
}

/** How many bytes of a file the server says that it has. */
export function lengthIn(answer: Answer): number | undefined {
  const length = jsonIn<ArtifactAnswer>(answer)?.length;
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Sends until the server takes it. `describeFull` names the content that the server has no room for. */
export async function sendUntilTaken(
  { signal, retryBudget }: Pick<ArtifactContext, 'signal' | 'retryBudget'>,
  describeFull: () => string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const [backOff, replies] = [new BackOff(), new Replies()];
  for (;;) {
    signal.throwIfAborted();
    const answer = await answered(send);
    signal.throwIfAborted();
    const reply = replies.of(answer);
    if (answer && reply === 'taken') {
      retryBudget.noteProgress();
      return answer;
    }
    if (reply === 'full') throw new ArtifactFailure(describeFull());
    if (answer && reply === 'refused') throw new ArtifactFailure(messageOf(answer));
    if (answer) retryBudget.noteFailure(answer);
    await backOff.pause(signal);
  }
}

/** No answer: the server is away, or the connection broke. */
export async function answered<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (failure) {
    if (failure instanceof ArtifactFailure || failure instanceof BadArchive) throw failure;
    return undefined;
  }
}

/** Undefined for answers that are not from Slipway, such as a page of a proxy. */
export function jsonIn<T>({ body }: Answer): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export function pathFor(
  pattern: string,
  { job, epoch }: Pick<ArtifactContext, 'job' | 'epoch'>,
  query: Record<string, string> = {},
): string {
  return `${pattern.replace(':job', String(job))}?${new URLSearchParams({ epoch: String(epoch), ...query })}`;
}
