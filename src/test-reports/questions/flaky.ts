// Flaky tests: they passed and failed in the same job on the same revisions.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { RunRevision } from '../../store/builds/runs.ts';
import type { TestedJob, TestResults } from '../../store/builds/test-results.ts';

export interface FlakyTest {
  readonly class: string;
  readonly name: string;
  /** Jobs on revisions on which it did both. */
  readonly passed: number;
  readonly failed: number;
  /** The run of the newest failure. */
  readonly lastFailedIn: number;
}

export interface FlakyTests {
  /** Those that failed most often first. */
  readonly tests: readonly FlakyTest[];
  /** There were more failures than are looked at. */
  readonly isCut: boolean;
}

/** Failures that are looked at, newest first. */
export const MAX_FAILURES = 1000;
export const MAX_FLAKY = 100;
/** Tests and jobs whose results are asked for in one statement. */
const TESTS_AT_ONCE = 50;
const JOBS_AT_ONCE = 50;

interface FailedTest {
  readonly class: string;
  readonly name: string;
  readonly jobs: TestedJob[];
}

/** Jobs of one name that ran on the same revisions; a job alone has nothing to differ from. */
export function comparableJobs(jobs: readonly TestedJob[], revisions: readonly RunRevision[]): readonly (readonly TestedJob[])[] {
  const ofRuns = Map.groupBy(revisions, ({ run_id: id }) => id);
  const signatures = new Map([...ofRuns].map(([id, used]) => [id, signatureOf(used)]));
  const groups = Map.groupBy(jobs, ({ run_id: run, stage_key: stage, job_key: job }) =>
    JSON.stringify([stage, job, signatures.get(run) ?? run]),
  );
  return [...groups.values()].filter((group) => group.length > 1);
}

/** The same for runs that were made from the same revisions of the same materials, wherever they were checked out. */
function signatureOf(used: readonly RunRevision[]): string {
  return used
    .map(({ fingerprint, last }) => `${fingerprint}:${last}`)
    .toSorted()
    .join(' ');
}

export async function flakyTests(
  results: Pick<TestResults, 'failuresOf' | 'passedIn'>,
  pipelineKey: string,
  groups: readonly (readonly TestedJob[])[],
): Promise<FlakyTests> {
  const { failed, isCut } = await failuresIn(results, groups);
  const found = new Map<string, FlakyTest>();
  for (const [group, tests] of failed)
    for (const [key, passed] of await passesIn(results, pipelineKey, group, tests)) {
      if (passed === 0) continue;
      const { class: className, name, jobs } = tests.get(key)!;
      const before = found.get(key);
      found.set(key, {
        class: className,
        name,
        passed: passed + (before?.passed ?? 0),
        failed: jobs.length + (before?.failed ?? 0),
        lastFailedIn: Math.max(before?.lastFailedIn ?? 0, ...jobs.map(({ run_id: id }) => id)),
      });
    }
  const tests = [...found.values()].toSorted((a, b) => b.failed - a.failed || b.lastFailedIn - a.lastFailedIn);
  return { tests: tests.slice(0, MAX_FLAKY), isCut: isCut || tests.length > MAX_FLAKY };
}

type Group = readonly TestedJob[];

/** By group and test. */
async function failuresIn(results: Pick<TestResults, 'failuresOf'>, groups: readonly Group[]) {
  const failed = new Map<Group, Map<string, FailedTest>>();
  const jobs = groups.flatMap((group) => group.filter((job) => job.failed > 0).map((job) => ({ group, job })));
  let room = MAX_FAILURES;
  for (const { group, job } of jobs.toSorted((a, b) => b.job.job_id - a.job.job_id)) {
    if (room === 0) return { failed, isCut: true };
    const some = await results.failuresOf(job.job_id, -1, room);
    room -= some.length;
    const ofGroup = failed.getOrInsertComputed(group, () => new Map());
    for (const { test_key: key, class: className, name } of some) {
      const test = ofGroup.getOrInsertComputed(key, () => ({ class: className, name, jobs: [] }));
      if (!test.jobs.includes(job)) test.jobs.push(job);
    }
    await pause();
  }
  return { failed, isCut: room === 0 };
}

/** In how many jobs of a group each test passed, and did not fail as well. */
async function passesIn(
  results: Pick<TestResults, 'passedIn'>,
  pipelineKey: string,
  group: Group,
  tests: ReadonlyMap<string, FailedTest>,
): Promise<Map<string, number>> {
  const passes = new Map<string, number>();
  const keys = [...tests.keys()];
  const ids = group.map(({ job_id: id }) => id);
  for (let key = 0; key < keys.length; key += TESTS_AT_ONCE)
    for (let id = 0; id < ids.length; id += JOBS_AT_ONCE) {
      const passed = await results.passedIn(pipelineKey, keys.slice(key, key + TESTS_AT_ONCE), ids.slice(id, id + JOBS_AT_ONCE));
      for (const { test_key: one, job_id: job } of passed) {
        const hasFailed = tests.get(one)!.jobs.some((failed) => failed.job_id === job);
        if (!hasFailed) passes.set(one, (passes.get(one) ?? 0) + 1);
      }
      await pause();
    }
  return passes;
}
