// How the last runs went, as the API tells it, and as bars.

interface Spread {
  readonly median: number;
  readonly p90: number;
}

export interface FigureRun {
  readonly counter: number;
  readonly label: string;
  readonly result: string;
  readonly duration_ms: number;
  readonly waiting_ms: number;
}

export interface Figures {
  readonly summary: {
    readonly runs: number;
    readonly passed: number;
    readonly success_rate: number | null;
    readonly duration_ms: Spread | null;
    readonly waiting_ms: Spread | null;
  };
  /** Newest first. */
  readonly runs: readonly FigureRun[];
}

export interface Bar {
  readonly run: FigureRun;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export const BARS_HEIGHT = 28;
export const BAR_WIDTH = 5;
const BAR_STEP = 7;
const MAX_BARS = 40;
const LEAST_HEIGHT = 3;

/** The last runs from left to right, the newest on the right, as high as they took long. */
export function barsOf(runs: readonly FigureRun[]): Bar[] {
  const last = runs.slice(0, MAX_BARS).toReversed();
  const longest = Math.max(1, ...last.map(({ duration_ms }) => duration_ms));
  return last.map((run, index) => {
    const height = LEAST_HEIGHT + Math.round((run.duration_ms / longest) * (BARS_HEIGHT - LEAST_HEIGHT));
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
