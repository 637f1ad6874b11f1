// The content of an answer, piece by piece, without the garbage that it usually leaves: V8 collects that only when there is much of it.
import type { IncomingMessage } from 'node:http';

export type Piece = Buffer<ArrayBuffer>;

/** The caller may release the memory of a piece with `releasePiece`. */
export async function* contentOf(response: IncomingMessage): AsyncGenerator<Piece> {
  const { socket } = response;
  // When this response is complete, the connection reads the next one, whose bytes are still unread.
  const release = (read: Piece) => response.complete || releasePiece(read);
  const stop = () => socket.off('data', release);
  let isFirst = true;
  for await (const piece of response as AsyncIterable<Piece>) {
    // When the first piece, which came with the headers, lies alone, it is a copy: then the buffers that the socket reads can be released.
    if (isFirst && isAlone(piece) && !response.complete) {
      socket.on('data', release);
      response.once('end', stop).once('close', stop);
    }
    isFirst = false;
    yield piece;
  }
}

/** The piece must not be used afterwards. Older versions of Node keep it until it is collected. */
export function releasePiece(piece: Piece): void {
  if (isAlone(piece) && 'transfer' in piece.buffer) piece.buffer.transfer(0);
}

/** Nothing else lies in the same memory. */
function isAlone({ byteOffset, length, buffer }: Piece): boolean {
  return byteOffset === 0 && length === buffer.byteLength;
}
