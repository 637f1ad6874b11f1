// The plans that are kept for a while.
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import type { Database } from '../database.ts';
import type { PlanRow } from '../rows/configuration.ts';

/** Older ones make room. */
const MAX_KEPT = 50;

export class PlanTable {
  readonly #database: Database;
  readonly #mutex = new KeyedMutex();

  constructor(database: Database) {
    this.#database = database;
  }

  /** For requests that apply a plan: of concurrent ones, the second sees the result of the first. */
  serialized<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(id, work);
  }

  /** Deletes expired plans, and the oldest ones above the limit. */
  put(row: Readonly<PlanRow>): Promise<void> {
    const { query } = this.#database;
    const newest = query.selectFrom('plans').select('id').orderBy('made_at', 'desc').orderBy('id').limit(MAX_KEPT);
    return this.#database.writeTransaction([
      query.insertInto('plans').values(row).compile(),
      query.deleteFrom('plans').where('expires_at', '<=', row.made_at).compile(),
      query.deleteFrom('plans').where('id', 'not in', newest).compile(),
    ]);
  }

  find(id: string, now: string): Promise<PlanRow | undefined> {
    return this.#database.query.selectFrom('plans').selectAll().where('id', '=', id).where('expires_at', '>', now).executeTakeFirst();
  }

  remove(id: string): Promise<void> {
    return this.#database.writeTransaction([this.#database.query.deleteFrom('plans').where('id', '=', id).compile()]);
  }
}
