// Runs, jobs and results of tests, put into a database as the server would.
import type { CompiledQuery } from 'kysely';
import { Jobs } from '../../src/store/builds/jobs.ts';
import { type Run, Runs } from '../../src/store/builds/runs.ts';
import { StageRuns } from '../../src/store/builds/stage-runs.ts';
import { type NewTestResult, TestReportTable } from '../../src/store/builds/test-reports.ts';
import type { Database } from '../../src/store/database.ts';
import type { JobState } from '../../src/store/rows/builds.ts';

export interface JobInTest {
  readonly id: number;
  readonly pipelineKey: string;
}

/** A name and its result, as in `{ adds: 'passed' }`; all of one class. */
export type Outcomes = Readonly<Record<string, NewTestResult['result']>>;

interface JobOptions {
  readonly stage?: string;
  readonly job?: string;
  readonly stageCounter?: number;
  readonly originalId?: number | null;
  readonly state?: JobState;
}

const NOW = Date.parse('2026-01-31T09:30:00Z');

export class BuildRows {
  readonly #database: Database;
  readonly #pipeline: string;
  #ids: number;
  #counter = 0;
  #pending: CompiledQuery[] = [];

  /** `firstId`: where ids begin that no other rows use. */
  constructor(database: Database, pipeline: string, firstId: number) {
    this.#database = database;
    this.#pipeline = pipeline;
    this.#ids = firstId;
  }

  get key(): string {
    return this.#pipeline.toLowerCase();
  }

  /** `revision`: the modification it was made from. */
  run(revision: number): Run {
    const [id, counter] = [++this.#ids, ++this.#counter];
    const run: Run = {
      id,
      pipeline_key: this.key,
      pipeline: this.#pipeline,
      counter,
      label: `label-${counter}`,
      trigger: 'manual',
      message: '',
      approver: 'admin',
      comment: null,
      scheduled_at: NOW,
      variables: '[]',
      configuration: 1,
    };
    const more = { type: 'git', name: null, folder: null, description: '', is_changed: 1, first: revision, last: revision };
    const used = { run_id: id, position: 0, pipeline_key: this.key, fingerprint: 'ab', ...more };
    this.#pending.push(...new Runs(this.#database).add(run, [used]));
    return run;
  }

  job(
    { id: runId }: Run,
    { stage = 'test', job = 'unit', stageCounter = 1, originalId = null, state = 'Completed' }: JobOptions = {},
  ): JobInTest {
    const [stageRunId, id] = [++this.#ids, ++this.#ids];
    const common = { pipeline_key: this.key, stage_key: stage, scheduled_at: NOW, completed_at: NOW, result: 'Passed' } as const;
    this.#pending.push(
      ...new StageRuns(this.#database).add({
        ...common,
        id: stageRunId,
        run_id: runId,
        stage,
        position: 0,
        counter: stageCounter,
        approval: 'success',
        approved_by: 'changes',
        is_latest: 1,
        rerun_of_counter: null,
        cancelled_by: null,
        fetch_materials: 1,
        clean_working_directory: 0,
        artifacts_deleted: 0,
        configuration: 1,
      }),
      ...new Jobs(this.#database).add(
        {
          ...common,
          id,
          stage_run_id: stageRunId,
          job_key: job,
          name: job,
          state,
          agent_uuid: null,
          pinned_to: null,
          is_rerun: 0,
          original_id: originalId,
          epoch: 1,
          last_report: 1,
        },
        undefined,
      ),
    );
    return { id, pipelineKey: this.key };
  }

  /** Writes the added rows. */
  async flush(): Promise<void> {
    await this.#database.writeTransaction(this.#pending.splice(0));
  }

  /** A job of a run of its own, with results; `revision` as above. */
  async tested(revision: number, outcomes: Outcomes, more: Parameters<BuildRows['job']>[1] = {}): Promise<{ run: Run; job: JobInTest }> {
    const run = this.run(revision);
    return { run, job: await this.testedIn(run, outcomes, more) };
  }

  async testedIn(run: Run, outcomes: Outcomes, more: Parameters<BuildRows['job']>[1] = {}): Promise<JobInTest> {
    const job = this.job(run, more);
    await this.flush();
    await this.report(
      job,
      Object.entries(outcomes).map(([name, result], position) => resultOf(position, name, result)),
    );
    return job;
  }

  async report(job: JobInTest, results: readonly NewTestResult[], slowest: readonly object[] = []): Promise<void> {
    const reports = new TestReportTable(this.#database);
    await this.#database.writeRelaxed([reports.expect(job.id, '[]')]);
    await reports.add(job.id, job.pipelineKey, results);
    const count = (wanted: string) => results.filter(({ result }) => result === wanted).length;
    await reports.finish(job.id, 1, {
      total: results.length,
      failed: count('failed'),
      skipped: count('skipped'),
      duration_ms: results.reduce((sum, one) => sum + one.duration_ms, 0),
      problems: '[]',
      slowest: JSON.stringify(slowest),
    });
  }
}

export function resultOf(position: number, name: string, result: string): NewTestResult {
  const said = result === 'failed' ? { message: `${name} failed`, trace: `at ${name}` } : { message: null, trace: null };
  return { position, class: 'CartTest', name, result, duration_ms: 10 + position, ...said };
}
