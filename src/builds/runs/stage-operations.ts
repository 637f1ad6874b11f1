// The operations of users on stages: run one, run it or some of its jobs again, cancel it.
import { Refusal } from '../../kit/refusal.ts';
import type { Job } from '../../store/builds/jobs.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { BuildState } from '../build-state.ts';
import { type BuildConfig, type ConfiguredStage, keyOfName, type PipelineDefinition } from '../configured.ts';
import type { ActiveJob, ActiveStageRun } from '../jobs/active-builds.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { StoredPlan } from '../jobs/stored-plan.ts';
import { flowPipeline, flowRun, otherRuns } from './flow-facts.ts';
import { newStageRun, type StageToSchedule } from './new-stage-run.ts';
import { jobsToRerun, mayRunStage, type StageRefusal } from './run-stage.ts';
import type { StageCompletion } from './stage-completion.ts';
import { plansAgain, type StagePlanParts, stagePlans } from './stage-plans.ts';

export interface StageOperationParts extends StagePlanParts {
  readonly state: BuildState;
  readonly config: BuildConfig;
  readonly queue: JobQueue;
  readonly completion: StageCompletion;
  isPaused(pipeline: string): boolean;
  onScheduled(): void;
}

/** `original`: by the configuration of its first run. */
export type ConfigurationChoice = 'current' | 'original';

/** Whether nothing is done in the end. */
interface TryOptions {
  readonly isDryRun?: boolean;
}

interface Scene {
  readonly pipeline: PipelineDefinition;
  readonly run: Run;
  readonly stageRuns: readonly StageRun[];
}

interface AllowedStage {
  readonly stage: ConfiguredStage;
  readonly position: number;
  readonly counter: number;
  readonly takesLock: boolean;
}

export class StageOperations {
  readonly #parts: StageOperationParts;

  constructor(parts: StageOperationParts) {
    this.#parts = parts;
  }

