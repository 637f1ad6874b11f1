// Asks a server that may be away for a moment, as one that is restarted.
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, askServer, refusalOf } from '../../terminal/ask-server.ts';
import { Unreachable } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';

/** Of a server that starts, or of a proxy before one. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);
const MAX_UNAVAILABLE_MS = 5 * 60_000;
const PAUSE_MS = 1000;

/** Called now and then while the server is away, and with undefined when it is back. */
export type OnUnavailable = (sentence: string | undefined) => void;

/** Only for requests that change nothing: they may be sent twice. */
export function askWithRetries(server: RemoteServer, path: string, onUnavailable: OnUnavailable, ask: RequestInit = {}): Promise<Response> {
  return withRetries(server, path, onUnavailable, ask, async (response) => response);
}

export function fetchWithRetries<T>(server: RemoteServer, path: string, onUnavailable: OnUnavailable): Promise<T> {
  return withRetries(server, path, onUnavailable, {}, async (response) => {
    const answer = await answerOf(response, server);
    if (!response.ok) throw refusalOf(response, answer, server);
    return answer as T;
  });
}

/** `read`: reads the answer; one that is cut off is requested again. */
async function withRetries<T>(
  server: RemoteServer,
  path: string,
  onUnavailable: OnUnavailable,
  ask: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  let wasUnavailable = false;
  for (const end = performance.now() + MAX_UNAVAILABLE_MS; ; await pause(PAUSE_MS)) {
    const isLast = performance.now() > end;
    try {
      const response = await askServer(server, path, ask);
      if (!UNAVAILABLE.has(response.status) || isLast) {
        const result = await read(response);
        if (wasUnavailable) onUnavailable(undefined);
        return result;
      }
      await response.body?.cancel();
      onUnavailable(`${server.url} cannot answer now (${response.status}). Trying again.`);
    } catch (failure) {
      if (!(failure instanceof Unreachable) || isLast) throw failure;
      onUnavailable(`${failure.message}. Trying again.`);
    }
    wasUnavailable = true;
  }
}
