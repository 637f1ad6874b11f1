// Ends connections whose clients do not read their answers. A look now and then costs less than a timer that every byte would set anew.
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

const LOOK_EVERY_MS = 30_000;
/** A connection is ended when nothing was read for so many looks. */
const MAX_LOOKS = 4;

interface Progress {
  readonly sent: number;
  readonly looks: number;
}

/** A request may be worked on for long without a byte on its connection: only answers that wait to be read count. */
export function endUnread(server: Server, everyMs = LOOK_EVERY_MS): void {
  const sockets = new Map<Socket, Progress>();
  // Over TLS unread data is buffered in the TLS socket, on top of the socket of the connection.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.set(socket, { sent: 0, looks: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of sockets) sockets.set(socket, progressOf(socket, before));
  }, everyMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** Ends the connection when it has made none for too long. */
export function progressOf(socket: Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy'>, before: Progress): Progress {
  const sent = socket.bytesWritten - socket.writableLength;
  const looks = socket.writableLength > 0 && sent === before.sent ? before.looks + 1 : 0;
  if (looks >= MAX_LOOKS) socket.destroy();
  return { sent, looks };
}
