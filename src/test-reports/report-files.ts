// Which of the published files are reports of tests.
import { MAX_FILES } from './limits.ts';

export interface ReportFile {
  /** Below the folder of the job. */
  readonly path: string;
  readonly bytes: number;
}

const REPORT = /\.(?:xml|trx)$/i;

export function reportsAmong(files: readonly ReportFile[]): readonly ReportFile[] {
  return files.filter(({ path }) => REPORT.test(path)).map(({ path, bytes }) => ({ path, bytes }));
}

/** Those that were there and those that came, in the order of their paths. One more than are read, so that the excess is reported. */
export function joined(before: readonly ReportFile[], more: readonly ReportFile[]): readonly ReportFile[] {
  const all = new Map([...before, ...more].map((file) => [file.path, file]));
  return [...all.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_FILES + 1);
}

/** As they are noted. */
export function readFiles(text: string): readonly ReportFile[] {
  return JSON.parse(text);
}
