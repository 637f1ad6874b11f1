// Reads all reports of a job, and replaces the results that were kept before.
import { addAbortSignal, type Readable } from 'node:stream';
import type { TestReport, TestReportTable } from '../store/builds/test-reports.ts';
import { Collected } from './collected.ts';
import { MAX_FILE_BYTES, MAX_FILES, MAX_JOB_BYTES } from './limits.ts';
import { readReport, TOO_LARGE } from './read-report.ts';
import { type ReportFile, readFiles } from './report-files.ts';
import type { TestResult } from './result.ts';

const GONE = 'The file is gone.';
const TOO_MANY_FILES = `There are more than ${MAX_FILES} reports in the job. This one and those after it are left out.`;
const TOO_MANY_BYTES = `The reports of the job are larger than ${MAX_JOB_BYTES / 1024 / 1024} MB. This one and those after it are left out.`;

export interface JobReading {
  readonly reports: Pick<TestReportTable, 'clear' | 'add' | 'finish'>;
  readonly pipelineKey: string;
  /** undefined: the file is gone. */
  read(path: string): Promise<Readable | undefined>;
  readonly signal: AbortSignal;
}

export async function readJob(parts: JobReading, { job_id: jobId, files, unread }: TestReport): Promise<void> {
  const { reports, pipelineKey, signal } = parts;
  const collected = new Collected();
  let position = 0;
  await reports.clear(jobId);
  const keep = async (file: string, results: readonly TestResult[]): Promise<boolean> => {
    signal.throwIfAborted();
    const kept = collected
      .add(file, results)
      .map(({ durationMs, ...rest }) => ({ ...rest, position: position++, duration_ms: durationMs }));
    await reports.add(jobId, pipelineKey, kept);
    return !collected.isFull;
  };
  let bytes = 0;
  for (const [index, file] of readFiles(files).entries()) {
    signal.throwIfAborted();
    bytes += file.bytes;
    const problem = limitOf(index, bytes);
    if (problem !== undefined) collected.addProblem(file.path, problem);
    if (problem !== undefined || collected.isFull) break;
    const unreadable = await readOne(parts, file, (results) => keep(file.path, results));
    if (unreadable !== undefined) collected.addProblem(file.path, unreadable);
  }
  const { total, failed, skipped, durationMs, problems, slowest } = collected;
  const noted = { problems: JSON.stringify(problems), slowest: JSON.stringify(slowest) };
  await reports.finish(jobId, unread, { total, failed, skipped, duration_ms: durationMs, ...noted });
}

function limitOf(index: number, bytes: number): string | undefined {
  if (index >= MAX_FILES) return TOO_MANY_FILES;
  return bytes > MAX_JOB_BYTES ? TOO_MANY_BYTES : undefined;
}

async function readOne(
  { read, signal }: JobReading,
  { path, bytes }: ReportFile,
  take: (results: readonly TestResult[]) => Promise<boolean>,
): Promise<string | undefined> {
  if (bytes > MAX_FILE_BYTES) return TOO_LARGE;
  const stream = await read(path);
  return stream ? readReport(addAbortSignal(signal, stream), take) : GONE;
}
