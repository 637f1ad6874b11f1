// How long a webhook waits after it has failed so many times in a row.
const FIRST_MS = 1000;
const MAX_WAIT_MS = 5 * 60_000;

export function waitAfter(failuresInARow: number): number {
  return Math.min(FIRST_MS * 2 ** (failuresInARow - 1), MAX_WAIT_MS);
}
