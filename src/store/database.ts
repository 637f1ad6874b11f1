// The interface of the database for the rest of the server. `sqlite/open.ts` and `postgres/open.ts` provide it.
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { HistogramSnapshot } from '../kit/telemetry/histogram.ts';
import type { Lease } from './lease.ts';
import type { RemoteWrites } from './remote-writes.ts';
import type { Tables } from './tables.ts';
import type { WriteOrder } from './write-order.ts';

export interface Database extends WriteOrder {
  /** For reading, and for writing single statements. It has no transactions: `writeTransaction` writes several statements together. */
  readonly query: Kysely<Tables>;
  /**
   * Runs all statements or none, and returns when they are on disk. All servers on one database agree on the order of these writes, and
   * each hears of those of the others.
   */
  writeTransaction(statements: readonly CompiledQuery[]): Promise<void>;
  /**
   * Runs statements without an order and without the wait for the disk: it outlasts the process however that ends, but the last ones may be
   * missing after a power cut. For notes of work that can be done again, and of data that no server keeps in memory.
   */
  writeRelaxed(statements: readonly CompiledQuery[]): Promise<void>;
  /** How long each `writeTransaction` took, until it was on disk. */
  commitTimes(): HistogramSnapshot;
  /** An expression for statements: milliseconds, by the clock of the database. */
  readonly clock: RawBuilder<number>;
  /** Runs work that may do anything, in transactions of its own. Only for the start, before any other work uses the database. */
  changeSchema(work: (query: Kysely<Tables>) => Promise<void>): Promise<void>;
  /** Copies the database as it is, before its tables are changed. Returns where the copy is; undefined: this engine is copied by others. */
  copyBeforeMigration(schema: number): Promise<string | undefined>;
  /** Makes all tables as the newest migration leaves them. `query`: the transaction of a change of the schema. */
  makeNewestTables(query: Kysely<Tables>): Promise<void>;
  /** Undefined: this server has it for itself. */
  readonly shared: SharedDatabase | undefined;
  /**
   * Until it is released, commits stay in the log: the backup that copies the files moves them into the files afterwards, because
   * a commit of the server would have to wait until all of them are moved.
   */
  holdLog(): { release(): void };
  close(): Promise<void>;
}

/** Further methods for a database that several servers use. */
export interface SharedDatabase {
  /** Loads the data for memory from one moment of the database; from there on `follow` gets the writes of other servers. */
  loadFirst<T>(load: (query: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Calls back with the writes of other servers, in their order, while nothing is decided here. */
  onRemoteWrites(follower: Follower): void;
  /** Runs work that no other server runs at the same time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** This database for the holder of a lease: without the lease nothing is written. */
  fencedBy(lease: () => Lease | undefined): Database;
  /** From now on the writes of other servers come by themselves. */
  follow(): void;
  /** Returns when memory holds all that any server acknowledged before the call. Refuses when the database is unavailable for too long. */
  refresh(): Promise<Freshness>;
  /** The number of the last write that is in memory here. */
  readonly commit: number;
  /** Since when the database cannot be reached; undefined: it can. */
  readonly unavailableSince: number | undefined;
  /** Since when it answers, but takes no writes; undefined: it takes them. */
  readonly readOnlySince: number | undefined;
  /** Whether its disk has no room, as a write that failed has shown. */
  readonly isFull: boolean;
  /** If it is full, looks whether there is room again. */
  lookForRoom(): Promise<void>;
  statistics(): SharedStatistics;
}

export interface SharedStatistics {
  /** The number of writes that are known to be made, and are not in memory here yet. */
  readonly lag: number;
  /** How often work of this server has waited for the order of writes, and for how long in all. */
  readonly orderWaits: number;
  readonly orderWaitSeconds: number;
}

/** `current`, or for how many milliseconds the database has not answered. */
export type Freshness = 'current' | number;

export interface Follower {
  follow(writes: RemoteWrites): Promise<void>;
  /** The database has gone back in time, or too far ahead: all of memory has to be loaded anew. */
  reload(): Promise<void>;
}
