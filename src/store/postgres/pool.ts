// Connections that are used again and again, so many at a time.
import { Semaphore } from '../../kit/concurrency/limits/semaphore.ts';
import type { Connection } from './connection.ts';
import { DatabaseUnavailable } from './refusals.ts';

const MAX_WAITING = 10_000;
const MAX_WAIT_MS = 10_000;

export class Pool {
  readonly #connect: () => Promise<Connection>;
  readonly #slots: Semaphore;
  readonly #idle: Connection[] = [];
  readonly #inUse = new Set<Connection>();
  #isClosed = false;

  constructor(connect: () => Promise<Connection>, size: number) {
    this.#connect = connect;
    this.#slots = new Semaphore(size, MAX_WAITING, MAX_WAIT_MS);
  }

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const release = await this.#slots.acquire();
    if (!release) throw new DatabaseUnavailable(new Error('All connections to the database were in use for too long.'));
    try {
      const connection = this.#takeIdle() ?? (await this.#connect());
      this.#inUse.add(connection);
      try {
        return await work(connection);
      } finally {
        this.#inUse.delete(connection);
        await this.#returnToPool(connection);
      }
    } finally {
      release();
    }
  }

  /** Connections in use are closed when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  /** For when the database does not answer: statements on these connections would wait for long. */
  destroyAll(cause: Error): void {
    for (const connection of [...this.#idle.splice(0), ...this.#inUse]) connection.destroy(cause);
  }

  #takeIdle(): Connection | undefined {
    for (let one = this.#idle.pop(); one; one = this.#idle.pop()) if (!one.failure) return one;
    return undefined;
  }

  async #returnToPool(connection: Connection): Promise<void> {
    if (connection.failure) return;
    if (this.#isClosed) await connection.close();
    else this.#idle.push(connection);
  }
}
