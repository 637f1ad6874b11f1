// Paused pipelines: kept in memory, written through to their table.
import type { Database } from '../store/database.ts';
import type { PauseRow } from '../store/tables.ts';

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

  async pause(pipeline: string, by: string, cause: string): Promise<void> {
    const pause = { key: pipeline.toLowerCase(), by, cause, at: new Date().toISOString() };
    const { key: _, ...changed } = pause;
    const statement = this.#database.query
      .insertInto('pipeline_pauses')
      .values(pause)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed));
    await this.#database.writeAtOnce([statement.compile()]);
    this.#byKey.set(pause.key, pause);
  }

  async unpause(pipeline: string): Promise<void> {
    const key = pipeline.toLowerCase();
    await this.#database.query.deleteFrom('pipeline_pauses').where('key', '=', key).execute();
    this.#byKey.delete(key);
  }
}
