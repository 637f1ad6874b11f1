// Bodies that may take as long as they take: only one that stalls is given up.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

const STALLED_MS = 60_000;

const long = new WeakSet<Socket>();

/**
 * From here on the request is not cut off for the time that it takes. With `response`, only until it is answered: an
 * unauthenticated client must not hold its connection by a body that never ends.
 */
export function allowLong(request: IncomingMessage, response?: Pick<ServerResponse, 'once'>): void {
  const { socket } = request;
  const end = () => void long.delete(socket);
  long.add(socket);
  request.once('close', end);
  response?.once('close', end);
}

export function isLong(socket: Socket): boolean {
  return long.has(socket);
}

/** Piece by piece, as fast as they are taken. A caller that stops early can still answer. Rejects where the body is cut off, or stalls. */
export async function* piecesOf(body: Readable, stalledMs = STALLED_MS): AsyncGenerator<Buffer> {
  // Only the wait for the sender counts, not the time that the piece before takes here.
  const pieces = body.iterator({ destroyOnReturn: false });
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      timer = setTimeout(() => body.destroy(new Error('The body of the request has stalled.')), stalledMs);
      const { value, done } = await pieces.next();
      if (done) return;
      clearTimeout(timer);
      yield value as Buffer;
    }
  } finally {
    clearTimeout(timer);
    // While this iterator is open, no other reader can read the body.
    await pieces.return?.(undefined);
  }
}
