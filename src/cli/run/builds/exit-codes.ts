// How commands that follow builds end.
import type { Result } from './answers.ts';

const EXIT_FAILED = 3;
const EXIT_CANCELLED = 4;
export const EXIT_WAITS = 5;

export function exitCodeOf(result: Result): number {
  if (result === 'Passed') return 0;
  return result === 'Cancelled' ? EXIT_CANCELLED : EXIT_FAILED;
}
