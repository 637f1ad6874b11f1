// How a restore says that it does not happen.
/** The backup or the directory does not allow a restore; `problems` says all that is wrong. */
export class RestoreRefused extends Error {
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = [], options: ErrorOptions = {}) {
    super(message, options);
    this.problems = problems;
  }
}
