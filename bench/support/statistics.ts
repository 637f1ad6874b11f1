// Medians and percentiles of measured values.
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** `share` from 0 to 1; between two values it takes the point in proportion. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}
