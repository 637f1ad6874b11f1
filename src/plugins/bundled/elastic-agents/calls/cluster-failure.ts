// The error for a cluster that refuses or does not answer.

/** The cluster refuses, or does not answer. */
export class ClusterFailure extends Error {
  /** The status of its answer; undefined: it did not answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
