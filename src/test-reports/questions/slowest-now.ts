// The slowest tests of a pipeline at present: those of the newest report of each of its jobs.
import type { TestedJob } from '../../store/builds/test-results.ts';
import { MAX_SLOWEST } from '../limits.ts';
import { readSlowest, type SlowTest } from '../slowest.ts';

export interface SlowTestNow extends SlowTest {
  readonly runId: number;
  readonly stageKey: string;
  readonly jobKey: string;
}

/** `jobs`: of the recent runs, oldest first. */
export function slowestNow(jobs: readonly TestedJob[]): readonly SlowTestNow[] {
  const newest = new Map(jobs.map((job) => [`${job.stage_key}/${job.job_key}`, job]));
  return [...newest.values()]
    .flatMap(({ slowest, run_id: runId, stage_key: stageKey, job_key: jobKey }) =>
      readSlowest(slowest).map((test) => ({ ...test, runId, stageKey, jobKey })),
    )
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MAX_SLOWEST);
}
