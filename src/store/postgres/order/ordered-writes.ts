// The one order of writes: a server that writes holds the row `head` from before it decides until its commit.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { KeyedMutex } from '../../../kit/concurrency/keyed-mutex.ts';
import { SerialQueue } from '../../../kit/concurrency/serial-queue.ts';
import { StaleDecision } from '../../write-order.ts';
import type { Connection } from '../connection.ts';
import type { Contact } from '../contact.ts';
import { isLostConnection, toRefusal } from '../refusals.ts';
import { command, type Statement } from '../statement-batch.ts';
import { BEGIN, HeadLock, isMoved, lockUnmoved, NOW } from './head-lock.ts';
import type { KnownCommits } from './known-commits.ts';
import { type FetchedWrites, isSame, type Position } from './position.ts';
import { touchedTables } from './touched-tables.ts';
import type { CommitOutcome, LostTransaction } from './transaction-outcome.ts';

interface Parts {
  connect(): Promise<Connection>;
  readonly contact: Contact;
  readonly known: KnownCommits;
  /** The outcome of a transaction whose answer was lost. */
  outcomeOf(lost: LostTransaction): Promise<CommitOutcome>;
  /** Ends sessions that hold the order and have been silent for a while. */
  endSilent(): Promise<void>;
}

/** From the lock on the head to the end of the work that wanted it. */
interface Section {
  readonly connection: Connection;
  /** The process of the server that serves it. */
  readonly processId: number;
  /** The last one before it. */
  readonly commit: number;
  /** Undefined: it has the lock. Otherwise the lock is taken with the write, if that is still the last one. */
  readonly unlockedAfter: Position | undefined;
  /** The mark by which its own commit is found. */
  readonly mark: string;
  readonly time: number;
  /** Whether nothing was committed yet. */
  isOpen: boolean;
  /** Number of pieces of work that came from inside this one, after its commit, and that are under way or wait. */
  childCount: number;
  /** They run one after the other. */
  readonly children: SerialQueue;
  /** The work has ended: what it has started goes on after it, and is on its own. */
  isEnded: boolean;
}

const COMMIT = command('commit');

const ADVANCE = `with moved as (
    update head set commit = commit + 1, time = $1, revision = coalesce((select max(revision) from revisions), 0),
      event = coalesce((select max(number) from events), 0),
      event_hash = coalesce((select hash from events order by number desc limit 1), event_hash)
    where id = 1 returning commit, revision, event, event_hash
  ), logged as (insert into commits select commit, revision, event, $2, $3 from moved)
  select moved.*, ${NOW}, pg_notify('slipway', commit::text) from moved`;

/** More would be sent before anything is answered. */
const STATEMENTS_AT_ONCE = 500;
/** Says to the server that a decision that takes long goes on; a server that hangs cannot. */
const HEARTBEAT_MS = 1000;

