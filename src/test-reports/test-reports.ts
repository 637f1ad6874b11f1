// Reads the reports of tests that jobs publish, in the background, one job after the other. Reports that are unread when the server
// ends are read after its next start.
import type { Readable } from 'node:stream';
import type { CompiledQuery } from 'kysely';
import { KeyedMutex } from '../kit/concurrency/keyed-mutex.ts';
import type { Log } from '../kit/log.ts';
import { TestReportTable } from '../store/builds/test-reports.ts';
import type { Database } from '../store/database.ts';
import { readJob } from './read-job.ts';
import { joined, type ReportFile, readFiles, reportsAmong } from './report-files.ts';

export interface TestReportParts {
  readonly database: Database;
  /** The key of the pipeline of a job; undefined: there is no such job. */
  pipelineOf(jobId: number): Promise<string | undefined>;
  /** A published file of a job; undefined: it is gone. */
  read(jobId: number, path: string): Promise<Readable | undefined>;
  /** The results of a job have changed. */
  onRead(pipelineKey: string): void;
  readonly log: Log;
}

/** Jobs that are looked for at once after a start. */
const BATCH = 100;

export class TestReports {
  readonly #parts: TestReportParts;
  readonly #table: TestReportTable;
  /** Jobs in the order in which they are read. */
  readonly #waiting = new Set<number>();
  /** Notes of one job are written one after the other. */
  readonly #notes = new KeyedMutex();
  #stopping = new AbortController();
  #isStarted = false;
  #reading: Promise<void> | undefined;

  constructor(parts: TestReportParts) {
    this.#parts = parts;
    this.#table = new TestReportTable(parts.database);
  }

  /** Looks for reports that an earlier server has not read. */
  async start(): Promise<void> {
    this.#stopping = new AbortController();
    this.#isStarted = true;
    for (let after = 0, found: number[]; ; after = found.at(-1)!) {
      found = await this.#table.unread(after, BATCH);
      for (const id of found) this.#waiting.add(id);
      if (found.length < BATCH) break;
    }
    this.#go();
  }

  /** Returns when nothing is read any more; the rest is left for the next start. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#waiting.clear();
    this.#stopping.abort();
    await this.settled();
  }

  /** Returns when nothing waits to be read. */
  async settled(): Promise<void> {
    while (this.#reading) await this.#reading;
  }

  /**
   * Statements for the commit that publishes the files, so that they are read even if the server ends right after it. Empty: none of them
   * is a report. No other call may publish files of this job meanwhile. `wake` has them read then.
   */
  async expect(jobId: number, files: readonly ReportFile[]): Promise<CompiledQuery[]> {
    const reports = reportsAmong(files);
    if (reports.length === 0) return [];
    const before = await this.#table.find(jobId);
    return [this.#table.expect(jobId, JSON.stringify(joined(before ? readFiles(before.files) : [], reports)))];
  }

  /** Files that were expected are there. */
  wake(jobId: number): void {
    // Behind all others, also if it is there already: it may be under way.
    this.#waiting.delete(jobId);
    this.#waiting.add(jobId);
    this.#go();
  }

  /**
   * Files of type `test` were published: for those whose commit did not have the statements of `expect`. All reports of the job are read,
   * also those of earlier calls, and their results replace the earlier ones. Returns when the files are noted as unread.
   */
  async take(jobId: number, files: readonly ReportFile[]): Promise<void> {
    await this.#notes.run(String(jobId), async () => {
      const statements = await this.expect(jobId, files);
      if (statements.length === 0) return;
      await this.#parts.database.writeTransaction(statements);
      this.wake(jobId);
    });
  }

  #go(): void {
    if (!this.#isStarted || this.#reading) return;
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
      // Jobs that came in the last moment.
      if (this.#waiting.size > 0) this.#go();
    });
  }

  async #readAll(): Promise<void> {
    for (const jobId of this.#waiting) {
      this.#waiting.delete(jobId);
      try {
        await this.#readOne(jobId);
      } catch (failure) {
        // The next start tries again: that of the server, or of another one that takes over.
        if (!this.#stopping.signal.aborted)
          this.#parts.log.error({ err: failure, job: jobId }, 'the test reports of a job could not be read');
      }
    }
  }

  async #readOne(jobId: number): Promise<void> {
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    const report = await this.#table.find(jobId);
    const pipelineKey = await this.#parts.pipelineOf(jobId);
    if (!report || report.unread === 0 || pipelineKey === undefined) return;
    const read = (path: string) => this.#parts.read(jobId, path);
    await readJob({ reports: this.#table, pipelineKey, read, signal }, report);
    this.#parts.onRead(pipelineKey);
  }
}
