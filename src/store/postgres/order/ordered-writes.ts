// The one order of writes: who writes holds the row `head` from before they decide until their commit.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { KeyedMutex } from '../../../kit/concurrency/keyed-mutex.ts';
import type { Connection } from '../connection.ts';
import type { Contact } from '../contact.ts';
import { explained, isLostConnection } from '../refusals.ts';
import { command } from '../statement-batch.ts';
import type { KnownCommits } from './known-commits.ts';
import { type Fetched, isSame, NO_NEWS, newsSince, type Position, readNews } from './position.ts';
import { touchedTables } from './touched-tables.ts';
import type { CommitOutcome, LostTransaction } from './transaction-outcome.ts';

interface Parts {
  connect(): Promise<Connection>;
  readonly contact: Contact;
  readonly known: KnownCommits;
  /** What became of a transaction whose answer was lost. */
  outcomeOf(lost: LostTransaction): Promise<CommitOutcome>;
  /** Ends sessions that hold the order and have not been heard of for a while. */
  endSilent(): Promise<void>;
}

interface Locked {
  readonly fetched: Fetched;
  /** The last one before it. */
  readonly commit: number;
  readonly transaction: string;
  /** Milliseconds. */
  readonly time: number;
}

type HeadAndClock = Position & { readonly time: number; readonly now: number; readonly transaction: string };

/** From the lock on the head to the end of the work that wanted it. */
interface Section {
  readonly connection: Connection;
  /** The last one before it. */
  readonly commit: number;
  /** By which its own commit is found. */
  readonly mark: string;
  readonly transaction: string;
  readonly time: number;
  /** Whether nothing was committed yet. */
  isOpen: boolean;
  /** Work that came after the commit, from inside the work: so many are under way or wait … */
  childCount: number;
  /** … one after the other. */
  children: Promise<unknown>;
  /** What it has set in motion goes on after it, and is on its own. */
  isEnded: boolean;
}

const BEGIN = command('begin');
const COMMIT = command('commit');
const LOCK = command(`select commit, revision, event, event_hash, time, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now,
  pg_current_xact_id()::text as transaction from head where id = 1 for update`);

const ADVANCE = `with moved as (
    update head set commit = commit + 1, time = $1, revision = coalesce((select max(revision) from revisions), 0),
      event = coalesce((select max(number) from events), 0),
      event_hash = coalesce((select hash from events order by number desc limit 1), event_hash)
    where id = 1 returning commit, revision, event, event_hash
  ), logged as (insert into commits select commit, revision, event, $2, $3 from moved)
  select moved.*, pg_notify('slipway', commit::text) from moved`;

const LOCK_NOT_AVAILABLE = '55P03';
/** Each waits as long as the connection is set to. */
const MAX_ATTEMPTS = 8;
/** More would be sent before anything is answered. */
const STATEMENTS_AT_ONCE = 500;
/** Says to the server that a decision that takes long goes on; a server that hangs cannot. */
const SIGN_OF_LIFE_MS = 1000;

