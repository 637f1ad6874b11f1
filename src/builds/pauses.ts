// Paused pipelines: kept in memory, written through to their table.
import type { CompiledQuery } from 'kysely';
import { CachedTables } from '../store/cached-tables.ts';
import type { Database } from '../store/database.ts';
import type { PauseRow } from '../store/rows/pipelines.ts';
import type { NewEvent, WriteWithEvents } from '../store/write-with-events.ts';

export type Pause = Readonly<PauseRow>;

/** Returns when it is on disk. */
type Commit = (write: WriteWithEvents) => Promise<void>;

export class Pauses {
  readonly #database: Database;
  readonly #byKey = new Map<string, Pause>();

  private constructor(database: Database) {
    this.#database = database;
  }

  /** `tables`: reloads the pauses after writes of other servers. */
  static async load(database: Database, tables = new CachedTables()): Promise<Pauses> {
    const pauses = new Pauses(database);
    tables.add('pipeline_pauses', () => pauses.reload());
    await pauses.reload();
    return pauses;
  }

  /** Reads the table, which may have been written by another server. */
  async reload(): Promise<void> {
    const rows = await this.#database.query.selectFrom('pipeline_pauses').selectAll().execute();
    this.#byKey.clear();
    for (const row of rows) this.#byKey.set(row.key, row);
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

  /** `commit` writes it together with its event. */
  async pause(pipeline: string, pause: Pick<Pause, 'by' | 'cause' | 'at'>, commit: Commit): Promise<void> {
    const { by, cause, at } = pause;
    const row = { key: pipeline.toLowerCase(), by, cause, at };
    await commit({ statements: [this.statementFor(row)], events: [eventOf('pipeline.paused', pipeline, by, { cause })] });
    this.remember(row);
  }

  async unpause(pipeline: string, by: string, commit: Commit): Promise<void> {
    const key = pipeline.toLowerCase();
    const removal = this.#database.query.deleteFrom('pipeline_pauses').where('key', '=', key).compile();
    await commit({ statements: [removal], events: [eventOf('pipeline.unpaused', pipeline, by, {})] });
    this.#byKey.delete(key);
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
    const removal = this.#database.query.deleteFrom('pipeline_pauses').where((row) => row.and({ key, at, by, cause }));
    await this.#database.writeTransaction([removal.compile()]);
  }
}

function eventOf(type: string, pipeline: string, actor: string, data: NewEvent['data']): NewEvent {
  return { type, actor, about: [{ resource: 'pipelines', id: pipeline }], data };
}
