// Values that are valid once: the state of a login, the token of a logout. All servers of a database know the used ones.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { Database } from '../../store/database.ts';
import type { SerialTableWrites } from '../../store/serial-table-writes.ts';

export class UsedOnce {
  readonly #database: Database;
  readonly #serialWrites: SerialTableWrites;

  constructor(database: Database, serialWrites: SerialTableWrites) {
    this.#database = database;
    this.#serialWrites = serialWrites;
  }

  /** Whether this is its first use. `until`, in milliseconds: afterwards it does not count for other reasons. */
  take(value: string, until: number): Promise<boolean> {
    const key = sha256(value);
    return this.#serialWrites.run(async () => {
      const { query } = this.#database;
      if (await query.selectFrom('used_once').select('key').where('key', '=', key).executeTakeFirst()) return false;
      await this.#database.writeTransaction([query.insertInto('used_once').values({ key, until }).compile()]);
      return true;
    });
  }

  async removeExpired(): Promise<void> {
    const { query } = this.#database;
    await this.#database.writeRelaxed([query.deleteFrom('used_once').where('until', '<', this.#database.now()).compile()]);
  }
}
