// The ways in which a command ends early: it was called wrongly, or it failed.

/** Answered with one line, a hint to the help, and the exit code for wrong use. */
export class UsageError extends Error {}

/** The kinds of failures that scripts may want to distinguish. */
export const FAILURE_CODES = { failed: 1, notFound: 3, denied: 4, conflict: 5, unavailable: 6, unknown: 7 } as const;
export type FailureKind = keyof typeof FAILURE_CODES;

/** Answered with its message. The exit code is that of its kind where the command distinguishes kinds, and 1 elsewhere. */
export class CommandFailed extends Error {
  readonly kind: FailureKind;

  constructor(message: string, { kind = 'failed', ...options }: ErrorOptions & { readonly kind?: FailureKind } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** The server does not answer now; it may later. */
export class Unreachable extends CommandFailed {
  constructor(message: string) {
    super(message, { kind: 'unavailable' });
  }
}

const OUTCOME_UNKNOWN = 504;
const KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'denied',
  403: 'denied',
  404: 'notFound',
  409: 'conflict',
  410: 'notFound',
  412: 'conflict',
  502: 'unavailable',
  503: 'unavailable',
  [OUTCOME_UNKNOWN]: 'unknown',
};

/** Of an answer with this status. */
export function kindOfStatus(status: number): FailureKind {
  return KINDS[status] ?? 'failed';
}

/** What became of a request, in words: a change that was not confirmed may have been made all the same. */
export function refusalText(url: string, status: number, message: unknown): string {
  return status === OUTCOME_UNKNOWN
    ? `${url} does not know whether this was done: ${String(message)} (${status}) Look before you do it again.`
    : `${url} refused: ${String(message)} (${status})`;
}
