// The shared state of the engine: the tables, the active builds, the locks, and a mutex of decisions about each pipeline.
import { KeyedMutex } from '../kit/concurrency/keyed-mutex.ts';
import { BuildIds } from '../store/builds/build-ids.ts';
import { Jobs } from '../store/builds/jobs.ts';
import { PipelineStates } from '../store/builds/pipeline-states.ts';
import { Runs } from '../store/builds/runs.ts';
import { StageRuns } from '../store/builds/stage-runs.ts';
import { StageWaits } from '../store/builds/stage-waits.ts';
import type { Database } from '../store/database.ts';
import type { CommitWithEvents } from '../store/write-with-events.ts';
import { BuildWriter } from './build-writer.ts';
import { ActiveBuilds, type ActiveJob, type ActiveStageRun } from './jobs/active-builds.ts';
import { readPlan } from './jobs/stored-plan.ts';

export interface BuildStateParts {
  readonly database: Database;
  readonly write: CommitWithEvents;
  /** Something could not be written: memory is ahead of the tables. */
  onFailure(failure: unknown): void;
}

export class BuildState {
  readonly runs: Runs;
  readonly stageRuns: StageRuns;
  readonly figures: StageWaits;
  readonly jobs: Jobs;
  readonly pipelines: PipelineStates;
  readonly ids: BuildIds;
  readonly writer: BuildWriter;
  readonly active = new ActiveBuilds();
  /** The run that holds the lock of a pipeline, by the key of the pipeline. */
  readonly locks = new Map<string, number>();
  /** Decisions about a pipeline are made one after the other, by its key. */
  readonly pipelineMutex = new KeyedMutex();
  readonly #database: Database;
  readonly #listeners: ((pipeline: string) => void)[] = [];

  constructor({ database, write, onFailure }: BuildStateParts) {
    this.#database = database;
    this.runs = new Runs(database);
    this.stageRuns = new StageRuns(database);
    this.figures = new StageWaits(database);
    this.jobs = new Jobs(database);
    this.pipelines = new PipelineStates(database);
    this.ids = new BuildIds(database);
    this.writer = new BuildWriter(write, onFailure);
  }

  /** Called when something of a pipeline's runs is written that no event reports. */
  listen(listener: (pipeline: string) => void): void {
    this.#listeners.push(listener);
  }

  changed(pipeline: string): void {
    for (const listener of this.#listeners) listener(pipeline);
  }

  now(): number {
    return this.#database.now();
  }

  /** Fills memory from the tables. */
  async load(): Promise<void> {
    this.unload();
    await this.ids.load();
    for (const { key, run_id: run } of await this.pipelines.locks()) this.locks.set(key, run);
    const rows = await this.stageRuns.active();
    const jobs = Map.groupBy(await this.jobs.ofStageRuns(rows.map(({ id }) => id)), ({ stage_run_id: id }) => id);
    const activeAt = this.now();
    for (const row of rows) {
      const run = await this.runs.byId(row.run_id);
      if (!run) throw new Error(`The stage run ${row.id} belongs to no run.`);
      const counted = (jobs.get(row.id) ?? []).filter(({ state }) => state !== 'Rescheduled');
      const stageRun: ActiveStageRun = { row, run, jobs: counted, active: new Map(), cancelledBy: row.cancelled_by };
      for (const job of counted.filter(({ completed_at: at }) => at === null))
        stageRun.active.set(job.id, await this.#loadJob(job, stageRun, activeAt));
      this.active.add(stageRun);
    }
  }

  unload(): void {
    this.ids.unload();
    this.active.clear();
    this.locks.clear();
  }

  async #loadJob(row: ActiveJob['row'], stageRun: ActiveStageRun, activeAt: number): Promise<ActiveJob> {
    const text = await this.jobs.planOf(row.id);
    if (text === undefined) throw new Error(`The job ${row.id} has no plan.`);
    const transitions = (await this.jobs.transitionsOf([row.id])).length;
    return { row, stageRun, plan: readPlan(text), transitions, activeAt };
  }
}