export class OrderedWrites {
  readonly #parts: Parts;
  readonly #mutex = new KeyedMutex();
  readonly #section = new AsyncLocalStorage<Section>();
  readonly #head: HeadLock;
  #connection: Connection | undefined;
  /** Undefined: it has not been read since it was connected. */
  #processId: number | undefined;
  #waits = 0;
  #waitMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#head = new HeadLock(() => parts.endSilent());
  }

  /** From asking for the order to having it. */
  get waits(): { readonly count: number; readonly seconds: number } {
    return { count: this.#waits, seconds: this.#waitMs / 1000 };
  }

  now(): number {
    const section = this.#section.getStore();
    return section?.isOpen ? section.time : this.#head.now();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const section = this.#section.getStore();
    if (section?.isOpen) return work();
    if (section && !section.isEnded) return this.#enterInside(section, work);
    const { contact, known } = this.#parts;
    const asked = performance.now();
    return this.#mutex.run('', () => this.#enter(work, asked, (take) => known.exclusively(take)), contact.lossSignal);
  }

  /** Optimistic: a server that wrote last, and alone, most likely still writes alone, and does without the round trip for the lock. */
  async runWithRetry<T>(work: (isExclusive: boolean) => Promise<T>): Promise<T> {
    const section = this.#section.getStore();
    if (section?.isOpen) return work(section.unlockedAfter === undefined);
    const { contact, known } = this.#parts;
    const isInside = section !== undefined && !section.isEnded;
    if (isInside || !this.#head.isClockRecent || !known.isUndisturbed) return this.run(() => work(true));
    try {
      return await this.#mutex.run('', () => this.#enterUnlocked(() => work(false)), contact.lossSignal);
    } catch (failure) {
      if (!(failure instanceof StaleDecision)) throw failure;
      return this.run(() => work(true));
    }
  }

  /** The section itself may be waiting for the caller, so it lets the caller in, and waits for it. */
  #enterInside<T>(section: Section, work: () => Promise<T>): Promise<T> {
    section.childCount++;
    const asked = performance.now();
    return section.children.run(() => this.#enter(work, asked, (take) => take()).finally(() => section.childCount--));
  }

  async write(statements: readonly CompiledQuery[]): Promise<void> {
    const section = this.#section.getStore();
    if (section?.isOpen) await this.#commit(section, statements);
    else await this.run(() => this.write(statements));
  }

  async close(): Promise<void> {
    await this.#mutex.run('', async () => {});
    await this.#connection?.close();
  }

  /** The database does not answer: statements that wait for it have to fail. */
  abandon(failure: Error): void {
    this.#connection?.destroy(failure);
  }

  async #enter<T>(work: () => Promise<T>, asked: number, exclusively: (take: () => Promise<T>) => Promise<T>): Promise<T> {
    const { contact, known } = this.#parts;
    contact.mustBeThere();
    const connection = await this.#connected();
    const from = known.own && known.own.commit > known.position.commit ? known.own : known.position;
    const { fetched, commit, time, processId } = await this.#head.take(connection, from);
    this.#processId = processId;
    this.#waits++;
    this.#waitMs += performance.now() - asked;
    const section = newSection({ connection, processId, commit, time, unlockedAfter: undefined });
    const heartbeat = setInterval(() => section.isOpen && connection.runOnce('select 1').catch(() => {}), HEARTBEAT_MS);
    try {
      return await exclusively(() => this.#decide(section, fetched, work));
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #enterUnlocked<T>(work: () => Promise<T>): Promise<T> {
    const { contact, known } = this.#parts;
    contact.mustBeThere();
    const connection = await this.#connected();
    const processId = this.#processId;
    return known.exclusively(async () => {
      const { position, own } = known;
      if (processId === undefined || !own || !isSame(position, own)) throw new StaleDecision();
      const { commit } = position;
      const section = newSection({ connection, processId, commit, time: this.#head.nextTime(), unlockedAfter: position });
      return this.#decide(section, undefined, work);
    });
  }

  async #decide<T>(section: Section, fetched: FetchedWrites | undefined, work: () => Promise<T>): Promise<T> {
    const { known } = this.#parts;
    try {
      if (fetched) await known.apply(fetched);
      return await this.#section.run(section, work);
    } finally {
      if (section.isOpen) this.#leave(section);
      known.advanceToOwn();
      while (section.childCount > 0) await section.children.settled();
      section.isEnded = true;
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.failure) return this.#connection;
    try {
      this.#connection = await this.#parts.connect();
      this.#processId = undefined;
      return this.#connection;
    } catch (failure) {
      if (isLostConnection(failure)) this.#parts.contact.noteLoss(failure);
      throw toRefusal(failure);
    }
  }

  async #commit(section: Section, statements: readonly CompiledQuery[]): Promise<void> {
    section.isOpen = false;
    const advance = { sql: ADVANCE, parameters: [section.time, touchedTables(statements), section.mark] };
    if (section.unlockedAfter && statements.length > STATEMENTS_AT_ONCE) throw new StaleDecision();
    if (section.unlockedAfter) return this.#end(section, [BEGIN, lockUnmoved(section.unlockedAfter), ...statements, advance, COMMIT]);
    const lastPart = Math.floor(Math.max(0, statements.length - 1) / STATEMENTS_AT_ONCE) * STATEMENTS_AT_ONCE;
    for (let at = 0; at < lastPart; at += STATEMENTS_AT_ONCE) await this.#runPart(section, statements.slice(at, at + STATEMENTS_AT_ONCE));
    await this.#end(section, [...statements.slice(lastPart), advance, COMMIT]);
  }

  /** The last round trip, with the commit. */
  async #end(section: Section, statements: readonly Statement[]): Promise<void> {
    try {
      const answers = await section.connection.runAll(statements);
      const advanced = answers.at(-2)!.rows[0] as Position & { readonly now: number };
      this.#head.syncClock(advanced);
      this.#parts.known.own = advanced;
    } catch (failure) {
      // Where only the answer was lost, the next look at the head shows it.
      this.#parts.known.own = undefined;
      if (await this.#isCommitted(section, failure)) return;
      throw section.unlockedAfter && isMoved(failure) ? new StaleDecision() : toRefusal(failure);
    }
  }

  async #runPart(section: Section, statements: readonly CompiledQuery[]): Promise<void> {
    try {
      await section.connection.runAll(statements);
    } catch (failure) {
      this.#leave(section);
      throw toRefusal(failure);
    }
  }

  /** A session that still answers says that it has not. With the connection the answer to the commit may be lost. */
  async #isCommitted({ commit, mark, connection, processId }: Section, failure: unknown): Promise<boolean> {
    try {
      await connection.runOnce('rollback');
      return false;
    } catch {
      this.#parts.contact.noteLoss(failure);
      return (await this.#parts.outcomeOf({ number: commit + 1, mark, processId, name: connection.name })) === 'committed';
    }
  }

  /** Nothing was written. */
  #leave(section: Section): void {
    section.isOpen = false;
    if (section.unlockedAfter) return;
    section.connection.runOnce('rollback').catch(() => {}); // a transaction whose connection is lost ends by itself
  }
}

function newSection(section: Pick<Section, 'connection' | 'processId' | 'commit' | 'time' | 'unlockedAfter'>): Section {
  return { ...section, mark: randomUUID(), isOpen: true, childCount: 0, children: new SerialQueue(), isEnded: false };
}
