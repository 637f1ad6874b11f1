// The history of one test in a pipeline: one entry for each run, newest first.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { ResultInRun, TestResults } from '../../store/builds/test-results.ts';
import type { Outcome } from '../result.ts';

export interface RunOfTest {
  readonly runId: number;
  /** The newest job of the run that ran it: entries are in the order of these. */
  readonly jobId: number;
  readonly result: Outcome;
  readonly durationMs: number;
  readonly message: string | null;
}

export interface TestHistory {
  readonly entries: readonly RunOfTest[];
  readonly hasOlder: boolean;
}

export interface HistoryPage {
  readonly pipelineKey: string;
  readonly testKey: string;
  /** Below this job. */
  readonly after: number;
  readonly limit: number;
}

const JOBS_AT_ONCE = 100;
/** The worst of its results is that of a run. */
const BY_WEIGHT: readonly Outcome[] = ['failed', 'passed', 'skipped'];

export async function historyOf(
  results: Pick<TestResults, 'jobsOf' | 'ofRuns'>,
  { pipelineKey, testKey, after, limit }: HistoryPage,
): Promise<TestHistory> {
  const entries: RunOfTest[] = [];
  const seen = new Set<number>();
  for (let below = after; entries.length <= limit; ) {
    const jobs = await results.jobsOf(pipelineKey, testKey, below, JOBS_AT_ONCE);
    if (jobs.length === 0) return { entries, hasOlder: false };
    below = jobs.at(-1)!.job_id;
    const runIds = [...new Set(jobs.map(({ run_id: id }) => id))].filter((id) => !seen.has(id));
    for (const id of runIds) seen.add(id);
    const found = Map.groupBy(await results.ofRuns(pipelineKey, testKey, runIds), ({ run_id: id }) => id);
    for (const id of runIds) {
      const entry = entryOf(found.get(id) ?? []);
      // One that has a newer job stands further up.
      if (entry && entry.jobId < after) entries.push(entry);
    }
    await pause();
  }
  return { entries: entries.slice(0, limit), hasOlder: entries.length > limit };
}

/** Of one run; a job that was run again counts with its last run. */
function entryOf(results: readonly ResultInRun[]): RunOfTest | undefined {
  const newest = new Map<string, number>();
  for (const { stage_key: stage, job_key: job, job_id: id } of results)
    newest.set(`${stage}/${job}`, Math.max(newest.get(`${stage}/${job}`) ?? 0, id));
  const counting = results.filter(({ stage_key: stage, job_key: job, job_id: id }) => newest.get(`${stage}/${job}`) === id);
  const result = BY_WEIGHT.find((weight) => counting.some((one) => one.result === weight));
  if (result === undefined) return undefined;
  return {
    runId: counting[0]!.run_id,
    jobId: Math.max(...newest.values()),
    result,
    durationMs: Math.max(...counting.map(({ duration_ms: ms }) => ms)),
    message: counting.find((one) => one.result === result)!.message,
  };
}
