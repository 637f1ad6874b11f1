// Whether requests come in at the moment: background work makes room for them then.

/** Requests come in groups: a client that sent one sends the next soon after. */
const RECENT_MS = 1_000;

let lastRequestAt = Number.NEGATIVE_INFINITY;

/** `at`: by `performance.now()`. */
export function noteRequest(at: number): void {
  lastRequestAt = at;
}

export function hasRecentRequests(): boolean {
  return performance.now() - lastRequestAt < RECENT_MS;
}
