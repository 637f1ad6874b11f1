// Locks the row `head` and fetches the earlier writes of other servers; and gives the time that all servers share.
import type { Connection } from '../connection.ts';
import { codeOf, toRefusal } from '../refusals.ts';
import { command, type Statement } from '../statement-batch.ts';
import { type FetchedWrites, isSame, NO_REMOTE_WRITES, type Position, readRemoteWrites, remoteWritesSince } from './position.ts';

export interface LockedHead {
  readonly fetched: FetchedWrites;
  /** The last one before it. */
  readonly commit: number;
  /** Milliseconds. */
  readonly time: number;
  /** The process of the server that serves the connection. A proxy in between may report another one when it connects. */
  readonly processId: number;
}

interface Clock {
  /** Milliseconds, by the clock of the database. */
  readonly now: number;
}

type HeadAndClock = Position & Clock & { readonly time: number; readonly process_id: number };

export const BEGIN = command('begin');

/** For statements that return it besides: the column `now`. */
export const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now';

const LOCK = command(
  `select commit, revision, event, event_hash, time, ${NOW}, pg_backend_pid() as process_id from head where id = 1 for update`,
);

/** Divides by zero where another server has written since. */
const LOCK_UNMOVED = `select 1 / count(*) as unmoved from
  (select 1 from head where id = 1 and commit = $1 and event_hash = $2 for update) as head`;

const DIVISION_BY_ZERO = '22012';
const LOCK_NOT_AVAILABLE = '55P03';
/** Each waits as long as the connection is set to. */
const MAX_ATTEMPTS = 8;
/** For so long the clocks of both machines are taken to go alike. */
const CLOCK_MS = 60_000;

export class HeadLock {
  readonly #endSilent: () => Promise<void>;
  /** How far the clock of the database is ahead of the monotonic clock of this process. */
  #ahead = Date.now() - performance.now();
  #syncedAt = Number.NEGATIVE_INFINITY;
  #lastTime = 0;
  /** Whether others have written before the last write here. */
  #expectsRemoteWrites = false;

  /** `endSilent` ends sessions that have the lock and have been silent for a while. */
  constructor(endSilent: () => Promise<void>) {
    this.#endSilent = endSilent;
  }

  now(): number {
    return Math.max(this.#clock(), this.#lastTime);
  }

  /** For a write that comes right after the last one of this server. */
  nextTime(): number {
    this.#lastTime = Math.max(this.#clock(), this.#lastTime + 1);
    return this.#lastTime;
  }

  /** Takes the time that a statement has returned. */
  syncClock({ now }: Clock): void {
    this.#syncedAt = performance.now();
    this.#ahead = now - this.#syncedAt;
  }

  /** Whether the time of the database was read a moment ago. */
  get isClockRecent(): boolean {
    return performance.now() - this.#syncedAt < CLOCK_MS;
  }

  /** A session that holds the lock and is silent is ended; a large change that is under way is waited for. */
  async take(connection: Connection, from: Position): Promise<LockedHead> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryToTake(connection, from);
      } catch (failure) {
        if (codeOf(failure) !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw toRefusal(failure);
        await this.#endSilent();
      }
    }
  }

  async #tryToTake(connection: Connection, from: Position): Promise<LockedHead> {
    // Asked for in the same round trip where others write as well; otherwise there is usually nothing.
    const isAhead = this.#expectsRemoteWrites;
    try {
      const [, head, ...ahead] = await connection.runAll([BEGIN, LOCK, ...(isAhead ? remoteWritesSince(from) : [])]);
      const locked = head!.rows[0] as HeadAndClock;
      this.#expectsRemoteWrites = locked.commit !== from.commit;
      this.syncClock(locked);
      this.#lastTime = Math.max(locked.now, locked.time + 1);
      const hasNone = !isAhead && isSame(locked, from);
      const fetched = hasNone
        ? { position: locked, writes: NO_REMOTE_WRITES }
        : readRemoteWrites(from, locked, isAhead ? ahead : await connection.runAll(remoteWritesSince(from)));
      return { fetched, commit: locked.commit, time: this.#lastTime, processId: locked.process_id };
    } catch (failure) {
      connection.runOnce('rollback').catch(() => {}); // in every case nothing was written
      throw failure;
    }
  }

  #clock(): number {
    return Math.floor(performance.now() + this.#ahead);
  }
}

/** Locks the row as well, where no other server has written since. It is sent together with the statements of the write. */
export function lockUnmoved(known: Position): Statement {
  return { sql: LOCK_UNMOVED, parameters: [known.commit, known.event_hash] };
}

/** Whether `lockUnmoved` has failed because another server has written, or is about to. */
export function isMoved(failure: unknown): boolean {
  return codeOf(failure) === DIVISION_BY_ZERO || codeOf(failure) === LOCK_NOT_AVAILABLE;
}
