// Connections to PostgreSQL. Only here, and in the batches of statements that are sent on them, the driver is known.
import pg from 'pg';
import { CONNECTION_LOST } from '../unavailable.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { type Result, type Statement, StatementBatch } from './statement-batch.ts';

export interface PostgresAddress {
  /** postgres://user@host:port/database?sslmode=… */
  readonly url: string;
  /** Wins over one in the address. */
  readonly password: string | undefined;
}

export interface ConnectOptions {
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Statements are sent without waiting for the answers to those before them. */
  readonly pipeline?: boolean;
  /** The server ends a session that does nothing in a transaction for so long. */
  readonly idleInTransactionMs?: number;
  readonly lockTimeoutMs?: number;
  /** All its statements find rows by their keys. */
  readonly usesKeys?: boolean;
  /** The server has refused a statement. */
  readonly onRefused?: (failure: pg.DatabaseError) => void;
}

/**
 * A plan is made once, often while the tables are still empty: without this it reads whole tables, however large they become, until the
 * server next gathers statistics.
 */
const PLAN_BY_KEYS = 'set enable_seqscan = off; set plan_cache_mode = force_generic_plan; set jit = off';

const CONNECT_MS = 2000;
const KEEP_ALIVE_MS = 1000;

/** The message of the driver when there is no TLS at the other end. */
export const NO_TLS = 'The server does not support SSL connections';

const INT8 = 20;
const NUMERIC = 1700;

/** Whole numbers as numbers: none of ours is larger than those can be. */
const parserOf = (oid: number) => (oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, 'text'));
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : parserOf(oid)),
};

/** The code of a write that is refused because of it. */
export const READ_ONLY = '25006';

/** No answer came, or none can come. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`${CONNECTION_LOST}${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export class Connection {
  readonly #client: pg.Client;
  /** As the server knows it. */
  readonly name: string;
  readonly #prepared = new PreparedStatements();
  #failure: ConnectionLost | undefined;
  readonly #onRefused: (failure: pg.DatabaseError) => void;
  #onEnd: (failure: Error) => void = () => {};

  private constructor(client: pg.Client, { name, onRefused = () => {} }: ConnectOptions) {
    this.#client = client;
    this.name = name;
    this.#onRefused = onRefused;
    client.on('error', (failure) => this.#end(failure));
    client.on('end', () => this.#end(new Error('The connection to the database has ended.')));
  }

  static async open(address: PostgresAddress, options: ConnectOptions): Promise<Connection> {
    try {
      return await Connection.#connect(address, options);
    } catch (failure) {
      const plain = isWithoutTls(failure) ? withoutTls(address) : undefined;
      if (!plain) throw failure;
      return Connection.#connect(plain, options);
    }
  }

  static async #connect(address: PostgresAddress, options: ConnectOptions): Promise<Connection> {
    const client = new pg.Client({ ...clientConfig(address, options), pipeline: options.pipeline } as pg.ClientConfig);
    const connection = new Connection(client, options);
    try {
      await client.connect();
      if (options.usesKeys) await client.query(PLAN_BY_KEYS);
    } catch (failure) {
      // The driver leaves it open where it has no password to send, and the process could not end.
      connection.destroy(failure as Error);
      throw asLost(failure);
    }
    return connection;
  }

  /** Undefined: it works, as far as is known. */
  get failure(): ConnectionLost | undefined {
    return this.#failure;
  }

  /** Called once, when it cannot be used any more. */
  onEnd(listener: (failure: Error) => void): void {
    this.#onEnd = listener;
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }) => listener(payload ?? ''));
  }

  run(statement: Statement): Promise<Result> {
    return this.#send([statement], (results) => results[0]!);
  }

  /** In one round trip. If one of them fails, it is as if none of them had been sent, but for a transaction that they have begun. */
  runAll(statements: readonly Statement[]): Promise<readonly Result[]> {
    return this.#send(statements, (results) => results);
  }

  /** Without a name, for statements that are not run again. */
  async runOnce(sql: string): Promise<Result> {
    if (this.#failure) throw this.#failure;
    try {
      const { rows, rowCount, command } = await this.#client.query(sql);
      return { rows, rowCount: rowCount ?? 0, command };
    } catch (failure) {
      throw this.#classifyFailure(failure);
    }
  }

  /** Says goodbye to the server. */
  async close(): Promise<void> {
    this.#onEnd = () => {};
    await this.#client.end().catch(() => {}); // it has ended either way
  }

  /** Without a word to the server: all statements that wait for an answer fail. */
  destroy(failure: Error): void {
    const { stream } = (this.#client as unknown as { readonly connection: { readonly stream: { destroy(failure: Error): void } } })
      .connection;
    stream.destroy(failure);
    this.#end(failure);
  }

  #send<T>(statements: readonly Statement[], pick: (results: readonly Result[]) => T): Promise<T> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const outcome = {
        resolve: (results: readonly Result[]) => resolve(pick(results)),
        reject: (failure: unknown) => reject(this.#classifyFailure(failure)),
      };
      this.#client.query(new StatementBatch(statements, { prepared: this.#prepared, parserOf, ...outcome }));
    });
  }

  #classifyFailure(failure: unknown): unknown {
    if (failure instanceof pg.DatabaseError) {
      this.#onRefused(failure);
      // A session that takes no writes may stay so when new ones do, or when the address leads to another server.
      if (failure.code === READ_ONLY) this.destroy(failure);
    }
    return asLost(failure);
  }

  #end(failure: Error): void {
    if (this.#failure) return;
    this.#failure = new ConnectionLost(failure);
    this.#onEnd(failure);
  }
}

/** An error of the server about a statement is passed on; any other failure means that there is no answer. */
function asLost(failure: unknown): unknown {
  return failure instanceof pg.DatabaseError ? failure : new ConnectionLost(failure);
}

function isWithoutTls(failure: unknown): boolean {
  return failure instanceof ConnectionLost && (failure.cause as Error).message === NO_TLS;
}

function clientConfig({ url, password }: PostgresAddress, { name, idleInTransactionMs, lockTimeoutMs }: ConnectOptions): pg.ClientConfig {
  return {
    connectionString: password === undefined ? url : withPassword(url, password),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: types as pg.CustomTypesConfig,
    ...(idleInTransactionMs !== undefined && { idle_in_transaction_session_timeout: idleInTransactionMs }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
  };
}

function withPassword(url: string, password: string): string {
  const address = new URL(url);
  address.password = encodeURIComponent(password);
  return address.href;
}

/** Undefined: TLS is not only preferred, but wanted. */
function withoutTls(address: PostgresAddress): PostgresAddress | undefined {
  const url = new URL(address.url);
  if (url.searchParams.get('sslmode') !== 'prefer') return undefined;
  url.searchParams.set('sslmode', 'disable');
  return { ...address, url: url.href };
}