export class OrderedWrites {
  readonly #parts: Parts;
  readonly #mutex = new KeyedMutex();
  readonly #section = new AsyncLocalStorage<Section>();
  #connection: Connection | undefined;
  /** The last one of this server, perhaps not published yet. */
  #own: Position | undefined;
  /** What the clock of the database is ahead of the one of this machine. */
  #ahead = 0;
  #lastTime = 0;
  /** Whether others have written before the last write here. */
  #expectsNews = false;
  #waits = 0;
  #waitMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** From asking for the order to having it. */
  get waits(): { readonly count: number; readonly seconds: number } {
    return { count: this.#waits, seconds: this.#waitMs / 1000 };
  }

  now(): number {
    const section = this.#section.getStore();
    return section?.isOpen ? section.time : Math.max(Date.now() + this.#ahead, this.#lastTime);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const section = this.#section.getStore();
    if (section?.isOpen) return work();
    if (section && !section.isEnded) return this.#enterInside(section, work);
    const { contact, known } = this.#parts;
    const asked = performance.now();
    return this.#mutex.run('', () => this.#enter(work, asked, (take) => known.exclusively(take)), contact.presence);
  }

  /** Whoever called this may be waited for by the section itself, which therefore lets it in, and waits for it. */
  #enterInside<T>(section: Section, work: () => Promise<T>): Promise<T> {
    section.childCount++;
    const asked = performance.now();
    const child = section.children.then(() => this.#enter(work, asked, (take) => take())).finally(() => section.childCount--);
    section.children = child.catch(() => {}); // told to whoever waits for it
    return child;
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

  /** Nobody answers: what waits there has to be told. */
  abandon(failure: Error): void {
    this.#connection?.destroy(failure);
  }

  async #enter<T>(work: () => Promise<T>, asked: number, exclusively: (take: () => Promise<T>) => Promise<T>): Promise<T> {
    this.#parts.contact.mustBeThere();
    const connection = await this.#connected();
    const { fetched, commit, transaction, time } = await this.#lock(connection);
    this.#waits++;
    this.#waitMs += performance.now() - asked;
    const section: Section = {
      connection,
      commit,
      mark: randomUUID(),
      transaction,
      time,
      isOpen: true,
      childCount: 0,
      children: Promise.resolve(),
      isEnded: false,
    };
    const signs = setInterval(() => section.isOpen && connection.runOnce('select 1').catch(() => {}), SIGN_OF_LIFE_MS);
    try {
      return await exclusively(() => this.#decide(section, fetched, work));
    } finally {
      clearInterval(signs);
    }
  }

  async #decide<T>(section: Section, fetched: Fetched, work: () => Promise<T>): Promise<T> {
    const { known } = this.#parts;
    try {
      await known.takeIn(fetched);
      return await this.#section.run(section, work);
    } finally {
      if (section.isOpen) this.#rollBack(section);
      if (this.#own) known.advanceTo(this.#own);
      while (section.childCount > 0) await section.children;
      section.isEnded = true;
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.failure) return this.#connection;
    try {
      this.#connection = await this.#parts.connect();
      return this.#connection;
    } catch (failure) {
      if (isLostConnection(failure)) this.#parts.contact.lose(failure);
      throw explained(failure);
    }
  }

  /** Somebody who has the lock and is silent loses it; a large change that is under way is waited for. */
  async #lock(connection: Connection): Promise<Locked> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryToLock(connection);
      } catch (failure) {
        const isTaken = (failure as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE;
        if (!isTaken || attempt === MAX_ATTEMPTS) throw explained(failure);
        await this.#parts.endSilent();
      }
    }
  }

  async #tryToLock(connection: Connection): Promise<Locked> {
    const { known } = this.#parts;
    const from = this.#own && this.#own.commit > known.position.commit ? this.#own : known.position;
    // Asked for in the same round trip where others write as well; otherwise there is usually nothing.
    const isAhead = this.#expectsNews;
    try {
      const [, head, ...ahead] = await connection.runAll([BEGIN, LOCK, ...(isAhead ? newsSince(from) : [])]);
      const locked = head!.rows[0] as HeadAndClock;
      this.#expectsNews = locked.commit !== from.commit;
      this.#ahead = locked.now - Date.now();
      this.#lastTime = Math.max(locked.now, locked.time + 1);
      const hasNone = !isAhead && isSame(locked, from);
      const fetched = hasNone
        ? { position: locked, news: NO_NEWS }
        : readNews(from, locked, isAhead ? ahead : await connection.runAll(newsSince(from)));
      return { fetched, commit: locked.commit, transaction: locked.transaction, time: this.#lastTime };
    } catch (failure) {
      connection.runOnce('rollback').catch(() => {}); // whatever it was, nothing was written
      throw failure;
    }
  }

  async #commit(section: Section, statements: readonly CompiledQuery[]): Promise<void> {
    section.isOpen = false;
    const advance = { sql: ADVANCE, parameters: [section.time, touchedTables(statements), section.mark] };
    const lastPart = Math.floor(Math.max(0, statements.length - 1) / STATEMENTS_AT_ONCE) * STATEMENTS_AT_ONCE;
    for (let at = 0; at < lastPart; at += STATEMENTS_AT_ONCE) await this.#runPart(section, statements.slice(at, at + STATEMENTS_AT_ONCE));
    try {
      const answers = await section.connection.runAll([...statements.slice(lastPart), advance, COMMIT]);
      this.#own = answers.at(-2)!.rows[0] as Position;
    } catch (failure) {
      if (!(await this.#isCommitted(section, failure))) throw explained(failure);
      // Only the answer was lost: the next look at the head shows it.
      this.#own = undefined;
    }
  }

  async #runPart(section: Section, statements: readonly CompiledQuery[]): Promise<void> {
    try {
      await section.connection.runAll(statements);
    } catch (failure) {
      this.#rollBack(section);
      throw explained(failure);
    }
  }

  /** A session that still answers says that it has not. With the connection the answer to the commit may be lost. */
  async #isCommitted({ commit, mark, transaction, connection }: Section, failure: unknown): Promise<boolean> {
    try {
      await connection.runOnce('rollback');
      return false;
    } catch {
      this.#parts.contact.lose(failure);
      const { processId, name } = connection;
      return (await this.#parts.outcomeOf({ number: commit + 1, mark, transaction, processId, name })) === 'committed';
    }
  }

  #rollBack(section: Section): void {
    section.isOpen = false;
    section.connection.runOnce('rollback').catch(() => {}); // a transaction whose connection is lost ends by itself
  }
}
