// The rows of the artifacts and tests of jobs. Times are milliseconds.

/** A file of a job, or an empty folder. Only published ones have a row. */
export interface ArtifactRow {
  job_id: number;
  /** Below the folder of the job, with slashes; that of an empty folder ends with one. */
  path: string;
  bytes: number;
  /** In hex, as is `md5`; empty for a folder. */
  sha256: string;
  md5: string;
  created_at: number;
}

/** The size of all artifacts of a pipeline together. */
export interface ArtifactUsageRow {
  pipeline_key: string;
  files: number;
  bytes: number;
}

/** A stage run whose artifacts are being deleted. The row goes when they are gone. */
export interface PurgeRow {
  stage_run_id: number;
  /** Why, in words. */
  reason: string;
  begun_at: number;
}

/** All tests of a job together. */
export interface TestReportRow {
  job_id: number;
  total: number;
  failed: number;
  skipped: number;
  duration_ms: number;
  /** JSON: files that could not be read, and why. */
  problems: string;
  /** JSON: the tests that took longest. */
  slowest: string;
  /** JSON: the files that it was, or will be, read from. */
  files: string;
  /** How often files were published that are not read yet. As long as there are any, nothing else of the row counts. */
  unread: number;
}

export interface TestResultRow {
  job_id: number;
  position: number;
  pipeline_key: string;
  /** Distinguishes the test from all others of the pipeline: a digest of its class and its name. */
  test_key: string;
  class: string;
  name: string;
  /** `passed`, `failed` or `skipped`. */
  result: string;
  duration_ms: number;
  message: string | null;
  trace: string | null;
}
