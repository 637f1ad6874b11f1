// The logic of the page of a stage, without drawing it.
import { type JobAnswer, jobStatus, type StageRunAnswer, startOf } from '../api/run-answers.ts';

/** `Passed`, `Failing`, `Building`: how it ended, or how far it is. */
export function stageStatus({ status, result }: Pick<StageRunAnswer, 'status' | 'result'>): string {
  return result === 'Unknown' ? status : result;
}

export function isUnderWay({ completed_at: completed }: Pick<StageRunAnswer, 'completed_at'>): boolean {
  return completed === null;
}

export function failedJobs(jobs: readonly JobAnswer[]): readonly string[] {
  return jobs.filter(({ result }) => result === 'Failed' || result === 'Cancelled').map(({ name }) => name);
}

/** `1 failed, 3 passed`: the most urgent first. */
export function countsText(jobs: readonly JobAnswer[]): string {
  const order = ['failed', 'cancelled', 'building', 'completing', 'preparing', 'assigned', 'scheduled', 'passed'];
  const groups = Map.groupBy(jobs, (job) => jobStatus(job).toLowerCase());
  const statuses = [...groups.keys()].toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return statuses.map((status) => `${groups.get(status)!.length} ${status}`).join(', ');
}

/** The duration that the longest bar stands for. */
export function maxDuration(jobs: readonly JobAnswer[], now: number): number {
  return Math.max(1, ...jobs.flatMap((job) => [durationOf(job, now), job.estimated_duration_ms ?? 0]));
}

function durationOf(job: JobAnswer, now: number): number {
  const start = startOf(job);
  return job.duration_ms ?? (start === undefined ? 0 : now - start);
}

/** The counters of the runs of a stage, newest first; of very many only the newest. */
export function countersTo(newest: number, max: number): readonly number[] {
  return Array.from({ length: Math.min(newest, max) }, (_, index) => newest - index);
}
