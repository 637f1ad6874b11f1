// The states of a job, how a report of its agent changes them, and how the state of a stage follows from its jobs.
import type { JobResult, JobState } from '../../store/rows/builds.ts';

export type { JobResult, JobState };

/** In this order; one that is rescheduled leaves it. */
const PATH = ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completing', 'Completed'] as const satisfies readonly JobState[];

export interface JobNow {
  readonly state: JobState;
  readonly result: JobResult;
  readonly agent: string | null;
  readonly epoch: number;
  /** The number of the last report that counted; 0: none. */
  readonly lastReport: number;
}

export interface JobReport {
  readonly agent: string;
  readonly epoch: number;
  readonly number: number;
  readonly state: 'Preparing' | 'Building' | 'Completing' | 'Completed';
  readonly result?: 'Passed' | 'Failed' | 'Cancelled';
}

export interface Transition {
  /** The states it goes through, in this order; the last one is `state`. */
  readonly transitions: readonly JobState[];
  readonly state: JobState;
  readonly result: JobResult;
}

/** `ignored`: it changes nothing, and the agent need not know. `refused`: the job is not the agent's, or the report is no report. */
export function transition(current: JobNow, report: JobReport): Transition | 'ignored' | 'refused' {
  if (report.agent !== current.agent || report.epoch !== current.epoch) return 'refused';
  if (current.state === 'Rescheduled') return 'ignored';
  if (report.number <= current.lastReport) return 'ignored';
  const [from, to] = [PATH.indexOf(current.state), PATH.indexOf(report.state)];
  // Nothing follows the end, be it that it was cancelled.
  if (to <= from) return 'ignored';
  const result = resultAfter(current.result, report);
  if (result === undefined) return 'refused';
  // An agent that went on without saying so, as one whose checkout failed, went through all that lies between.
  return { transitions: PATH.slice(from + 1, to + 1), state: report.state, result };
}

/** A failure stays: only a worse result replaces one that was reported before. */
const FROM_GOOD_TO_BAD: readonly JobResult[] = ['Unknown', 'Passed', 'Failed', 'Cancelled'];

function resultAfter(before: JobResult, { state, result }: JobReport): JobResult | undefined {
  if (state === 'Preparing' || state === 'Building') return 'Unknown';
  const reported = result ?? 'Unknown';
  const after = FROM_GOOD_TO_BAD.indexOf(reported) > FROM_GOOD_TO_BAD.indexOf(before) ? reported : before;
  return after === 'Unknown' ? undefined : after;
}

/** Neither completed nor replaced by another one. */
function isActive(state: JobState): boolean {
  return state !== 'Completed' && state !== 'Rescheduled';
}

export type StageState = 'Unknown' | 'Building' | 'Failing' | 'Passed' | 'Failed' | 'Cancelled';

export interface StageNow {
  readonly state: StageState;
  /** `Unknown` until it is completed. */
  readonly result: JobResult;
  readonly isCompleted: boolean;
}

export function stageStateOf(jobs: readonly Pick<JobNow, 'state' | 'result'>[]): StageNow {
  // Each that was rescheduled has one in its place.
  const counted = jobs.filter(({ state }) => state !== 'Rescheduled');
  const has = (result: JobResult) => counted.some((job) => job.result === result);
  if (counted.length === 0) return { state: 'Unknown', result: 'Unknown', isCompleted: false };
  if (counted.some(({ state }) => isActive(state)))
    return { state: has('Failed') ? 'Failing' : 'Building', result: 'Unknown', isCompleted: false };
  const result = (['Cancelled', 'Failed', 'Unknown'] as const).find(has) ?? 'Passed';
  return { state: result, result, isCompleted: true };
}

/** How long after a cancel an agent that was away may still add what it printed. Later nothing is added to a job that has ended. */
export const MAX_ENDING_MS = 24 * 60 * 60_000;

/** Whether the agent of a job that has ended may still add to its console and its artifacts. */
export function mayStillAdd(ended: { readonly result: string; readonly completed_at: number | null }, now: number): boolean {
  return ended.result === 'Cancelled' && now - (ended.completed_at ?? 0) < MAX_ENDING_MS;
}
