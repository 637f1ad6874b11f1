// Sizes for people.

const UNITS = ['kB', 'MB', 'GB', 'TB'];
const STEP = 1000;

export function formatSize(bytes: number): string {
  let [size, unit] = [bytes, 'bytes'];
  for (const larger of UNITS) {
    if (size < STEP) break;
    [size, unit] = [size / STEP, larger];
  }
  return `${unit === 'bytes' ? size : size.toFixed(1)} ${unit}`;
}
