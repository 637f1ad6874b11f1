// The results of tests, to read from. Nothing here costs more as history grows: each question says how far it goes back.
import { sql } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import type { TestReportRow, TestResultRow } from '../rows/artifacts.ts';

export type FoundTest = Readonly<Pick<TestResultRow, 'position' | 'test_key' | 'class' | 'name' | 'duration_ms' | 'message' | 'trace'>>;
export type StoredResult = Readonly<Omit<TestResultRow, 'pipeline_key'>>;

/** A job with results, in its run. */
export interface TestedJob extends Readonly<Pick<TestReportRow, 'job_id' | 'total' | 'failed' | 'slowest'>> {
  readonly run_id: number;
  readonly stage_key: string;
  readonly job_key: string;
}

/** One result of a test, in its run. */
export interface ResultInRun extends Readonly<Pick<TestResultRow, 'job_id' | 'result' | 'duration_ms' | 'message'>> {
  readonly run_id: number;
  readonly stage_key: string;
  readonly job_key: string;
}

export interface JobKeys {
  readonly stageKey: string;
  readonly jobKey: string;
}

/** Written as it is: an index knows only these. */
const FAILED = sql<boolean>`result = 'failed'`;
const MAX_AT_ONCE = 200;
/** The state of a job that was taken from its agent: another one does it anew, and only its results count. */
const GIVEN_TO_ANOTHER = 'Rescheduled';

export class TestResults {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All of a job after a position, in the order of its reports. */
  ofJob(jobId: number, after: number, limit: number): Promise<StoredResult[]> {
    return this.#database.query
      .selectFrom('test_results')
      .select(['job_id', 'position', 'test_key', 'class', 'name', 'result', 'duration_ms', 'message', 'trace'])
      .where('job_id', '=', jobId)
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit)
      .execute();
  }

  /** The tests that failed. */
  failuresOf(jobId: number, after: number, limit: number): Promise<FoundTest[]> {
    return this.#database.query
      .selectFrom('test_results')
      .select(['position', 'test_key', 'class', 'name', 'duration_ms', 'message', 'trace'])
      .where('job_id', '=', jobId)
      .where(FAILED)
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit)
      .execute();
  }

  /**
   * The results of a test before a job, newest first. `looked`: how many results were looked at, also those of other jobs of the
   * pipeline, and `last`: the oldest job among them.
   */
  async before(
    pipelineKey: string,
    testKey: string,
    { stageKey, jobKey }: JobKeys,
    jobId: number,
    limit: number,
  ): Promise<{ readonly results: readonly ResultInRun[]; readonly looked: number; readonly last: number }> {
    const { query } = this.#database;
    const older = query
      .selectFrom('test_results')
      .select(['job_id', 'result', 'duration_ms', 'message'])
      .where('pipeline_key', '=', pipelineKey)
      .where('test_key', '=', testKey)
      .where('job_id', '<', jobId)
      .orderBy('job_id', 'desc')
      .limit(limit);
    const rows = await query
      .selectFrom(older.as('older'))
      .innerJoin('jobs', 'jobs.id', 'older.job_id')
      .innerJoin('stage_runs', 'stage_runs.id', 'jobs.stage_run_id')
      .innerJoin('test_reports', 'test_reports.job_id', 'older.job_id')
      .select(['older.job_id', 'older.result', 'older.duration_ms', 'older.message'])
      .select(['stage_runs.run_id', 'jobs.stage_key', 'jobs.job_key', 'jobs.state', 'test_reports.unread'])
      .orderBy('older.job_id', 'desc')
      .execute();
    const counts = ({ state, unread }: (typeof rows)[number]) => unread === 0 && state !== GIVEN_TO_ANOTHER;
    const results = rows.filter((row) => row.stage_key === stageKey && row.job_key === jobKey && counts(row));
    return { results, looked: rows.length, last: rows.at(-1)?.job_id ?? 0 };
  }

  /** The jobs that ran a test, below one, newest first. */
  async jobsOf(pipelineKey: string, testKey: string, below: number, limit: number): Promise<{ job_id: number; run_id: number }[]> {
    const { query } = this.#database;
    const jobs = query
      .selectFrom('test_results')
      .select('job_id')
      .distinct()
      .where('pipeline_key', '=', pipelineKey)
      .where('test_key', '=', testKey)
      .where('job_id', '<', below)
      .orderBy('job_id', 'desc')
      .limit(limit);
    return query
      .selectFrom(jobs.as('tested'))
      .innerJoin('jobs', 'jobs.id', 'tested.job_id')
      .innerJoin('stage_runs', 'stage_runs.id', 'jobs.stage_run_id')
      .select(['tested.job_id', 'stage_runs.run_id'])
      .orderBy('tested.job_id', 'desc')
      .execute();
  }

  /** The results of a test in some runs, oldest first. */
  async ofRuns(pipelineKey: string, testKey: string, runIds: readonly number[]): Promise<ResultInRun[]> {
    const found: ResultInRun[] = [];
    for (const some of chunksOf(runIds, MAX_AT_ONCE)) {
      const rows = await this.#inRuns(some)
        .innerJoin('test_results', 'test_results.job_id', 'jobs.id')
        .select(['test_results.job_id', 'test_results.result', 'test_results.duration_ms', 'test_results.message'])
        .select(['stage_runs.run_id', 'jobs.stage_key', 'jobs.job_key'])
        .where('test_results.pipeline_key', '=', pipelineKey)
        .where('test_results.test_key', '=', testKey)
        .orderBy('test_results.job_id')
        .orderBy('test_results.position')
        .execute();
      found.push(...rows);
    }
    return found;
  }

  /** The jobs of some runs that have reports, oldest first. */
  async testedJobs(runIds: readonly number[]): Promise<TestedJob[]> {
    const found: TestedJob[] = [];
    for (const some of chunksOf(runIds, MAX_AT_ONCE)) {
      const rows = await this.#inRuns(some)
        .select(['test_reports.job_id', 'test_reports.total', 'test_reports.failed', 'test_reports.slowest'])
        .select(['stage_runs.run_id', 'jobs.stage_key', 'jobs.job_key'])
        .orderBy('test_reports.job_id')
        .execute();
      found.push(...rows);
    }
    return found;
  }

  /** Which of these tests passed in which of these jobs. */
  passedIn(pipelineKey: string, testKeys: readonly string[], jobIds: readonly number[]): Promise<{ test_key: string; job_id: number }[]> {
    return this.#database.query
      .selectFrom('test_results')
      .select(['test_key', 'job_id'])
      .distinct()
      .where('pipeline_key', '=', pipelineKey)
      .where('test_key', 'in', testKeys)
      .where('job_id', 'in', jobIds)
      .where('result', '=', 'passed')
      .execute();
  }

  #inRuns(runIds: readonly number[]) {
    return this.#database.query
      .selectFrom('stage_runs')
      .innerJoin('jobs', 'jobs.stage_run_id', 'stage_runs.id')
      .innerJoin('test_reports', 'test_reports.job_id', 'jobs.id')
      .where('stage_runs.run_id', 'in', runIds)
      .where('test_reports.unread', '=', 0)
      .where('jobs.state', '!=', GIVEN_TO_ANOTHER);
  }
}
