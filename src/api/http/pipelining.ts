// Bounds the requests that a connection has sent ahead. All that arrive in one piece are handled in one turn of the event loop, while
// other connections wait.
import type { EventEmitter } from 'node:events';

/** Far more than any client sends before it has the answer to its first request. */
export const MAX_QUEUED = 64;

interface Connection {
  destroy(): unknown;
}

export class Pipelining {
  readonly #queued = new WeakMap<Connection, number>();

  /** A response waits until those before it are out. Whether the connection may go on: it is closed otherwise. */
  queue(connection: Connection, response: Pick<EventEmitter, 'once'>): boolean {
    const count = (this.#queued.get(connection) ?? 0) + 1;
    if (count > MAX_QUEUED) {
      connection.destroy();
      return false;
    }
    this.#queued.set(connection, count);
    response.once('close', () => this.#queued.set(connection, this.#queued.get(connection)! - 1));
    return true;
  }
}
