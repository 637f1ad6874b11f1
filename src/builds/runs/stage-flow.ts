// The steps after a stage is completed: the next stage of its run, a newer run that waited for the stage, the end of a lock.
import type { JobResult } from '../../store/rows/builds.ts';

/** A stage as the configuration has it. */
export interface FlowStage {
  readonly name: string;
  /** `success` or `manual`. */
  readonly approval: { readonly type: string; readonly allowOnlyOnSuccess: boolean };
}

export interface FlowPipeline {
  readonly name: string;
  readonly stages: readonly FlowStage[];
  /** `none`, `lockOnFailure` or `unlockWhenFinished`. */
  readonly lockBehavior: string;
  readonly isPaused: boolean;
  /** The run that holds the lock. */
  readonly lockedBy: number | null;
}

/** The latest run of a stage in a run of its pipeline. */
export interface FlowStageRun {
  readonly stage: string;
  readonly counter: number;
  readonly result: JobResult;
  readonly isActive: boolean;
}

export interface FlowRun {
  readonly run: number;
  readonly counter: number;
  /** One of each stage that has been run in it. */
  readonly stages: readonly FlowStageRun[];
}

/** A stage to start by itself; its approver is `changes`. */
export interface StageToStart {
  readonly run: number;
  readonly stage: string;
  /** The run takes the lock with it. */
  readonly takesLock: boolean;
}

export interface AfterStage {
  readonly start: readonly StageToStart[];
  /** Why the next stage of the run does not start now; null: it does, or there is none. */
  readonly held: HeldStage | null;
  /** Runs that waited for the stage, and will never get it by themselves because a newer one does. */
  readonly skipped: readonly number[];
  /** The lock of the pipeline ends, before anything is started. */
  readonly releasesLock: boolean;
}

export interface HeldStage {
  readonly stage: string;
  readonly rule: 'not_passed' | 'manual' | 'paused' | 'locked' | 'busy';
}

/** `others`: at least all runs with an active stage and all later ones. `run` holds the completed stage already with its result. */
export function afterStage(pipeline: FlowPipeline, run: FlowRun, stage: string, others: readonly FlowRun[]): AfterStage {
  const index = stageIndex(pipeline, stage);
  const releasesLock = isLockReleased(pipeline, run, index);
  const lock = new Lock(pipeline, releasesLock);
  const start: StageToStart[] = [];
  const next = index < 0 ? undefined : pipeline.stages[index + 1];
  const rule = next && heldBy(pipeline, run, stage, next, others, lock);
  if (next && !rule) start.push({ run: run.run, stage: next.name, takesLock: lock.take(run.run) });
  const waiting = waitingFor(pipeline, run, index, others).filter((other) => lock.isOpenFor(other.run));
  const [newest, ...older] = waiting;
  if (newest) start.push({ run: newest.run, stage: pipeline.stages[index]!.name, takesLock: lock.take(newest.run) });
  return { start, held: next && rule ? { stage: next.name, rule } : null, skipped: older.map((other) => other.run), releasesLock };
}

function heldBy(
  pipeline: FlowPipeline,
  run: FlowRun,
  stage: string,
  next: FlowStage,
  others: readonly FlowRun[],
  lock: Lock,
): HeldStage['rule'] | undefined {
  if (stageRunOf(run, stage)?.result !== 'Passed') return 'not_passed';
  if (next.approval.type !== 'success') return 'manual';
  if (pipeline.isPaused) return 'paused';
  if (!lock.isOpenFor(run.run)) return 'locked';
  return [run, ...others].some((one) => stageRunOf(one, next.name)?.isActive) ? 'busy' : undefined;
}

/** The later runs that the stage before has passed in, and this one has not been run in, newest first. */
function waitingFor(pipeline: FlowPipeline, { counter }: FlowRun, index: number, others: readonly FlowRun[]): FlowRun[] {
  const [before, stage] = [pipeline.stages[index - 1], pipeline.stages[index]];
  if (!before || stage?.approval.type !== 'success' || pipeline.isPaused) return [];
  if (others.some((other) => stageRunOf(other, stage.name)?.isActive)) return [];
  return others
    .filter((other) => other.counter > counter && !stageRunOf(other, stage.name))
    .filter((other) => stageRunOf(other, before.name)?.result === 'Passed' && !activeStageOf(other))
    .toSorted((one, other) => other.counter - one.counter);
}

function isLockReleased({ stages, lockBehavior, lockedBy }: FlowPipeline, run: FlowRun, index: number): boolean {
  if (lockedBy === null) return false;
  // The configuration says no more that there is one.
  if (!isLocking(lockBehavior)) return true;
  if (lockedBy !== run.run || activeStageOf(run)) return false;
  const next = index < 0 ? undefined : stages[index + 1];
  // After the last stage, or one that is gone from the configuration, nothing follows.
  if (!next) return true;
  const hasPassed = stageRunOf(run, stages[index]!.name)?.result === 'Passed';
  return lockBehavior === 'unlockWhenFinished' && (!hasPassed || next.approval.type !== 'success');
}

/** Which runs may start stages, while a decision is made. */
class Lock {
  readonly #isLocking: boolean;
  #holder: number | null;

  constructor({ lockBehavior, lockedBy }: FlowPipeline, isReleased: boolean) {
    this.#isLocking = isLocking(lockBehavior);
    this.#holder = isReleased ? null : lockedBy;
  }

  isOpenFor(run: number): boolean {
    return !this.#isLocking || this.#holder === null || this.#holder === run;
  }

  /** Whether it has to be taken. */
  take(run: number): boolean {
    if (!this.#isLocking || this.#holder === run) return false;
    this.#holder = run;
    return true;
  }
}

export function isLocking(lockBehavior: string): boolean {
  return lockBehavior === 'lockOnFailure' || lockBehavior === 'unlockWhenFinished';
}

/** -1: the configuration has it no more. */
export function stageIndex({ stages }: Pick<FlowPipeline, 'stages'>, stage: string): number {
  return stages.findIndex(({ name }) => isSame(name, stage));
}

export function stageRunOf({ stages }: FlowRun, stage: string): FlowStageRun | undefined {
  return stages.find((one) => isSame(one.stage, stage));
}

export function activeStageOf({ stages }: FlowRun): FlowStageRun | undefined {
  return stages.find(({ isActive }) => isActive);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
