// Histograms of one thing by labels: durations of polls by the type of the material and how they ended.
import { Histogram, type HistogramSnapshot } from './histogram.ts';

export interface Series {
  /** In the order of the names. */
  readonly values: readonly string[];
  readonly snapshot: HistogramSnapshot;
}

export class LabelledHistograms {
  readonly names: readonly string[];
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly histogram: Histogram }>();

  constructor(names: readonly string[], bounds: readonly number[]) {
    this.names = names;
    this.#bounds = bounds;
  }

  /** The values must be few: each combination is kept for ever. */
  add(values: readonly string[], seconds: number): void {
    const known = this.#series.getOrInsertComputed(values.join('\n'), () => ({ values, histogram: new Histogram(this.#bounds) }));
    known.histogram.add(seconds);
  }

  all(): Series[] {
    return [...this.#series.values()].map(({ values, histogram }) => ({ values, snapshot: histogram.snapshot() }));
  }
}
