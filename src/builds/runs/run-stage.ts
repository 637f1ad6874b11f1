// Whether a stage may be run when a user asks for it, and which jobs run again when only some are wanted.
import type { RefusalKind } from '../../kit/refusal.ts';
import type { JobResult } from '../../store/rows/builds.ts';
import { configuredJobOf } from '../jobs/instance-names.ts';
import { activeStageOf, type FlowPipeline, type FlowRun, isLocking, stageIndex, stageRunOf } from './stage-flow.ts';

export interface StageRefusal {
  readonly isAllowed: false;
  readonly kind: Extract<RefusalKind, 'notFound' | 'malformed' | 'conflict'>;
  readonly message: string;
}

export interface StageAllowed {
  readonly isAllowed: true;
  /** As the configuration writes it. */
  readonly stage: string;
  /** Of the run of the stage that is to be made. */
  readonly counter: number;
  readonly takesLock: boolean;
}

/** A stage that has been run in the run already is run again. `others`: at least all other runs with an active stage. */
export function mayRunStage(pipeline: FlowPipeline, run: FlowRun, stage: string, others: readonly FlowRun[]): StageAllowed | StageRefusal {
  const index = stageIndex(pipeline, stage);
  const wanted = pipeline.stages[index];
  if (!wanted) return refused('notFound', `Stage '${stage}' not found in pipeline '${pipeline.name}'.`);
  const before = stageRunOf(run, wanted.name);
  const previous = pipeline.stages[index - 1];
  const previousRun = previous && stageRunOf(run, previous.name);
  if (!before && previous && !previousRun)
    return refused(
      'malformed',
      `Can not run stage [${wanted.name}] in pipeline [${pipeline.name}] because its previous stage has not been run.`,
    );
  const cause = obstacle(pipeline, run, wanted.name, others);
  if (cause) return refused('conflict', `Cannot schedule: ${cause}`);
  if (previousRun && wanted.approval.allowOnlyOnSuccess && previousRun.result !== 'Passed')
    return refused('conflict', `Cannot schedule ${wanted.name} as the previous stage ${previous.name} has ${previousRun.result}!`);
  const takesLock = isLocking(pipeline.lockBehavior) && pipeline.lockedBy === null;
  return { isAllowed: true, stage: wanted.name, counter: (before?.counter ?? 0) + 1, takesLock };
}

function obstacle({ name, isPaused, lockBehavior, lockedBy }: FlowPipeline, run: FlowRun, stage: string, others: readonly FlowRun[]) {
  const inProgress = (active: string) => `Stage [${active}] in pipeline [${name}] is still in progress`;
  if (isPaused) return `Pipeline ${name} is paused`;
  const active = activeStageOf(run);
  if (active) return inProgress(active.stage);
  if (isLocking(lockBehavior) && lockedBy !== null && lockedBy !== run.run)
    return `Pipeline ${name} is locked as another instance of this pipeline is running.`;
  return others.some((other) => stageRunOf(other, stage)?.isActive) ? inProgress(stage) : undefined;
}

/** A job of the run of the stage whose jobs are run again. */
export interface RerunnableJob {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly result: JobResult;
  /** The job whose result it stands for itself. */
  readonly originalId: number | null;
}

export interface StageToRerun<J extends RerunnableJob> {
  /** Such as `build/3/test/1`. */
  readonly locator: string;
  readonly counter: number;
  readonly rerunOfCounter: number | null;
  readonly jobs: readonly J[];
  /** The jobs of the stage in the configuration. */
  readonly configured: readonly { readonly name: string; readonly runInstanceCount: number | string | null }[];
}

export interface JobsAllowed<J extends RerunnableJob> {
  readonly isAllowed: true;
  /** Completed as they are, each standing for the job that was really run. */
  readonly copied: readonly { readonly job: J; readonly originalId: number }[];
  readonly scheduled: readonly J[];
  readonly rerunOfCounter: number;
}

/** Whether the stage may be run at all is asked of `mayRunStage`. */
export function jobsToRerun<J extends RerunnableJob>(
  stage: StageToRerun<J>,
  wanted: 'failed' | readonly string[],
): JobsAllowed<J> | StageRefusal {
  const jobs = stage.jobs.filter(({ state }) => state !== 'Rescheduled');
  const names = new Set(wanted === 'failed' ? [] : wanted.map((name) => name.toLowerCase()));
  const isWanted = ({ name, result }: J) =>
    wanted === 'failed' ? result === 'Failed' || result === 'Cancelled' : names.has(name.toLowerCase());
  if (wanted !== 'failed') {
    if (wanted.length === 0) return refused('malformed', 'No job was selected to re-run.');
    const unknown = wanted.filter((name) => !jobs.some((job) => job.name.toLowerCase() === name.toLowerCase()));
    if (unknown.length > 0) return refused('notFound', `Job(s) [${unknown.join(', ')}] does not exist in stage '${stage.locator}'.`);
  }
  const scheduled = jobs.filter(isWanted);
  if (scheduled.length === 0) return refused('malformed', 'There are no failed jobs in the stage that could be re-run');
  const gone = scheduled.find(({ name }) => !configuredJobOf(name, stage.configured));
  if (gone) return refused('notFound', `Cannot rerun job '${gone.name}'. Configuration for job doesn't exist.`);
  return {
    isAllowed: true,
    copied: jobs.filter((job) => !isWanted(job)).map((job) => ({ job, originalId: job.originalId ?? job.id })),
    scheduled,
    rerunOfCounter: stage.rerunOfCounter ?? stage.counter,
  };
}

function refused(kind: StageRefusal['kind'], message: string): StageRefusal {
  return { isAllowed: false, kind, message };
}
