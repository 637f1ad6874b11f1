// Whether somebody is waiting for answers at the moment: work in the background leaves them room then.

/** Who asks for one thing asks for the next soon after. */
const STILL_THERE_MS = 1_000;

let lastAskedAt = Number.NEGATIVE_INFINITY;

/** Somebody asks for something; `at` as `performance.now()` has it. */
export function noteRequest(at: number): void {
  lastAskedAt = at;
}

export function hasRecentRequests(): boolean {
  return performance.now() - lastAskedAt < STILL_THERE_MS;
}
