// The statistics of a pipeline as the API returns them, and the durations of its last runs as bars.

interface Distribution {
  readonly median: number;
  readonly p90: number;
}

export interface RunStatistics {
  readonly counter: number;
  readonly label: string;
  readonly result: string;
  readonly duration_ms: number;
  readonly waiting_ms: number;
}

export interface Statistics {
  readonly summary: {
    readonly runs: number;
    readonly passed: number;
    readonly success_rate: number | null;
    readonly duration_ms: Distribution | null;
    readonly waiting_ms: Distribution | null;
  };
  /** Newest first. */
  readonly runs: readonly RunStatistics[];
}

export interface Bar {
  readonly run: RunStatistics;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export const BARS_HEIGHT = 28;
export const BAR_WIDTH = 5;
const BAR_STEP = 7;
const MAX_BARS = 40;
const MIN_HEIGHT = 3;

/** The last runs from left to right, the newest on the right, as high as they took long. */
export function barsOf(runs: readonly RunStatistics[]): Bar[] {
  const last = runs.slice(0, MAX_BARS).toReversed();
  const maxMs = Math.max(1, ...last.map(({ duration_ms }) => duration_ms));
  return last.map((run, index) => {
    const height = MIN_HEIGHT + Math.round((run.duration_ms / maxMs) * (BARS_HEIGHT - MIN_HEIGHT));
    return { run, x: index * BAR_STEP, y: BARS_HEIGHT - height, height };
  });
}

export function barsWidth(count: number): number {
  return Math.max(1, count * BAR_STEP - (BAR_STEP - BAR_WIDTH));
}

/** `92 %`; never rounded up to all, or down to none. */
export function rateText(rate: number): string {
  const percent = rate * 100;
  if (percent > 99 && percent < 100) return '> 99 %';
  if (percent > 0 && percent < 1) return '< 1 %';
  return `${Math.round(percent)} %`;
}
