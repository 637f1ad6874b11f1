// Looks at materials that were asked for and have not ended: they are made up for after a restart.
import type { Database } from '../database.ts';

export class RequestedPolls {
  readonly #database: Database;
  readonly #requested: Set<string>;

  private constructor(database: Database, requested: Iterable<string>) {
    this.#database = database;
    this.#requested = new Set(requested);
  }

  static async load(database: Database): Promise<RequestedPolls> {
    const rows = await database.query.selectFrom('material_wishes').select('fingerprint').execute();
    return new RequestedPolls(
      database,
      rows.map(({ fingerprint }) => fingerprint),
    );
  }

  has(fingerprint: string): boolean {
    return this.#requested.has(fingerprint);
  }

  /** Returns when it is on disk. */
  async add(fingerprint: string): Promise<void> {
    this.#requested.add(fingerprint);
    const { query } = this.#database;
    const statement = query
      .insertInto('material_wishes')
      .values({ fingerprint })
      .onConflict((conflict) => conflict.doNothing());
    await this.#database.writeTransaction([statement.compile()]);
  }

  async remove(fingerprint: string): Promise<void> {
    if (!this.#requested.delete(fingerprint)) return;
    await this.#database.writeRelaxed([
      this.#database.query.deleteFrom('material_wishes').where('fingerprint', '=', fingerprint).compile(),
    ]);
  }
}
