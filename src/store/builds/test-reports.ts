// The test reports of jobs: the files to read, and the results found in them. Results count once their report is finished.
import { createHash } from 'node:crypto';
import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { TestReportRow, TestResultRow } from '../rows/artifacts.ts';

export type TestReport = Readonly<TestReportRow>;
export type NewTestResult = Readonly<Omit<TestResultRow, 'job_id' | 'pipeline_key' | 'test_key'>>;
export type FinishedReport = Readonly<Omit<TestReportRow, 'job_id' | 'files' | 'unread'>>;

/** Rows of one statement; the remaining rows are written one by one, so that there are few different statements. */
const ROWS_AT_ONCE = 50;
/** Rows that are deleted in one statement: others wait for it. */
const MAX_DELETED = 2000;
const KEY_LENGTH = 24;

/** Distinguishes a test from all others of its pipeline. */
export function testKeyOf(className: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([className, name]))
    .digest('base64url')
    .slice(0, KEY_LENGTH);
}

export class TestReportTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(jobId: number): Promise<TestReport | undefined> {
    return this.#database.query.selectFrom('test_reports').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  }

  /** Files have to be read, also if they were before. For the commit that publishes them. */
  expect(jobId: number, files: string): CompiledQuery {
    const nothing = { total: 0, failed: 0, skipped: 0, duration_ms: 0, problems: '[]', slowest: '[]' };
    return this.#database.query
      .insertInto('test_reports')
      .values({ job_id: jobId, ...nothing, files, unread: 1 })
      .onConflict((conflict) => conflict.column('job_id').doUpdateSet({ files, unread: sql<number>`test_reports.unread + 1` }))
      .compile();
  }

  /** Jobs whose files are not read, oldest first. */
  async unread(after: number, limit: number): Promise<number[]> {
    const unread = this.#database.query.selectFrom('test_reports').select('job_id').where(sql<boolean>`unread > 0`);
    const rows = await unread.where('job_id', '>', after).orderBy('job_id').limit(limit).execute();
    return rows.map(({ job_id: id }) => id);
  }

  /** Forgets the results of a job, before it is read anew. */
  async clear(jobId: number): Promise<void> {
    const { query } = this.#database;
    for (;;) {
      const ofJob = query.selectFrom('test_results').select('position').where('job_id', '=', jobId);
      const first = await ofJob.orderBy('position').limit(1).executeTakeFirst();
      if (!first) return;
      const some = query
        .deleteFrom('test_results')
        .where('job_id', '=', jobId)
        .where('position', '<', first.position + MAX_DELETED);
      await this.#database.writeRelaxed([some.compile()]);
    }
  }

  /** They can be read again: the report that ends them is written for good, and they are with it. */
  async add(jobId: number, pipelineKey: string, results: readonly NewTestResult[]): Promise<void> {
    const rows = results.map((result) => ({
      ...result,
      job_id: jobId,
      pipeline_key: pipelineKey,
      test_key: testKeyOf(result.class, result.name),
    }));
    const inBlocks = rows.length - (rows.length % ROWS_AT_ONCE);
    const statements: CompiledQuery[] = [];
    for (let start = 0; start < inBlocks; start += ROWS_AT_ONCE) statements.push(this.#insert(rows.slice(start, start + ROWS_AT_ONCE)));
    for (const row of rows.slice(inBlocks)) statements.push(this.#insert([row]));
    if (statements.length > 0) await this.#database.writeRelaxed(statements);
  }

  /** `unread`: as it was when the reading began. Where files came since then the report stays unread. */
  async finish(jobId: number, unread: number, report: FinishedReport): Promise<void> {
    const { query } = this.#database;
    const change = { ...report, unread: 0 };
    await query.updateTable('test_reports').set(change).where('job_id', '=', jobId).where('unread', '=', unread).execute();
  }

  #insert(rows: readonly TestResultRow[]): CompiledQuery {
    return this.#database.query.insertInto('test_results').values(rows).compile();
  }
}
