// When a material is polled next: after a while when all is well, less and less often when it fails.
const MINUTE_MS = 60_000;
const AFTER_FIRST_FAILURE_MS = 5 * MINUTE_MS;
const MAX_WAIT_MS = 60 * MINUTE_MS;
const GROWTH = 1.5;

/** The last two times it failed, as far as nothing went well in between. */
export interface Failures {
  readonly failedAt: number | undefined;
  readonly failedBeforeAt: number | undefined;
}

export const NO_FAILURES: Failures = { failedAt: undefined, failedBeforeAt: undefined };

export function nextPollAt(endedAt: number, { failedAt, failedBeforeAt }: Failures, intervalMs: number): number {
  if (failedAt === undefined) return endedAt + intervalMs;
  const grown = failedBeforeAt === undefined ? 0 : GROWTH * (failedAt - failedBeforeAt);
  // Requested polls may fail shortly after each other: the wait is never shorter than after a first failure.
  return failedAt + Math.min(Math.max(grown, AFTER_FIRST_FAILURE_MS, intervalMs), MAX_WAIT_MS);
}

export function failedAgain({ failedAt }: Failures, now: number): Failures {
  return { failedAt: now, failedBeforeAt: failedAt };
}
