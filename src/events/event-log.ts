// The log of events: numbers and hashes are given in the one place where events are written, in the order of the commits.
import type { CompiledQuery } from 'kysely';
import { withHandledRejection } from '../kit/concurrency/handled-rejection.ts';
import { SerialQueue } from '../kit/concurrency/serial-queue.ts';
import type { Database } from '../store/database.ts';
import type { EventRow } from '../store/rows/events.ts';
import { StaleDecision } from '../store/write-order.ts';
import type { NewEvent, WriteWithEvents } from '../store/write-with-events.ts';
import { BEGINNING, type Link, nextEvent } from './chain.ts';
import { RecentEvents } from './recent-events.ts';
import { StoredEvent } from './stored-event.ts';

export type EventListener = (events: readonly StoredEvent[]) => void;

interface PendingEvent {
  readonly event: NewEvent;
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

export class EventLog {
  readonly #database: Database;
  readonly #insert: CompiledQuery;
  readonly #listeners: EventListener[] = [];
  readonly #recent: RecentEvents;
  /** Added on their own, waiting for a commit that they share. */
  #pending: PendingEvent[] = [];
  #last: Link = BEGINNING;
  /** A write has failed, and perhaps only its answer was lost. */
  #isLastInDoubt = false;
  /** One write after the other: the next number and hash are known only when the commit before has succeeded. */
  readonly #writes = new SerialQueue();
  /** The events that are being written: where servers share a database they may wait for the others before their turn comes. */
  #adding: Promise<unknown> = Promise.resolve();
  #begun: Promise<void> = Promise.resolve();

  private constructor(database: Database, recent: RecentEvents) {
    this.#database = database;
    this.#recent = recent;
    this.#insert = database.query.insertInto('events').values({ number: 0, body: '', hash: '' }).compile();
  }

  /** Where there are none yet, the first says from which revision on changes are recorded; `begun` returns when it is written. */
  static async open(database: Database, recent = new RecentEvents()): Promise<EventLog> {
    const log = new EventLog(database, recent);
    await log.#readLast();
    // The caller of `begun` gets the failure.
    if (log.#last.number === 0) log.#begun = withHandledRejection(log.#begin());
    return log;
  }

  /** Every write waits for it anyway, so only a start that needs to know whether it can write has to await it. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  /** The newest event. */
  get last(): Link {
    return this.#last;
  }

  /** Called with events that are on disk, in their order, before the writer goes on. */
  listen(listener: EventListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Writes events with their changes: all of it is on disk when it returns, or nothing. `database`: the same one, fenced by a lease
   * without which nothing is written.
   */
  write(writes: readonly WriteWithEvents[], database: Pick<Database, 'serialized' | 'writeTransaction'> = this.#database): Promise<void> {
    return database.serialized(() => this.#writes.run(() => this.#write(writes, database)));
  }

  /** Takes in the events that other servers have written; known ones are left out. */
  follow(rows: readonly Readonly<EventRow>[]): void {
    const events = rows.filter(({ number }) => number > this.#last.number).map((row) => new StoredEvent(row));
    if (events.length > 0) this.#publish(events);
  }

  /** The database has gone back to an earlier state: the events in memory are forgotten. */
  async reload(): Promise<void> {
    this.#recent.clear();
    await this.#readLast();
  }

  /** Writes an event that reports nothing written to the database; those of one moment share a commit. */
  add(event: NewEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#pending.push({ event, resolve, reject }) === 1) setImmediate(() => this.#writePending());
    });
  }

  /** The events after this number, oldest first. */
  async after(number: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.cachedAfter(number, limit) ?? this.#read('>', number, 'asc', limit);
  }

  /** The events after this number, if they are at hand. */
  cachedAfter(number: number, limit: number): readonly StoredEvent[] | undefined {
    return number >= this.#last.number ? [] : this.#recent.after(number, limit);
  }

  /** The events before this number, newest first. */
  before(number: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#read('<', number, 'desc', limit);
  }

  /** Returns when all that was added before is written, or cannot be. */
  async settle(): Promise<void> {
    if (this.#pending.length > 0) this.#writePending();
    await this.#adding;
    await this.#writes.settled();
  }

  async #write(writes: readonly WriteWithEvents[], database: Pick<Database, 'writeTransaction'>): Promise<void> {
    if (this.#isLastInDoubt) await this.#readLast();
    const now = new Date(this.#database.now()).toISOString();
    const events: StoredEvent[] = [];
    let last = this.#last;
    const statements = writes.flatMap((one) => {
      const rows = one.events.map((event) => {
        const kept = nextEvent(last, event, () => now);
        last = kept;
        events.push(kept);
        return { ...this.#insert, parameters: [kept.number, kept.body, kept.hash] };
      });
      return [...rows, ...one.statements];
    });
    try {
      await database.writeTransaction(statements);
    } catch (failure) {
      this.#isLastInDoubt = !(failure instanceof StaleDecision);
      throw failure;
    }
    if (events.length > 0) this.#publish(events);
  }

  #publish(events: readonly StoredEvent[]): void {
    this.#last = events.at(-1)!;
    this.#recent.add(events);
    for (const listener of this.#listeners) listener(events);
    for (const event of events) event.releaseContent();
  }

  /** Another server may have begun in the same moment. */
  #begin(): Promise<void> {
    return this.#database.serialized(async () => {
      if (this.#last.number > 0) return;
      const first = { type: 'events.begun', actor: null, about: [], data: { revision: await revisionIn(this.#database) } };
      await this.write([{ events: [first], statements: [] }]);
    });
  }

  #writePending(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    const written = this.write([{ events: pending.map(({ event }) => event), statements: [] }]).then(
      () => {
        for (const { resolve } of pending) resolve();
      },
      (failure: unknown) => {
        for (const { reject } of pending) reject(failure);
      },
    );
    this.#adding = Promise.all([this.#adding, written]);
  }

  async #readLast(): Promise<void> {
    const [last] = await this.before(Number.MAX_SAFE_INTEGER, 1);
    this.#last = last ?? BEGINNING;
    this.#isLastInDoubt = false;
  }

  async #read(side: '<' | '>', number: number, order: 'asc' | 'desc', limit: number): Promise<StoredEvent[]> {
    const rows = await this.#database.query
      .selectFrom('events')
      .selectAll()
      .where('number', side, number)
      .orderBy('number', order)
      .limit(limit)
      .execute();
    return rows.map((row) => new StoredEvent(row));
  }
}

async function revisionIn({ query }: Database): Promise<number> {
  const last = await query
    .selectFrom('revisions')
    .select((select) => select.fn.max('revision').as('revision'))
    .executeTakeFirst();
  return last?.revision ?? 0;
}
