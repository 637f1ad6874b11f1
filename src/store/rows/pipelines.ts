// The rows about pipelines that are no part of their configuration.

export interface PauseRow {
  /** The name of the pipeline in lower case. */
  key: string;
  cause: string;
  by: string;
  at: string;
}
