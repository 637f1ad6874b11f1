// The position of memory in the order of writes, and how it takes in the writes of other servers.
import { KeyedMutex } from '../../../kit/concurrency/keyed-mutex.ts';
import type { Follower } from '../../database.ts';
import type { FetchedWrites, Position } from './position.ts';

/** For so long after another server has written, it is taken to write again. */
const DISTURBED_MS = 1000;
const BEGINNING: Position = { commit: 0, revision: 0, event: 0, event_hash: '' };

export class KnownCommits {
  readonly #mutex = new KeyedMutex();
  #position = BEGINNING;
  /** The last write of this server, perhaps not published yet. Undefined: none since memory was loaded, or it is not known. */
  own: Position | undefined;
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

  /** Data loaded from there on is at this position, or further on. Own writes may be lost: the database may have gone back behind them. */
  beginAt(position: Position): void {
    this.#position = position;
    this.own = undefined;
  }

  /** The own writes are published. */
  advanceToOwn(): void {
    if (this.own && this.own.commit > this.#position.commit) this.#position = this.own;
  }

  /** Runs work while no other work takes in writes of other servers or publishes. The signal ends the wait for the turn. */
  exclusively<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#mutex.run('', work, signal);
  }

  /** Only exclusively. Writes that could not be taken in are taken in again with the next: followers leave out those that they know. */
  async apply(fetched: FetchedWrites): Promise<void> {
    if (fetched === 'gone back') return this.#reload();
    const { position, writes } = fetched;
    if (position.commit <= this.#position.commit) return;
    this.#lastRemoteWriteAt = performance.now();
    await this.#follower.follow(writes);
    this.#position = position;
  }

  async #reload(): Promise<void> {
    const former = this.#position;
    try {
      await this.#follower.reload();
    } catch (failure) {
      // What was loaded in part is loaded again: from there on the database still counts as gone back.
      this.#position = former;
      throw failure;
    }
  }
}
