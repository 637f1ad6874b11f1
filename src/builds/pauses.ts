// Paused pipelines: kept in memory, written through to their table.
import type { CompiledQuery } from 'kysely';
import type { Database } from '../store/database.ts';
import type { PauseRow } from '../store/rows/pipelines.ts';

export type Pause = Readonly<PauseRow>;

export class Pauses {
  readonly #database: Database;
  readonly #byKey = new Map<string, Pause>();

  private constructor(database: Database) {
    this.#database = database;
  }

  static async load(database: Database): Promise<Pauses> {
    const pauses = new Pauses(database);
    for (const row of await database.query.selectFrom('pipeline_pauses').selectAll().execute()) pauses.#byKey.set(row.key, row);
    return pauses;
  }

  find(pipeline: string): Pause | undefined {
    return this.#byKey.get(pipeline.toLowerCase());
  }

  /** For the commit that makes the pipeline: it must never exist unpaused. */
  statementFor(pause: Pause): CompiledQuery {
    const { key: _, ...changed } = pause;
    return this.#database.query
      .insertInto('pipeline_pauses')
      .values(pause)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
      .compile();
  }

  remember(pause: Pause): void {
    this.#byKey.set(pause.key, pause);
  }

  all(): readonly Pause[] {
    return [...this.#byKey.values()];
  }

  /** For the removal of a pipeline: one that is made anew under its name starts unpaused, or with a pause of its own. */
  async forget(pipeline: string): Promise<void> {
    const pause = this.find(pipeline);
    if (!pause) return;
    const { key, at, by, cause } = pause;
    this.#byKey.delete(key);
    await this.#database.query
      .deleteFrom('pipeline_pauses')
      .where((row) => row.and({ key, at, by, cause }))
      .execute();
  }
}
