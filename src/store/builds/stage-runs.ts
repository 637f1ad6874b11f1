// Runs of stages.
import type { CompiledQuery } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import type { JobResult, StageRunRow } from '../rows/builds.ts';
import { type Cursor, type CursorPage, cursorPage } from './cursor-page.ts';

export type StageRun = Readonly<StageRunRow>;

/** The end of a stage run, when none of its jobs is active any more. */
export interface StageEnd {
  readonly result: JobResult;
  readonly completedAt: number;
  readonly cancelledBy: string | null;
}

const MAX_AT_ONCE = 200;

export class StageRuns {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Earlier runs of the stage in the same run are not the latest any more. */
  add(stageRun: StageRun): CompiledQuery[] {
    const { query } = this.#database;
    const older = query
      .updateTable('stage_runs')
      .set({ is_latest: 0 })
      .where('run_id', '=', stageRun.run_id)
      .where('stage_key', '=', stageRun.stage_key)
      .compile();
    const insert = query.insertInto('stage_runs').values(stageRun).compile();
    return stageRun.counter > 1 ? [older, insert] : [insert];
  }

  end(id: number, { result, completedAt, cancelledBy }: StageEnd): CompiledQuery {
    const change = { result, completed_at: completedAt, cancelled_by: cancelledBy };
    return this.#database.query.updateTable('stage_runs').set(change).where('id', '=', id).compile();
  }

  /** While other jobs of it go on. */
  setCancelledBy(id: number, by: string | null): CompiledQuery {
    return this.#database.query.updateTable('stage_runs').set({ cancelled_by: by }).where('id', '=', id).compile();
  }

  active(): Promise<StageRun[]> {
    return this.#database.query.selectFrom('stage_runs').selectAll().where('completed_at', 'is', null).orderBy('id').execute();
  }

  activeOf(pipelineKey: string): Promise<StageRun[]> {
    const { query } = this.#database;
    const active = query.selectFrom('stage_runs').selectAll().where('completed_at', 'is', null);
    return active.where('pipeline_key', '=', pipelineKey).orderBy('id').execute();
  }

  byId(id: number): Promise<StageRun | undefined> {
    return this.#database.query.selectFrom('stage_runs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** In the order of their ids. */
  async byIds(ids: readonly number[]): Promise<StageRun[]> {
    const found: StageRun[] = [];
    for (const some of chunksOf(ids, MAX_AT_ONCE)) {
      found.push(...(await this.#database.query.selectFrom('stage_runs').selectAll().where('id', 'in', some).orderBy('id').execute()));
    }
    return found;
  }

  /** All of the runs, in the order of their ids. */
  async ofRuns(runIds: readonly number[]): Promise<StageRun[]> {
    const found: StageRun[] = [];
    for (const some of chunksOf(runIds, MAX_AT_ONCE)) {
      found.push(...(await this.#database.query.selectFrom('stage_runs').selectAll().where('run_id', 'in', some).orderBy('id').execute()));
    }
    return found;
  }

  find(runId: number, stageKey: string, counter: number): Promise<StageRun | undefined> {
    const { query } = this.#database;
    return query
      .selectFrom('stage_runs')
      .selectAll()
      .where('run_id', '=', runId)
      .where('stage_key', '=', stageKey)
      .where('counter', '=', counter)
      .executeTakeFirst();
  }

  /** The newest completed one before another one of the same stage, with any counter. */
  previousResult(pipelineKey: string, stageKey: string, id: number): Promise<Pick<StageRun, 'result'> | undefined> {
    const { query } = this.#database;
    return query
      .selectFrom('stage_runs')
      .select('result')
      .where('pipeline_key', '=', pipelineKey)
      .where('stage_key', '=', stageKey)
      .where('id', '<', id)
      .where('completed_at', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The newest that passed. */
  lastPassed(pipelineKey: string, stageKey: string): Promise<StageRun | undefined> {
    const { query } = this.#database;
    return query
      .selectFrom('stage_runs')
      .selectAll()
      .where('pipeline_key', '=', pipelineKey)
      .where('stage_key', '=', stageKey)
      .where('result', '=', 'Passed')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The newest so many of a stage that passed after another one, oldest first. */
  async passedAfter(pipelineKey: string, stageKey: string, id: number, limit: number): Promise<StageRun[]> {
    const { query } = this.#database;
    const newestFirst = await query
      .selectFrom('stage_runs')
      .selectAll()
      .where('pipeline_key', '=', pipelineKey)
      .where('stage_key', '=', stageKey)
      .where('id', '>', id)
      .where('result', '=', 'Passed')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return newestFirst.reverse();
  }

  /** The runs of all stages of a pipeline that have ended, newest first; `before`: only those with smaller ids. */
  endedOf(pipelineKey: string, before: number, limit: number): Promise<StageRun[]> {
    const { query } = this.#database;
    return query
      .selectFrom('stage_runs')
      .selectAll()
      .where('pipeline_key', '=', pipelineKey)
      .where('id', '<', before)
      .where('completed_at', 'is not', null)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  page(pipelineKey: string, stageKey: string, cursor: Cursor, size: number): Promise<CursorPage<StageRun>> {
    const { query } = this.#database;
    const all = query.selectFrom('stage_runs').selectAll().where('pipeline_key', '=', pipelineKey).where('stage_key', '=', stageKey);
    return cursorPage(cursor, size, ({ side, id, order, limit }) => all.where('id', side, id).orderBy('id', order).limit(limit).execute());
  }
}
