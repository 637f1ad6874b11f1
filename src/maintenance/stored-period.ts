// The period of maintenance that a server which starts anew goes on with.
import type { Database } from '../store/database.ts';
import type { Period } from './period.ts';

export class StoredPeriod {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether other servers have to know of every period. */
  get isShared(): boolean {
    return this.#database.shared !== undefined;
  }

  /** Runs work that decides by the period that is on. */
  serialized<T>(work: () => Promise<T>): Promise<T> {
    return this.#database.serialized(work);
  }

  async read(): Promise<Period | undefined> {
    const row = await this.#database.query.selectFrom('maintenance').selectAll().executeTakeFirst();
    return row && { by: row.by, since: row.since, reason: row.reason, until: row.until, survivesRestart: true };
  }

  async write({ by, since, reason, until }: Period): Promise<void> {
    const { query } = this.#database;
    await this.#database.writeTransaction([
      query.deleteFrom('maintenance').compile(),
      query.insertInto('maintenance').values({ by, since, reason, until }).compile(),
    ]);
  }

  async clear(): Promise<void> {
    await this.#database.writeTransaction([this.#database.query.deleteFrom('maintenance').compile()]);
  }
}
