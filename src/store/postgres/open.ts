// PostgreSQL, shared by several servers.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '../../kit/refusal.ts';
import type { Database, SharedDatabase } from '../database.ts';
import { timedCommits } from '../timed-commits.ts';
import { mustBeUsable, UnusableDatabase } from './checks.ts';
import { Connection, type ConnectOptions, type PostgresAddress } from './connection.ts';
import { explainConnectFailure, isOfDatabase } from './connection-errors.ts';
import { Contact } from './contact.ts';
import { queryOn, queryOnConnection } from './dialect.ts';
import { DiskRoom } from './disk-room.ts';
import { fencedBy, together } from './fence.ts';
import { POSTGRES_TABLES } from './newest-schema.ts';
import { HeadWatch } from './order/head-watch.ts';
import { KnownCommits } from './order/known-commits.ts';
import { OrderedWrites } from './order/ordered-writes.ts';
import { HEAD, type Position } from './order/position.ts';
import { endSilentWriters } from './order/silent-writers.ts';
import { askForOutcome } from './order/transaction-outcome.ts';
import { Pool } from './pool.ts';

export interface PostgresOptions {
  onLost?(failure: unknown): void;
  onBack?(): void;
  /** It takes no writes any more, or takes them again. */
  onReadOnly?(isReadOnly: boolean): void;
  /** Its disk has no room any more, or has some again. */
  onFull?(isFull: boolean): void;
  onFailure?(failure: unknown, message: string): void;
}

interface Parts {
  readonly pool: Pool;
  readonly known: KnownCommits;
  readonly watch: HeadWatch;
  readonly contact: Contact;
  readonly ordered: OrderedWrites;
  readonly fenced: SharedDatabase['fencedBy'];
  readonly room: DiskRoom;
  readonly use: Pool['use'];
}

const NAME = 'slipway';
const POOL_SIZE = 8;
/** A server that hangs while it decides lets the others go on after this time. */
const IDLE_IN_TRANSACTION_MS = 3500;
const LOCK_TIMEOUT_MS = 4000;
/** Of advisory locks; any numbers that no other program uses. */
const SCHEMA_LOCK = 815_327_154;
/** Held by the server that does what is done once for all at a start. */
export const START_LOCK = 815_327_155;

export async function openPostgres(address: PostgresAddress, options: PostgresOptions = {}): Promise<Database> {
  const id = randomUUID().slice(0, 8);
  const room = new DiskRoom((isFull) => options.onFull?.(isFull));
  const onRefused: ConnectOptions['onRefused'] = (failure) => room.noteFailure(failure);
  const connect = (use: string, more: Omit<ConnectOptions, 'name' | 'pipeline' | 'onRefused'> = {}) =>
    Connection.open(address, { name: `${NAME} ${use} ${id}`, pipeline: true, onRefused, usesKeys: true, ...more });
  const pool = new Pool(() => connect('reads', { usesKeys: false }), POOL_SIZE);
  await mustAnswer(pool, address);

  const known = new KnownCommits();
  const contact: Contact = new Contact(
    (failure) => {
      const cause = new Error('The database does not answer.', { cause: failure });
      pool.destroyAll(cause);
      ordered.abandon(cause);
      watch.abandon(cause);
      options.onLost?.(failure);
    },
    () => options.onBack?.(),
    (isReadOnly) => options.onReadOnly?.(isReadOnly),
  );
  const ordered = new OrderedWrites({
    connect: () => connect('writes', { idleInTransactionMs: IDLE_IN_TRANSACTION_MS, lockTimeoutMs: LOCK_TIMEOUT_MS }),
    contact,
    known,
    outcomeOf: (lost) => askForOutcome(lost, () => connect('asks')),
    endSilent: () => endSilentWriters(() => connect('asks')),
  });
  const watch = new HeadWatch({ connect: () => connect('follows'), contact, known, onFailure: options.onFailure ?? (() => {}) });

  /** Fails at once while the database does not answer. */
  const use: Pool['use'] = async (work) => {
    contact.mustBeThere();
    return pool.use(work);
  };
  const database: Database = {
    query: queryOn((statement) => use((connection) => connection.run(statement))),
    ...timedCommits((statements) => ordered.write(statements)),
    writeRelaxed: async (statements) =>
      void (await use((connection) => together(connection, statements, ['set local synchronous_commit = off']))),
    serialized: (work) => ordered.run(work),
    serializedWithRetry: (work) => ordered.runWithRetry(work),
    now: () => ordered.now(),
    clock: sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    makeNewestTables: async (query) => {
      for (const statement of POSTGRES_TABLES) await sql.raw(statement).execute(query);
    },
    copyBeforeMigration: async () => undefined,
    changeSchema: (work) =>
      explaining(address, async () => {
        // Servers that start together take turns: the second finds the tables of the first.
        await pool.use((connection) => underLock(connection, SCHEMA_LOCK, () => work(queryOnConnection(connection))));
        await watch.open();
      }),
    shared: sharedParts({ pool, known, watch, contact, ordered, room, use, fenced: (lease) => fencedBy(database, { use }, lease) }),
    holdLog: () => ({ release: () => {} }),
    close: async () => {
      await watch.stop();
      await ordered.close();
      await pool.close();
    },
  };
  return database;
}

/** Every failure is one sentence with the remedy. */
async function mustAnswer(pool: Pool, address: PostgresAddress): Promise<void> {
  try {
    await pool.use((connection) => mustBeUsable(connection, address));
  } catch (failure) {
    await pool.close();
    throw failure instanceof UnusableDatabase ? failure : unusableDatabaseOf(failure, address);
  }
}

/** What the database refuses is reported in a sentence with the remedy. */
async function explaining(address: PostgresAddress, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (failure) {
    // A refusal is worded for clients of a server that runs.
    const cause = failure instanceof Refusal ? failure.cause : failure;
    throw isOfDatabase(cause) ? unusableDatabaseOf(cause, address) : failure;
  }
}

function unusableDatabaseOf(failure: unknown, address: PostgresAddress): UnusableDatabase {
  return new UnusableDatabase(explainConnectFailure(failure, address), { cause: failure });
}

function sharedParts({ pool, known, watch, contact, ordered, room, use, fenced }: Parts): SharedDatabase {
  return {
    loadFirst: (load) =>
      pool.use(async (connection) => {
        await connection.runOnce('begin isolation level repeatable read read only');
        try {
          const { rows } = await connection.run(HEAD);
          known.beginAt(rows[0] as Position);
          return await load(queryOnConnection(connection));
        } finally {
          await connection.runOnce('commit');
        }
      }),
    onRemoteWrites: (follower) => {
      known.follower = follower;
    },
    alone: (work) => pool.use((connection) => underLock(connection, START_LOCK, work)),
    fencedBy: fenced,
    follow: () => watch.follow(),
    refresh: () => watch.refresh(),
    get commit() {
      return known.position.commit;
    },
    get unavailableSince() {
      return contact.unavailableSince;
    },
    get readOnlySince() {
      return contact.readOnlySince;
    },
    get isFull() {
      return room.isFull;
    },
    lookForRoom: () => room.look(use),
    statistics: () => ({ lag: watch.lag, orderWaits: ordered.waits.count, orderWaitSeconds: ordered.waits.seconds }),
  };
}

async function underLock<T>(connection: Connection, lock: number, work: () => Promise<T>): Promise<T> {
  await connection.runOnce(`select pg_advisory_lock(${lock})`);
  try {
    return await work();
  } finally {
    await connection.runOnce(`select pg_advisory_unlock(${lock})`);
  }
}
