// Reads from beside the server: a connection of its own, opened when it is needed and again after it was lost.
import { Connection, type PostgresAddress } from '../connection.ts';

/** Runs a statement and returns its rows. */
export type Ask = <Row>(sql: string, parameters: readonly unknown[]) => Promise<readonly Row[]>;

export const ROWS_AT_ONCE = 500;
/** A page takes milliseconds. Without a limit, a read over a network that drops everything would wait forever. */
const ANSWER_MS = 15_000;
/** Of a process that stands still: the database cannot tidy up behind an open moment. */
const MAX_IDLE_MS = 60_000;

export class Reader {
  readonly #address: PostgresAddress;
  readonly #name: string;
  readonly #answerMs: number;
  #connection: Connection | undefined;

  /** The name is shown in `pg_stat_activity`. */
  constructor(address: PostgresAddress, name: string, answerMs = ANSWER_MS) {
    this.#address = address;
    this.#name = name;
    this.#answerMs = answerMs;
  }

  readonly ask: Ask = (sql, parameters) => this.#using((connection) => this.#askOn(connection)(sql, parameters));

  /** All that is asked for inside is of one moment. */
  atOneMoment<T>(read: (ask: Ask) => Promise<T>): Promise<T> {
    return this.#using(async (connection) => {
      const ask = this.#askOn(connection);
      await ask('begin isolation level repeatable read read only', []);
      const result = await read(ask);
      await ask('commit', []);
      return result;
    });
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  /** After a failure the state of the connection is not known, so the next read opens another one. */
  async #using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#connected();
    try {
      return await work(connection);
    } catch (failure) {
      if (this.#connection === connection) this.#connection = undefined;
      connection.destroy(new Error('It is not used any more.', { cause: failure }));
      throw failure;
    }
  }

  async #connected(): Promise<Connection> {
    if (!this.#connection || this.#connection.failure) {
      this.#connection = await Connection.open(this.#address, { name: this.#name, idleInTransactionMs: MAX_IDLE_MS, usesKeys: true });
    }
    return this.#connection;
  }

  #askOn(connection: Connection): Ask {
    return async <Row>(sql: string, parameters: readonly unknown[]) => {
      const silence = new Error(`The database did not answer for ${this.#answerMs} ms.`);
      const limit = setTimeout(() => connection.destroy(silence), this.#answerMs);
      try {
        const { rows } = await connection.run({ sql, parameters });
        return rows as readonly Row[];
      } finally {
        clearTimeout(limit);
      }
    };
  }
}

interface Pages<Row> {
  /** Its first parameters are the key after which it reads on. Its rows are in the order of their keys. */
  readonly sql: string;
  readonly from: readonly unknown[];
  readonly keyOf: (row: Row) => readonly unknown[];
  /** The parameters after those of the key. */
  readonly more?: readonly unknown[];
}

/** However many rows there are: each page begins after the last key of the one before. */
export async function* inPages<Row>(ask: Ask, { sql, from, keyOf, more = [] }: Pages<Row>): AsyncGenerator<readonly Row[]> {
  for (let key = from; ; ) {
    const rows = await ask<Row>(`${sql} limit ${ROWS_AT_ONCE}`, [...key, ...more]);
    yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    key = keyOf(rows.at(-1)!);
  }
}
