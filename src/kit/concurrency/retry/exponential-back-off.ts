// How long to wait after failures: twice as long from one to the next, up to a limit.

export interface BackOffLimits {
  /** After the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
}

export function backOffMs({ firstMs, maxMs }: BackOffLimits, failuresInARow: number): number {
  return failuresInARow < 1 ? 0 : Math.min(firstMs * 2 ** (failuresInARow - 1), maxMs);
}
