// The position of memory in the order of writes, and how it takes in the writes of other servers.
import { KeyedMutex } from '../../../kit/concurrency/keyed-mutex.ts';
import type { Follower } from '../../database.ts';
import type { Fetched, Position } from './position.ts';

/** For so long after another server has written, it is taken to write again. */
const DISTURBED_MS = 1000;
const BEGINNING: Position = { commit: 0, revision: 0, event: 0, event_hash: '' };

export class KnownCommits {
  readonly #mutex = new KeyedMutex();
  #position = BEGINNING;
  #lastRemoteWriteAt = Number.NEGATIVE_INFINITY;
  #follower: Follower = { follow: async () => {}, reload: async () => {} };

  get position(): Position {
    return this.#position;
  }

  set follower(follower: Follower) {
    this.#follower = follower;
  }

  /** Whether no other server has written for a while. */
  get isUndisturbed(): boolean {
    return performance.now() - this.#lastRemoteWriteAt > DISTURBED_MS;
  }

  /** Data loaded from there on is at this position, or further on. */
  beginAt(position: Position): void {
    this.#position = position;
  }

  /** Own writes, once they are published. */
  advanceTo(position: Position): void {
    if (position.commit > this.#position.commit) this.#position = position;
  }

  /** Runs work while no other work takes in writes of other servers or publishes. The signal ends the wait for the turn. */
  exclusively<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#mutex.run('', work, signal);
  }

  /** Only exclusively. Writes that could not be taken in are taken in again with the next: followers leave out those that they know. */
  async apply(fetched: Fetched): Promise<void> {
    if (fetched === 'gone back') {
      await this.#follower.reload();
      return;
    }
    const { position, writes } = fetched;
    if (position.commit <= this.#position.commit) return;
    this.#lastRemoteWriteAt = performance.now();
    await this.#follower.follow(writes);
    this.#position = position;
  }
}
