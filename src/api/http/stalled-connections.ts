// Closes connections whose clients do not read their answers. A check now and then costs less than a timer that every byte sets anew.
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';

const CHECK_EVERY_MS = 30_000;
/** A connection is closed when nothing was read for so many checks. */
const MAX_STALLED_CHECKS = 4;

interface Progress {
  readonly sent: number;
  readonly stalledChecks: number;
}

/** A request may be worked on for long without a byte on its connection: only answers that wait to be read count. */
export function closeStalledConnections(server: Server, everyMs = CHECK_EVERY_MS): void {
  const sockets = new Map<Socket, Progress>();
  // Over TLS unread data is buffered in the TLS socket, on top of the socket of the connection.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.set(socket, { sent: 0, stalledChecks: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of sockets) sockets.set(socket, progressOf(socket, before));
  }, everyMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** Closes the connection when it has made none for too long. */
export function progressOf(socket: Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy'>, before: Progress): Progress {
  const sent = socket.bytesWritten - socket.writableLength;
  const stalledChecks = socket.writableLength > 0 && sent === before.sent ? before.stalledChecks + 1 : 0;
  if (stalledChecks >= MAX_STALLED_CHECKS) socket.destroy();
  return { sent, stalledChecks };
}
