// Gives up an answer that comes too slowly to be of use. A byte now and then is no silence, and would keep a poll busy for as long as it may take.
import type { ClientRequest, IncomingMessage } from 'node:http';

const WINDOW_MS = 60_000;
const MIN_BYTES = 16 * 1024;

/** The reason in the failure of a server that is too slow. */
export const TOO_SLOW = `sent less than ${MIN_BYTES / 1024} KB in ${WINDOW_MS / 1000} seconds`;

/** To be called as soon as it is sent. */
export function requirePace(sent: ClientRequest, tooSlow: () => Error): void {
  let answer: IncomingMessage | undefined;
  let before = 0;
  const timer = setInterval(() => {
    const now = sent.socket?.bytesRead ?? 0;
    // With unread data in the buffer, the reader is slow, not the repository.
    const isReaderBehind = answer !== undefined && (answer.complete || answer.readableLength > 0);
    if (!isReaderBehind && now - before < MIN_BYTES) (answer ?? sent).destroy(tooSlow());
    before = now;
  }, WINDOW_MS).unref();
  sent.once('response', (response) => {
    answer = response;
  });
  sent.once('close', () => clearInterval(timer));
}
