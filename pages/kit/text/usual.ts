// How long something takes beside how long it usually takes.

/** From here on it is worth a word: shorter ones vary by themselves. */
const LEAST_MS = 2_000;
const MUCH_LONGER = 1.5;
const MUCH_SHORTER = 0.5;

export type Pace = 'usual' | 'slow' | 'fast';

export interface Taken {
  readonly ms: number;
  readonly usualMs: number | undefined;
  /** It has not ended: whether it is fast is not known yet. */
  readonly isRunning: boolean;
}

export function paceOf({ ms, usualMs, isRunning }: Taken): Pace {
  if (usualMs === undefined || Math.abs(ms - usualMs) < LEAST_MS) return 'usual';
  if (ms > usualMs * MUCH_LONGER) return 'slow';
  return !isRunning && ms < usualMs * MUCH_SHORTER ? 'fast' : 'usual';
}

/** How long the bar is and where the usual end stands, in hundredths of the whole. */
export function barOf(
  { ms, usualMs = 0 }: Pick<Taken, 'ms' | 'usualMs'>,
  longestMs: number,
): { readonly length: number; readonly mark: number } {
  const whole = Math.max(longestMs, ms, usualMs, 1);
  return { length: Math.max(1, Math.round((100 * ms) / whole)), mark: Math.round((100 * usualMs) / whole) };
}
