// Jobs of which nothing is heard for too long: those without output, and those that no agent takes.
import type { ActiveJob } from './active-builds.ts';

export interface HungJob {
  readonly job: ActiveJob;
  /** The message about it in its console. */
  readonly line: string;
}

export interface HungVerdict {
  readonly cancelled: readonly HungJob[];
  /** Silent for long enough to warn users, but not yet to be cancelled. */
  readonly silent: readonly ActiveJob[];
}

const MINUTE_MS = 60_000;
const SILENT_AFTER_MS = 5 * MINUTE_MS;

export function hungJobs(jobs: Iterable<ActiveJob>, now: number): HungVerdict {
  const cancelled: HungJob[] = [];
  const silent: ActiveJob[] = [];
  for (const job of jobs) {
    const { timeoutMinutes } = job.plan.job;
    const isWaiting = job.row.state === 'Scheduled';
    const since = isWaiting ? job.row.scheduled_at : job.activeAt;
    const isTooLong = timeoutMinutes > 0 && now - since > timeoutMinutes * MINUTE_MS;
    if (isTooLong) cancelled.push({ job, line: lineOf(isWaiting, timeoutMinutes) });
    else if (!isWaiting && now - since > SILENT_AFTER_MS) silent.push(job);
  }
  return { cancelled, silent };
}

function lineOf(isWaiting: boolean, minutes: number): string {
  const what = isWaiting ? 'it has not been assigned an agent' : 'it has not generated any console output';
  return `Slipway cancelled this job as ${what} for more than ${minutes} minute(s)`;
}
