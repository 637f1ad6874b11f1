// A duration beside its estimate: in numbers, and as a small bar with a mark at the estimate.
import { durationBar, type EstimatedDuration, paceOf } from './duration-estimate.ts';
import { durationText, now } from './time.ts';

interface DurationWithEstimateProps {
  /** When the stage or job began; undefined: not yet. */
  readonly from: number | undefined;
  /** How long the stage or job took; null: it has not ended. */
  readonly ms: number | null;
  readonly estimatedMs: number | undefined;
  /** The duration that the widest bar stands for: bars with the same one can be compared. */
  readonly maxMs?: number;
  readonly hasBar?: boolean;
}

export function DurationWithEstimate({ from, ms, estimatedMs, maxMs = 0, hasBar = false }: DurationWithEstimateProps) {
  if (from === undefined && ms === null) return null;
  const isRunning = ms === null;
  const duration = { ms: ms ?? Math.max(0, now.value - (from ?? 0)), estimatedMs, isRunning };
  const pace = paceOf(duration);
  return (
    <span class={`duration is-${pace}`}>
      {hasBar && <Bar {...duration} maxMs={maxMs} />}
      <span class="number">{durationText(duration.ms)}</span> <span class="duration-estimate">{estimateText(duration)}</span>
    </span>
  );
}

interface BarProps {
  readonly ms: number;
  readonly estimatedMs: number | undefined;
  readonly isRunning: boolean;
  readonly maxMs: number;
}

/** Hidden from screen readers: the numbers beside the bar say the same. */
function Bar({ ms, estimatedMs, isRunning, maxMs }: BarProps) {
  const { length, mark } = durationBar({ ms, estimatedMs }, maxMs);
  return (
    <span class={isRunning ? 'duration-bar is-running' : 'duration-bar'} aria-hidden="true">
      <span class="duration-length" style={{ width: `${length}%` }} />
      {estimatedMs !== undefined && <span class="duration-mark" style={{ left: `${mark}%` }} />}
    </span>
  );
}

/** `usually 12 s`, `3.2 × the usual 12 s`, `8 s left`. */
function estimateText(duration: EstimatedDuration): string {
  const { ms, estimatedMs, isRunning } = duration;
  if (estimatedMs === undefined) return '';
  if (paceOf(duration) === 'slow') return `${(ms / estimatedMs).toFixed(1)} × the usual ${durationText(estimatedMs)}`;
  if (isRunning && ms < estimatedMs) return `about ${durationText(estimatedMs - ms)} left`;
  return `usually ${durationText(estimatedMs)}`;
}
