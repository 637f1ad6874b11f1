// When an agent that could not be had is tried again.

export interface Failures {
  readonly count: number;
  /** When the last one was. */
  readonly at: number;
  readonly message: string;
}

const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 5 * 60_000;

export function failedAgain(before: Failures | undefined, message: string, at: number): Failures {
  return { count: (before?.count ?? 0) + 1, at, message };
}

export function retryAt({ count, at }: Failures): number {
  return at + Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS);
}
