// Looks at materials that were asked for and have not ended: they are made up for after a restart.
import type { Database } from '../database.ts';

export class MaterialWishes {
  readonly #database: Database;
  readonly #wished: Set<string>;

  private constructor(database: Database, wished: Iterable<string>) {
    this.#database = database;
    this.#wished = new Set(wished);
  }

  static async load(database: Database): Promise<MaterialWishes> {
    const rows = await database.query.selectFrom('material_wishes').select('fingerprint').execute();
    return new MaterialWishes(
      database,
      rows.map(({ fingerprint }) => fingerprint),
    );
  }

  has(fingerprint: string): boolean {
    return this.#wished.has(fingerprint);
  }

  /** Returns when it is on disk. */
  async add(fingerprint: string): Promise<void> {
    this.#wished.add(fingerprint);
    const { query } = this.#database;
    const statement = query
      .insertInto('material_wishes')
      .values({ fingerprint })
      .onConflict((conflict) => conflict.doNothing());
    await this.#database.writeAtOnce([statement.compile()]);
  }

  async remove(fingerprint: string): Promise<void> {
    if (!this.#wished.delete(fingerprint)) return;
    await this.#database.noteAtOnce([this.#database.query.deleteFrom('material_wishes').where('fingerprint', '=', fingerprint).compile()]);
  }
}
