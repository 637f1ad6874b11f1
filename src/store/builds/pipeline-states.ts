// The state of a pipeline besides its runs: the last counter, the run that holds its lock, requested runs, and timers that have fired.
import type { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { PipelineLockRow, TriggerRequestRow } from '../rows/builds.ts';

export class PipelineStates {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async lastCounter(key: string): Promise<number> {
    const row = await this.#database.query.selectFrom('pipeline_counters').select('last').where('key', '=', key).executeTakeFirst();
    return row?.last ?? 0;
  }

  setCounter(key: string, last: number): CompiledQuery {
    return this.#database.query
      .insertInto('pipeline_counters')
      .values({ key, last })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ last }))
      .compile();
  }

  locks(): Promise<Readonly<PipelineLockRow>[]> {
    return this.#database.query.selectFrom('pipeline_locks').selectAll().execute();
  }

  /** The run that holds the lock of one. */
  async lockOf(key: string): Promise<number | undefined> {
    const row = await this.#database.query.selectFrom('pipeline_locks').select('run_id').where('key', '=', key).executeTakeFirst();
    return row?.run_id;
  }

  lock(key: string, runId: number): CompiledQuery {
    return this.#database.query
      .insertInto('pipeline_locks')
      .values({ key, run_id: runId })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ run_id: runId }))
      .compile();
  }

  unlock(key: string): CompiledQuery {
    return this.#database.query.deleteFrom('pipeline_locks').where('key', '=', key).compile();
  }

  requests(): Promise<Readonly<TriggerRequestRow>[]> {
    return this.#database.query.selectFrom('trigger_requests').selectAll().orderBy('requested_at').execute();
  }

  async isRequested(key: string): Promise<boolean> {
    const row = await this.#database.query.selectFrom('trigger_requests').select('key').where('key', '=', key).executeTakeFirst();
    return row !== undefined;
  }

  /** The newest takes the place of the one that waits. */
  request(row: Readonly<TriggerRequestRow>): CompiledQuery {
    const { key: _, ...changed } = row;
    return this.#database.query
      .insertInto('trigger_requests')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
      .compile();
  }

  removeRequest(key: string): CompiledQuery {
    return this.#database.query.deleteFrom('trigger_requests').where('key', '=', key).compile();
  }

  /** Whether this server fires the timer: the first server to write the moment does. */
  async fire(key: string, instant: number): Promise<boolean> {
    const row = await this.#database.query
      .insertInto('timer_firings')
      .values({ key, instant })
      .onConflict((conflict) => conflict.columns(['key', 'instant']).doNothing())
      .returning('instant')
      .executeTakeFirst();
    return row !== undefined;
  }

  async forgetFirings(before: number): Promise<void> {
    await this.#database.query.deleteFrom('timer_firings').where('instant', '<', before).execute();
  }
}
