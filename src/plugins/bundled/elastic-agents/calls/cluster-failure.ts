// What is thrown when a cluster refuses or does not answer.

/** The cluster refuses, or does not answer. */
export class ClusterFailure extends Error {
  /** What it answered with; undefined: it did not answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
