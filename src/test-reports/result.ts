// The result of one test in a report.

export type Outcome = 'passed' | 'failed' | 'skipped';

export interface TestResult {
  readonly class: string;
  readonly name: string;
  readonly result: Outcome;
  readonly durationMs: number;
  readonly message: string | null;
  readonly trace: string | null;
}

/** A report that could not be read, or not to its end. */
export interface ReportProblem {
  readonly file: string;
  readonly message: string;
}