  /** Gives the counter of the stage run. */
  runStage(run: Run, stageName: string, by: string, configuration: ConfigurationChoice, { isDryRun }: TryOptions = {}): Promise<number> {
    return this.#serialized(run, async (scene) => {
      const allowed = await this.#allow(scene, stageName);
      const first = scene.stageRuns.find(({ stage_key: key, counter }) => key === keyOfName(stageName) && counter === 1);
      const past = configuration === 'original' && first ? await this.#asItWas(scene.pipeline, first, allowed) : undefined;
      const [pipeline, stage] = past ?? [scene.pipeline, allowed.stage];
      const planned = stagePlans(pipeline, stage, this.#parts);
      if ('refusal' in planned) throw new Refusal('conflict', `Cannot schedule: ${planned.refusal}`);
      if (isDryRun) return allowed.counter;
      const revision = past ? first!.configuration : this.#parts.config.revision;
      const plans = past ? planned.plans.map(({ job, context }) => ({ job, context: { ...context, isOfPast: true } })) : planned.plans;
      return this.#schedule(scene, allowed, { stage, approvedBy: by, configuration: revision, plans });
    });
  }

  rerunJobs(
    run: Run,
    stageRun: StageRun,
    wanted: 'failed' | readonly string[],
    by: string,
    { isDryRun }: TryOptions = {},
  ): Promise<number> {
    return this.#serialized(run, async (scene) => {
      const locator = `${run.pipeline}/${run.counter}/${stageRun.stage}/${stageRun.counter}`;
      const configured = scene.pipeline.stages.find(({ name }) => keyOfName(name) === stageRun.stage_key)?.jobs ?? [];
      const jobs = (await this.#parts.state.jobs.ofStageRuns([stageRun.id])).map((row) => ({ ...rerunnable(row), row }));
      const { counter, rerun_of_counter: rerunOfCounter } = stageRun;
      const chosen = unlessRefused(jobsToRerun({ locator, counter, rerunOfCounter, jobs, configured }, wanted));
      const allowed = await this.#allow(scene, stageRun.stage);
      if (isDryRun) return allowed.counter;
      const again = chosen.scheduled.map(({ row }) => ({ name: row.name, pinnedTo: row.pinned_to }));
      const plans = plansAgain(scene.pipeline, allowed.stage, again, this.#parts);
      const rerun = { ofCounter: chosen.rerunOfCounter, copies: chosen.copied.map(({ job }) => job.row) };
      return this.#schedule(scene, allowed, {
        stage: allowed.stage,
        approvedBy: by,
        configuration: this.#parts.config.revision,
        plans,
        rerun,
      });
    });
  }

  /** False: it is not active. One that was just written is known in memory when the work that scheduled it has released the mutex. */
  cancelStage({ id, pipeline_key: key }: Pick<StageRun, 'id' | 'pipeline_key'>, by: string): Promise<boolean> {
    return this.#parts.state.pipelineMutex.run(key, async () => {
      const active = this.#parts.state.active.stageRun(id);
      if (!active) return false;
      active.cancelledBy = by;
      await this.#cancel(active, [...active.active.values()]);
      return true;
    });
  }

  /** One job of a stage: the others go on. */
  cancelJob(job: ActiveJob, by: string): Promise<void> {
    return this.#parts.state.pipelineMutex.run(job.row.pipeline_key, async () => {
      if (!job.stageRun.active.has(job.row.id)) return;
      job.stageRun.cancelledBy = by;
      await this.#cancel(job.stageRun, [job]);
    });
  }

  async #cancel(stageRun: ActiveStageRun, jobs: readonly ActiveJob[]): Promise<void> {
    const { queue, completion, state } = this.#parts;
    const { statements, events } = queue.cancel(stageRun, jobs);
    if (stageRun.active.size === 0) await completion.complete(stageRun, { statements: [...statements], events: [...events] });
    else {
      const cancelledBy = state.stageRuns.setCancelledBy(stageRun.row.id, stageRun.cancelledBy);
      await state.writer.commit({ statements: [...statements, cancelledBy], events });
    }
    queue.notifyCancelled(jobs);
  }

  #serialized<T>(run: Run, work: (scene: Scene) => Promise<T>): Promise<T> {
    const { state, config } = this.#parts;
    return state.pipelineMutex.run(run.pipeline_key, async () => {
      const pipeline = await config.find(run.pipeline);
      if (!pipeline) throw new Refusal('notFound', `Pipeline with name '${run.pipeline}' was not found!`);
      return work({ pipeline, run, stageRuns: await state.stageRuns.ofRuns([run.id]) });
    });
  }

  async #allow({ pipeline, run, stageRuns }: Scene, stageName: string): Promise<AllowedStage> {
    const { state, isPaused } = this.#parts;
    const others = await otherRuns(state, pipeline.key, run);
    const decision = mayRunStage(flowPipeline(state, pipeline, isPaused(pipeline.name)), flowRun(run, stageRuns), stageName, others);
    const { stage: name, counter, takesLock } = unlessRefused(decision);
    const position = pipeline.stages.findIndex((stage) => stage.name === name);
    return { stage: pipeline.stages[position]!, position, counter, takesLock };
  }

  async #asItWas(pipeline: PipelineDefinition, first: StageRun, { stage }: AllowedStage): Promise<[PipelineDefinition, ConfiguredStage]> {
    const past = await this.#parts.config.at(first.configuration, pipeline.name);
    const stageThen = past?.stages.find(({ name }) => keyOfName(name) === keyOfName(stage.name));
    if (past && stageThen) return [past, stageThen];
    throw new Refusal('conflict', `Cannot schedule: the configuration of the first run of stage [${stage.name}] is not kept any more.`);
  }

  async #schedule(
    { pipeline, run }: Scene,
    { position, counter, takesLock }: AllowedStage,
    to: Pick<StageToSchedule, 'stage' | 'approvedBy' | 'configuration' | 'rerun'> & { readonly plans: readonly StoredPlan[] },
  ): Promise<number> {
    const { state, onScheduled } = this.#parts;
    const made = newStageRun(state, { run, position, counter, ...to }, state.now());
    const lock = takesLock ? [state.pipelines.lock(pipeline.key, run.id)] : [];
    await state.writer.commit({ statements: [...made.statements, ...lock], events: [made.event] });
    if (takesLock) state.locks.set(pipeline.key, run.id);
    state.active.add(made.stageRun);
    onScheduled();
    return counter;
  }
}

function rerunnable({ id, name, state, result, original_id: originalId }: Job) {
  return { id, name, state, result, originalId };
}

function unlessRefused<A extends { readonly isAllowed: true }>(decision: A | StageRefusal): A {
  if (decision.isAllowed) return decision;
  throw new Refusal(decision.kind, decision.message);
}
