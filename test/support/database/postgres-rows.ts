// Looks into the tables of a PostgreSQL database from beside the servers that use it.
import { Connection } from '../../../src/store/postgres/connection.ts';

export class Rows {
  readonly #url: string;
  #connection: Promise<Connection> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async ask<T>(sql: string, parameters: readonly unknown[] = []): Promise<readonly T[]> {
    const connection = await this.#connected();
    return (await connection.run({ sql, parameters })).rows as readonly T[];
  }

  async close(): Promise<void> {
    await (await this.#connection)?.close();
  }

  /** Anew where the server of the database was restarted. */
  async #connected(): Promise<Connection> {
    if ((await this.#connection)?.failure) this.#connection = undefined;
    this.#connection ??= Connection.open({ url: this.#url, password: undefined }, { name: 'test' });
    return this.#connection;
  }
}
