// A stage has ended: its result, the news for downstream pipelines, the mails, the next stage, the release of the lock.
// All of it is one commit: there is no passed stage whose next one never starts.
import type { CompiledQuery } from 'kysely';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { BuildState } from '../build-state.ts';
import { type BuildConfig, keyOfName, type PipelineDefinition } from '../configured.ts';
import type { ActiveStageRun } from '../jobs/active-builds.ts';
import { type JobResult, stageStateOf } from '../jobs/job-states.ts';
import { BY_CHANGES } from './cause.ts';
import { flowPipeline, flowRun, otherRuns } from './flow-facts.ts';
import { newStageRun } from './new-stage-run.ts';
import { stageCompleted } from './run-events.ts';
import { afterStage, type StageToStart } from './stage-flow.ts';
import { type StagePlanParts, stagePlans } from './stage-plans.ts';

export interface CompletedStage {
  readonly stageRun: ActiveStageRun;
  readonly result: JobResult;
  readonly completedAt: number;
}

export interface StageCompletionParts extends StagePlanParts {
  readonly state: BuildState;
  readonly config: BuildConfig;
  isPaused(pipeline: string): boolean;
  /** The modifications that a passed stage is to pipelines that depend on it. */
  downstreamStatements(completed: CompletedStage): Promise<readonly CompiledQuery[]>;
  /** The mails about it. */
  mails(completed: CompletedStage): Promise<readonly CompiledQuery[]>;
  onCompleted(completed: CompletedStage): void;
  onScheduled(): void;
  reportProblem(pipeline: PipelineDefinition, problem: string | undefined): void;
}

interface Commit {
  readonly statements: CompiledQuery[];
  readonly events: NewEvent[];
  readonly started: ActiveStageRun[];
}

export class StageCompletion {
  readonly #parts: StageCompletionParts;

  constructor(parts: StageCompletionParts) {
    this.#parts = parts;
  }

  /** To be called while the mutex of its pipeline is held. `earlier`: the changes that were decided with it, and are written with it. */
  async complete(stageRun: ActiveStageRun, earlier: Pick<Commit, 'statements' | 'events'> = { statements: [], events: [] }): Promise<void> {
    const { state, config, downstreamStatements, mails, onCompleted, onScheduled } = this.#parts;
    const { result } = stageStateOf(stageRun.jobs);
    const completed: CompletedStage = { stageRun, result, completedAt: state.now() };
    const { cancelledBy } = stageRun;
    const commit: Commit = { statements: [...earlier.statements], events: [...earlier.events], started: [] };
    commit.statements.push(
      state.stageRuns.end(stageRun.row.id, { result, completedAt: completed.completedAt, cancelledBy }),
      state.figures.count(stageRun.row.id),
      ...(await downstreamStatements(completed)),
      ...(await mails(completed)),
    );
    commit.events.push(stageCompleted(stageRun, result));
    const pipeline = await config.find(stageRun.run.pipeline);
    const lock = pipeline ? await this.#goOn(pipeline, completed, commit) : this.#releaseLockOf(stageRun, commit);
    await state.writer.commit(commit);
    state.active.remove(stageRun);
    if (lock !== undefined) setLock(state, stageRun.row.pipeline_key, lock);
    for (const started of commit.started) state.active.add(started);
    onCompleted(completed);
    if (commit.started.length > 0) onScheduled();
  }

  /** Returns the run that holds the lock afterwards; null: none; undefined: as before. */
  async #goOn(
    pipeline: PipelineDefinition,
    { stageRun, result, completedAt }: CompletedStage,
    commit: Commit,
  ): Promise<number | null | undefined> {
    const { state, isPaused } = this.#parts;
    const { run, row } = stageRun;
    const known = await state.stageRuns.ofRuns([run.id]);
    const now = known.map((one) => (one.id === row.id ? { ...one, result, completed_at: completedAt } : one));
    const others = await otherRuns(state, pipeline.key, run);
    const after = afterStage(flowPipeline(state, pipeline, isPaused(pipeline.name)), flowRun(run, now), row.stage, others);
    let lock: number | null | undefined;
    if (after.releasesLock) {
      commit.statements.push(state.pipelines.unlock(pipeline.key));
      lock = null;
    }
    for (const start of after.start) lock = (await this.#start(pipeline, start, commit)) ?? lock;
    return lock;
  }

  /** Gives the run if it takes the lock. */
  async #start(
    pipeline: PipelineDefinition,
    { run: runId, stage: name, takesLock }: StageToStart,
    commit: Commit,
  ): Promise<number | undefined> {
    const { state, config, reportProblem } = this.#parts;
    const position = pipeline.stages.findIndex((stage) => keyOfName(stage.name) === keyOfName(name));
    const stage = pipeline.stages[position]!;
    const planned = stagePlans(pipeline, stage, this.#parts);
    if ('refusal' in planned) {
      reportProblem(pipeline, planned.refusal);
      return undefined;
    }
    const run = await state.runs.byId(runId);
    if (!run) throw new Error(`There is no run ${runId}.`);
    const { plans } = planned;
    // After a stage that was run again, the next one may have been run before, too.
    const counter = lastCounterOf(keyOfName(name), await state.stageRuns.ofRuns([runId])) + 1;
    const to = { run, stage, position, counter, approvedBy: BY_CHANGES, configuration: config.revision, plans };
    const made = newStageRun(state, to, state.now());
    commit.statements.push(...made.statements, ...(takesLock ? [state.pipelines.lock(pipeline.key, runId)] : []));
    commit.events.push(made.event);
    commit.started.push(made.stageRun);
    return takesLock ? runId : undefined;
  }

  /** Of a pipeline that is gone from the configuration. */
  #releaseLockOf({ row }: ActiveStageRun, commit: Commit): null | undefined {
    const { state } = this.#parts;
    if (!state.locks.has(row.pipeline_key)) return undefined;
    commit.statements.push(state.pipelines.unlock(row.pipeline_key));
    return null;
  }
}

function lastCounterOf(stageKey: string, stageRuns: readonly StageRun[]): number {
  return Math.max(0, ...stageRuns.filter(({ stage_key: key }) => key === stageKey).map(({ counter }) => counter));
}

function setLock(state: BuildState, key: string, run: number | null): void {
  if (run === null) state.locks.delete(key);
  else state.locks.set(key, run);
}
