// The rows for the dashboard: the last run of each pipeline, runs under way, locks and pauses. Many pipelines in a few statements.
import { sql } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import type { PauseRow } from '../rows/pipelines.ts';
import type { Job } from './jobs.ts';
import type { Run } from './runs.ts';
import type { StageRun } from './stage-runs.ts';

/** Maximum number of pipelines, runs or stage runs that are asked for in one statement. */
export const MAX_PIPELINES_AT_ONCE = 100;

/** The run of a stage before one that is under way. */
export interface PreviousStageRun extends Pick<StageRun, 'pipeline_key' | 'stage_key' | 'stage' | 'counter' | 'result'> {
  readonly pipeline_counter: number;
  readonly label: string;
}

export interface DashboardRows {
  /** The last one of each pipeline, and those with an active stage. */
  readonly runs: readonly Run[];
  /** The latest runs of the stages of these. */
  readonly stageRuns: readonly StageRun[];
  /** Of the stage runs that are under way. */
  readonly jobs: readonly Pick<Job, 'stage_run_id' | 'state' | 'result'>[];
  readonly previous: readonly PreviousStageRun[];
  /** The keys of the pipelines whose lock is held. */
  readonly locked: ReadonlySet<string>;
  readonly pauses: readonly Readonly<PauseRow>[];
}

/** A stage of a pipeline, apart from its runs. */
export interface NamedStage {
  readonly pipelineKey: string;
  readonly stageKey: string;
}

export class DashboardReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `keys`: at most `MAX_PIPELINES_AT_ONCE`. */
  async read(keys: readonly string[]): Promise<DashboardRows> {
    const { query } = this.#database;
    // The last counter of a pipeline is that of its last run: nothing looks through the others.
    const last = await query
      .selectFrom('pipeline_counters')
      .innerJoin('runs', (join) =>
        join.onRef('runs.pipeline_key', '=', 'pipeline_counters.key').onRef('runs.counter', '=', 'pipeline_counters.last'),
      )
      .selectAll('runs')
      .where('pipeline_counters.key', 'in', keys)
      .execute();
    const active = await query
      .selectFrom('stage_runs')
      .selectAll()
      .where('completed_at', 'is', null)
      .where('pipeline_key', 'in', keys)
      .orderBy('id')
      .execute();
    const others = [...new Set(active.map(({ run_id: id }) => id))].filter((id) => !last.some((run) => run.id === id));
    const runs = [...last, ...(await this.#runs(others))];
    const locks = await query.selectFrom('pipeline_locks').select('key').where('key', 'in', keys).execute();
    return {
      runs,
      stageRuns: await this.#latest(runs.map(({ id }) => id)),
      jobs: await this.#jobs(active.map(({ id }) => id)),
      previous: await this.#previous(active),
      locked: new Set(locks.map(({ key }) => key)),
      pauses: await query.selectFrom('pipeline_pauses').selectAll().where('key', 'in', keys).execute(),
    };
  }

  /** The last run of each stage, and the last that is completed, which may be the same one. */
  async lastOfStages(stages: readonly NamedStage[]): Promise<StageRun[]> {
    const found: StageRun[] = [];
    for (const some of chunksOf(stages, MAX_PIPELINES_AT_ONCE)) {
      const named = sql.join(some.map(({ pipelineKey, stageKey }) => sql`(cast(${pipelineKey} as text), cast(${stageKey} as text))`));
      const ofStage = sql`from stage_runs one where one.pipeline_key = named.pipeline and one.stage_key = named.stage`;
      const { rows } = await sql<{ last: number | null; completed: number | null }>`
        with named (pipeline, stage) as (values ${named})
        select (select one.id ${ofStage} order by one.id desc limit 1) as last,
          (select one.id ${ofStage} and one.completed_at is not null order by one.id desc limit 1) as completed
        from named`.execute(this.#database.query);
      const ids = [...new Set(rows.flatMap(({ last, completed }) => [last, completed]))].filter((id) => id !== null).map(Number);
      for (const those of chunksOf(ids, MAX_PIPELINES_AT_ONCE))
        found.push(...(await this.#database.query.selectFrom('stage_runs').selectAll().where('id', 'in', those).execute()));
    }
    return found;
  }

  async #runs(ids: readonly number[]): Promise<Run[]> {
    const found: Run[] = [];
    for (const some of chunksOf(ids, MAX_PIPELINES_AT_ONCE))
      found.push(...(await this.#database.query.selectFrom('runs').selectAll().where('id', 'in', some).execute()));
    return found;
  }

  async #latest(runIds: readonly number[]): Promise<StageRun[]> {
    const found: StageRun[] = [];
    for (const some of chunksOf(runIds, MAX_PIPELINES_AT_ONCE)) {
      const latest = this.#database.query.selectFrom('stage_runs').selectAll().where('run_id', 'in', some).where('is_latest', '=', 1);
      found.push(...(await latest.orderBy('id').execute()));
    }
    return found;
  }

  async #jobs(stageRunIds: readonly number[]): Promise<DashboardRows['jobs']> {
    const found: DashboardRows['jobs'][number][] = [];
    for (const some of chunksOf(stageRunIds, MAX_PIPELINES_AT_ONCE)) {
      const { query } = this.#database;
      const jobs = query.selectFrom('jobs').select(['stage_run_id', 'state', 'result']).where('stage_run_id', 'in', some);
      found.push(...(await jobs.execute()));
    }
    return found;
  }

  /** There are few that are under way: each asks for its own. */
  async #previous(active: readonly StageRun[]): Promise<PreviousStageRun[]> {
    const found: PreviousStageRun[] = [];
    for (const { pipeline_key: pipeline, stage_key: stage, id } of active) {
      const row = await this.#database.query
        .selectFrom('stage_runs')
        .innerJoin('runs', 'runs.id', 'stage_runs.run_id')
        .select(['stage_runs.pipeline_key', 'stage_runs.stage_key', 'stage_runs.stage', 'stage_runs.counter', 'stage_runs.result'])
        .select(['runs.counter as pipeline_counter', 'runs.label'])
        .where('stage_runs.pipeline_key', '=', pipeline)
        .where('stage_runs.stage_key', '=', stage)
        .where('stage_runs.id', '<', id)
        .where('stage_runs.completed_at', 'is not', null)
        .orderBy('stage_runs.id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (row) found.push(row);
    }
    return found;
  }
}
