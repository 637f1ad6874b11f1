// Medians and percentiles of measured values.
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** `share` from 0 to 1; between two values it takes the point in proportion. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
