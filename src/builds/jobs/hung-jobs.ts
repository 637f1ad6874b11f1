// Jobs that take too long: those without output, those that no agent takes, and cancelled ones that their agents do not end.
import type { ActiveJob } from './active-builds.ts';

export interface HungJob {
  readonly job: ActiveJob;
  /** The message about it in its console. */
  readonly line: string;
}

export interface HungJobs {
  readonly cancelled: readonly HungJob[];
  /** Silent for long enough to warn users, but not yet to be cancelled. */
  readonly silent: readonly ActiveJob[];
}

const MINUTE_MS = 60_000;
const SILENT_AFTER_MS = 5 * MINUTE_MS;

export function hungJobs(jobs: Iterable<ActiveJob>, now: number): HungJobs {
  const cancelled: HungJob[] = [];
  const silent: ActiveJob[] = [];
  for (const job of jobs) {
    const { timeoutMinutes } = job.plan.job;
    const isWaiting = job.row.state === 'Scheduled';
    const silence = now - job.activeAt;
    const isTooLong = timeoutMinutes > 0 && silence > timeoutMinutes * MINUTE_MS;
    if (isTooLong) cancelled.push({ job, line: lineOf(isWaiting, timeoutMinutes) });
    else if (!isWaiting && silence > SILENT_AFTER_MS) silent.push(job);
  }
  return { cancelled, silent };
}

function lineOf(isWaiting: boolean, minutes: number): string {
  const obstacle = isWaiting ? 'it has not been assigned an agent' : 'it has not generated any console output';
  return `Slipway cancelled this job as ${obstacle} for more than ${minutes} minute(s)`;
}

/** A cancelled job that its agent has not ended yet. */
export interface CancellingJob {
  readonly agent: string;
  readonly epoch: number;
  /** Undefined: it was cancelled before this server gave out jobs. */
  readonly job: ActiveJob | undefined;
  /** When it was cancelled, as far as this server knows. */
  readonly since: number;
  mustKill: boolean;
}

/** Administrators are notified of an agent that takes longer to end a job. */
const STUCK_AFTER_MS = 10 * MINUTE_MS;

export function stuckJobs(jobs: Iterable<CancellingJob>, now: number): CancellingJob[] {
  return [...jobs].filter(({ since }) => now - since > STUCK_AFTER_MS);
}
