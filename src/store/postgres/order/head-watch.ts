// Follows how far the order of writes is: by notifications of the server, by a query before every read, and by one now and then.
import { setTimeout as delay } from 'node:timers/promises';
import { CoalescedTask } from '../../../kit/concurrency/coalesced-task.ts';
import type { Freshness } from '../../database.ts';
import { type Connection, ConnectionLost } from '../connection.ts';
import type { Contact } from '../contact.ts';
import { command } from '../statement-batch.ts';
import { AnswerDeadline } from './answer-deadline.ts';
import type { KnownCommits } from './known-commits.ts';
import { HEAD, type Position, readRemoteWrites, remoteWritesSince } from './position.ts';

interface Parts {
  connect(): Promise<Connection>;
  readonly contact: Contact;
  readonly known: KnownCommits;
  onFailure(failure: unknown, message: string): void;
}

/** A database that has become a standby, or was set read-only, answers reads as before, so it is asked whether it takes writes. */
const COMMIT = command("select commit, current_setting('transaction_read_only') = 'on' as is_read_only from head where id = 1");
const CHECK_EVERY_MS = 500;
const CONNECT_AGAIN_MS = 250;
/** A server that takes longer is taken for one that does not answer. */
const MAX_ANSWER_MS = 1500;

export class HeadWatch {
  readonly #parts: Parts;
  #connection: Connection | undefined;
  #deadline: AnswerDeadline | undefined;
  /** One query for all callers that ask before it is sent: they need not see writes that are acknowledged after that. */
  readonly #newestCommit = new CoalescedTask(() => this.#askCommit());
  /** The last one that is known. */
  #newest = 0;
  #isStopped = false;
  #loop: Promise<void> | undefined;
  #comparing: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns when it is connected; fails when it cannot be. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** From now on the writes of other servers are taken in by themselves. */
  follow(): void {
    this.#loop ??= this.#pollLoop();
  }

  async refresh(): Promise<Freshness> {
    const { contact, known } = this.#parts;
    if (contact.unavailableSince !== undefined) return contact.staleness();
    try {
      const newest = await this.#newestCommit.run();
      if (newest > known.position.commit) await this.#catchUp(newest);
      return 'current';
    } catch (failure) {
      contact.noteLoss(failure);
      return contact.staleness();
    }
  }

  /** The number of writes that are known to be made, and are not in memory yet. */
  get lag(): number {
    return Math.max(0, this.#newest - this.#parts.known.position.commit);
  }

  /** The database does not answer. */
  abandon(failure: Error): void {
    this.#connection?.destroy(failure);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    await this.#loop;
    await this.#comparing;
    await this.#connection?.close();
  }

  async #askCommit(): Promise<number> {
    const { rows } = await this.#timely((connection) => connection.run(COMMIT));
    const { commit, is_read_only: isReadOnly } = rows[0] as { readonly commit: number; readonly is_read_only: boolean };
    this.#parts.contact.noteAnswer({ isReadOnly });
    this.#newest = commit;
    return commit;
  }

  async #catchUp(newest: number): Promise<void> {
    const { known, contact } = this.#parts;
    await known.exclusively(async () => {
      if (newest <= known.position.commit) return;
      await this.#applyRemoteWrites();
    }, contact.lossSignal);
  }

  async #applyRemoteWrites(): Promise<void> {
    const { known } = this.#parts;
    const { position } = known;
    const [head, ...answers] = await this.#timely((connection) => connection.runAll([HEAD, ...remoteWritesSince(position)]));
    await known.apply(readRemoteWrites(position, head!.rows[0] as Position, answers));
  }

  async #timely<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (!connection || connection.failure) throw connection?.failure ?? new ConnectionLost('it is not open');
    return this.#deadline!.watch(ask(connection));
  }

  async #pollLoop(): Promise<void> {
    while (!this.#isStopped) {
      const isReachable = await this.#poll();
      await delay(isReachable ? CHECK_EVERY_MS : CONNECT_AGAIN_MS, undefined, { signal: this.#stopping.signal }).catch(() => {}); // it stops
    }
  }

  async #poll(): Promise<boolean> {
    try {
      if (!this.#connection || this.#connection.failure) await this.#connect();
      await this.#newestCommit.run();
      this.#compareSoon();
      return true;
    } catch (failure) {
      this.#parts.contact.noteLoss(failure);
      return false;
    }
  }

  /**
   * Finds out that the database was set back: then its numbers are lower, or other ones. The watch does not wait for it: a write may
   * take long, and meanwhile the watch has to notice whether the database answers.
   */
  #compareSoon(): void {
    const { known, onFailure } = this.#parts;
    this.#comparing ??= known
      .exclusively(() => this.#applyRemoteWrites())
      .catch((failure: unknown) => onFailure(failure, 'what other servers have written could not be taken in'))
      .finally(() => {
        this.#comparing = undefined;
      });
  }

  async #connect(): Promise<void> {
    const connection = await this.#parts.connect();
    connection.onEnd((failure) => this.#parts.contact.noteLoss(failure));
    connection.onNotification((commit) => this.#onNotification(Number(commit)));
    const deadline = new AnswerDeadline(MAX_ANSWER_MS, () => connection.destroy(new Error('The database did not answer in time.')));
    try {
      await deadline.watch(connection.runOnce('listen slipway'));
    } catch (failure) {
      // A standby refuses it. Each attempt would leave a connection behind, and when it becomes the primary, there would be none left.
      connection.destroy(failure as Error);
      throw failure;
    }
    this.#connection = connection;
    this.#deadline = deadline;
  }

  #onNotification(commit: number): void {
    this.#newest = Math.max(this.#newest, commit);
    if (!this.#loop) return;
    this.#catchUp(commit).catch((failure: unknown) => this.#parts.contact.noteLoss(failure));
  }
}
