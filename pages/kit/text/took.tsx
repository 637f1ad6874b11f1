// A duration, beside the usual one: in figures, and as a small bar with a mark where it usually ends.
import { durationText, now } from './time.ts';
import { barOf, paceOf, type Taken } from './usual.ts';

interface TookProps {
  /** When it began; undefined: it has not. */
  readonly from: number | undefined;
  /** How long it took; null: it has not ended. */
  readonly ms: number | null;
  readonly usualMs: number | undefined;
  /** Bars of several things can be compared when they have the same. */
  readonly longestMs?: number;
  readonly hasBar?: boolean;
}

export function Took({ from, ms, usualMs, longestMs = 0, hasBar = false }: TookProps) {
  if (from === undefined && ms === null) return null;
  const isRunning = ms === null;
  const taken = { ms: ms ?? Math.max(0, now.value - (from ?? 0)), usualMs, isRunning };
  const pace = paceOf(taken);
  return (
    <span class={`took is-${pace}`}>
      {hasBar && <Bar {...taken} longestMs={longestMs} />}
      <span class="number">{durationText(taken.ms)}</span> <span class="took-usual">{usualText(taken)}</span>
    </span>
  );
}

interface BarProps {
  readonly ms: number;
  readonly usualMs: number | undefined;
  readonly isRunning: boolean;
  readonly longestMs: number;
}

/** Says nothing that does not stand beside it in figures. */
function Bar({ ms, usualMs, isRunning, longestMs }: BarProps) {
  const { length, mark } = barOf({ ms, usualMs }, longestMs);
  return (
    <span class={isRunning ? 'took-bar is-running' : 'took-bar'} aria-hidden="true">
      <span class="took-length" style={{ width: `${length}%` }} />
      {usualMs !== undefined && <span class="took-mark" style={{ left: `${mark}%` }} />}
    </span>
  );
}

/** `usually 12 s`, `3.2 × the usual 12 s`, `8 s left`. */
function usualText(taken: Taken): string {
  const { ms, usualMs, isRunning } = taken;
  if (usualMs === undefined) return '';
  if (paceOf(taken) === 'slow') return `${(ms / usualMs).toFixed(1)} × the usual ${durationText(usualMs)}`;
  if (isRunning && ms < usualMs) return `about ${durationText(usualMs - ms)} left`;
  return `usually ${durationText(usualMs)}`;
}
