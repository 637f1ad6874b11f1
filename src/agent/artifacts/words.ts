// Sizes for people.

const UNITS = ['kB', 'MB', 'GB', 'TB'];
const STEP = 1000;

export function sizeInWords(bytes: number): string {
  let [size, unit] = [bytes, 'bytes'];
  for (const larger of UNITS) {
    if (size < STEP) break;
    [size, unit] = [size / STEP, larger];
  }
  return `${unit === 'bytes' ? size : size.toFixed(1)} ${unit}`;
}

/** As the reference says it. */
export function deniedWords(file: string, bytes: number): string {
  return `Artifact upload for file ${file} (Size: ${bytes}) was denied by the server. This usually happens when server runs out of disk space.`;
}
