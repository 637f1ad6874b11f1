// Counts durations in classes, so that it costs the same after any number of them.

export interface HistogramSnapshot {
  readonly count: number;
  readonly seconds: number;
  /** For each bound, how many took as long at most. */
  readonly buckets: readonly { readonly bound: number; readonly count: number }[];
}

/** Bounds in seconds, for requests and for background work. */
export const REQUEST_BOUNDS: readonly number[] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
export const WORK_BOUNDS: readonly number[] = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

export class Histogram {
  readonly #bounds: readonly number[];
  /** Each counts the values above the bound before it; one after the last bound those above all. The last element is the sum of all. */
  readonly #classes: Float64Array;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#classes = new Float64Array(bounds.length + 2);
  }

  /** In seconds. The clock may have been set back meanwhile: less than nothing counts as nothing. */
  add(seconds: number): void {
    const counted = seconds > 0 ? seconds : 0;
    const bounds = this.#bounds;
    const classes = this.#classes;
    let index = 0;
    while (index < bounds.length && counted > bounds[index]!) index++;
    classes[index]!++;
    classes[bounds.length + 1]! += counted;
  }

  /** Adds all that another one with the same bounds has counted. */
  take(other: Histogram): void {
    for (const [index, value] of other.#classes.entries()) this.#classes[index]! += value;
  }

  snapshot(): HistogramSnapshot {
    let count = 0;
    const buckets = this.#bounds.map((bound, index) => {
      count += this.#classes[index]!;
      return { bound, count };
    });
    return { count: count + this.#classes.at(-2)!, seconds: this.#classes.at(-1)!, buckets };
  }
}
