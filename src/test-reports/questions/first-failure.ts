// Since which run a test fails: the walk back from a failure to the last time it did not.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { JobKeys, TestResults } from '../../store/builds/test-results.ts';

/** Results of the test that are looked at. */
export const MAX_SEARCHED_RESULTS = 500;
/** Most failures are young. */
const FIRST_STEP = 20;
const STEP = 120;

export interface FirstFailure {
  /** The run it failed in first, of those that were looked at. */
  readonly runId: number;
  /** It failed in all that were looked at, and there are older ones. */
  readonly mayBeOlder: boolean;
}

export interface Failure extends JobKeys {
  readonly pipelineKey: string;
  readonly testKey: string;
  readonly jobId: number;
  readonly runId: number;
}

/** Only the same job of earlier runs counts: elsewhere the test may fare differently. Where it was skipped it says nothing. */
export async function firstFailure(results: Pick<TestResults, 'before'>, failure: Failure): Promise<FirstFailure> {
  const { pipelineKey, testKey } = failure;
  let first = failure.runId;
  let below = failure.jobId;
  for (let searched = 0; searched < MAX_SEARCHED_RESULTS; ) {
    const limit = Math.min(searched === 0 ? FIRST_STEP : STEP, MAX_SEARCHED_RESULTS - searched);
    const step = await results.before(pipelineKey, testKey, failure, below, limit);
    for (const [, ofJob] of Map.groupBy(step.results, ({ job_id: id }) => id)) {
      const hasFailed = ofJob.some(({ result }) => result === 'failed');
      if (hasFailed) first = ofJob[0]!.run_id;
      else if (ofJob.some(({ result }) => result === 'passed')) return { runId: first, mayBeOlder: false };
    }
    if (step.looked < limit) return { runId: first, mayBeOlder: false };
    searched += step.looked;
    below = step.last;
    await pause();
  }
  return { runId: first, mayBeOlder: true };
}
