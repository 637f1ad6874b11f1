// How long a webhook waits after it has failed so many times in a row.
import { backOffMs } from '../../kit/concurrency/retry/exponential-back-off.ts';

const BACK_OFF = { firstMs: 1000, maxMs: 5 * 60_000 };

export function waitAfter(failuresInARow: number): number {
  return backOffMs(BACK_OFF, failuresInARow);
}
