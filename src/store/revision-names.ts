// The names that people have given to revisions.
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { RevisionNameRow } from './tables.ts';

export class RevisionNames {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async has(revision: number): Promise<boolean> {
    const { query } = this.#database;
    return (await query.selectFrom('revision_names').select('revision').where('revision', '=', revision).executeTakeFirst()) !== undefined;
  }

  /** Those that have a name, oldest first. */
  async all(): Promise<number[]> {
    const rows = await this.#database.query.selectFrom('revision_names').select('revision').orderBy('revision').execute();
    return rows.map(({ revision }) => revision);
  }

  put(row: Readonly<RevisionNameRow>): Promise<void> {
    const { query } = this.#database;
    const statement = query
      .insertInto('revision_names')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('revision')
          .doUpdateSet({ name: sql`excluded.name`, named_by: sql`excluded.named_by`, named_at: sql`excluded.named_at` }),
      );
    return this.#database.writeAtOnce([statement.compile()]);
  }

  /** What it kept from being compacted is looked at again. */
  remove(revision: number): Promise<void> {
    const { query } = this.#database;
    return this.#database.writeAtOnce([
      query.deleteFrom('revision_names').where('revision', '=', revision).compile(),
      query.updateTable('compaction').set({ done_to: 0 }).where('kept_from', '>', revision).compile(),
    ]);
  }
}
