// How the duration of a stage or job compares with its estimate, which the server derives from earlier runs.

/** Smaller differences are chance, and not worth a word. */
const MIN_DIFFERENCE_MS = 2_000;
const SLOW_FACTOR = 1.5;
const FAST_FACTOR = 0.5;

export type Pace = 'normal' | 'slow' | 'fast';

export interface EstimatedDuration {
  /** How long it has taken so far. */
  readonly ms: number;
  /** Undefined: there is no estimate yet. */
  readonly estimatedMs: number | undefined;
  /** While something runs, it can be slow already, but it is not known whether it is fast. */
  readonly isRunning: boolean;
}

export function paceOf({ ms, estimatedMs, isRunning }: EstimatedDuration): Pace {
  if (estimatedMs === undefined || Math.abs(ms - estimatedMs) < MIN_DIFFERENCE_MS) return 'normal';
  if (ms > estimatedMs * SLOW_FACTOR) return 'slow';
  return !isRunning && ms < estimatedMs * FAST_FACTOR ? 'fast' : 'normal';
}

/** The length of the bar and the position of the mark for the estimate, in percent of the widest bar. */
export function durationBar(
  { ms, estimatedMs = 0 }: Pick<EstimatedDuration, 'ms' | 'estimatedMs'>,
  maxMs: number,
): { readonly length: number; readonly mark: number } {
  const whole = Math.max(maxMs, ms, estimatedMs, 1);
  return { length: Math.max(1, Math.round((100 * ms) / whole)), mark: Math.round((100 * estimatedMs) / whole) };
}
