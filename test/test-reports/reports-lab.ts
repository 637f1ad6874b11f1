// A database, a folder with files of jobs, and the reading of reports between them.
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { JobIdentifier } from '../../src/artifacts/stage-run.ts';
import { openTestReports } from '../../src/server/builds/test-reports.ts';
import { TestReportTable } from '../../src/store/builds/test-reports.ts';
import { TestResults } from '../../src/store/builds/test-results.ts';
import type { Database } from '../../src/store/database.ts';
import type { TestReports } from '../../src/test-reports/test-reports.ts';
import { openTestDatabase } from '../support/database/database.ts';

export class ReportsLab {
  readonly folder: string;
  database!: Database;
  readonly errors: object[] = [];
  /** The pipelines whose results have changed, in this order. */
  readonly changed: string[] = [];
  /** Called before a file is opened. */
  beforeRead: (path: string) => Promise<void> | void = () => {};
  readonly #open: TestReports[] = [];

  constructor(folder = mkdtempSync(join(tmpdir(), 'slipway-test-reports-'))) {
    this.folder = folder;
  }

  async start(): Promise<this> {
    this.database = await openTestDatabase(join(this.folder, 'test.db'));
    return this;
  }

  /** Opens the reports as after the start of a server. */
  async reports(): Promise<TestReports> {
    const log = { info: () => {}, warn: () => {}, error: (facts: object) => void this.errors.push(facts) };
    const read = (identifier: JobIdentifier, path: string) => this.#read(identifier, path);
    const reports = openTestReports({
      database: this.database,
      artifacts: { storage: { read }, onPublished: () => {} },
      onRead: (pipelineKey) => this.changed.push(pipelineKey),
      log,
    });
    this.#open.push(reports);
    await reports.start();
    return reports;
  }

  /** Returns the file as it is published. */
  file(identifier: JobIdentifier, path: string, content: string | Buffer) {
    const full = this.#pathOf(identifier, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return { path, bytes: Buffer.byteLength(content) };
  }

  remove(identifier: JobIdentifier, path: string): void {
    rmSync(this.#pathOf(identifier, path));
  }

  /** The stored report and results of a job. */
  async known(jobId: number) {
    const report = await new TestReportTable(this.database).find(jobId);
    const results = await new TestResults(this.database).ofJob(jobId, -1, 100_000);
    return {
      isRead: report?.unread === 0,
      counts: report && [report.total, report.failed, report.skipped, report.duration_ms],
      problems: report && JSON.parse(report.problems),
      slowest: report && JSON.parse(report.slowest),
      results: results.map(({ position, name, result }) => [position, name, result]),
    };
  }

  async close(): Promise<void> {
    for (const reports of this.#open) await reports.stop();
    await this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #read(identifier: JobIdentifier, path: string): Promise<Readable | undefined> {
    await this.beforeRead(path);
    const full = this.#pathOf(identifier, path);
    return existsSync(full) ? createReadStream(full) : undefined;
  }

  #pathOf({ pipeline, pipelineCounter, stage, stageCounter, job }: JobIdentifier, path: string): string {
    return join(this.folder, 'artifacts', pipeline, String(pipelineCounter), stage, String(stageCounter), job, path);
  }
}

/** The identifier of a job in a run, by default the first run of a pipeline. */
export const identifierIn = (pipeline: string, pipelineCounter = 1): JobIdentifier => ({
  pipeline,
  pipelineCounter,
  stage: 'test',
  stageCounter: 1,
  job: 'unit',
});

export const suite = (...tests: readonly string[]): string =>
  `<testsuite name="s">${tests.map((name) => (name.startsWith('!') ? `<testcase name="${name.slice(1)}"><failure/></testcase>` : `<testcase name="${name}" time="0.5"/>`)).join('')}</testsuite>`;
