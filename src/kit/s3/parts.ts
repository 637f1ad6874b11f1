// How a file is cut into parts for its way to a bucket.

const USUAL_PART_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 10_000;
const MEBIBYTE = 1024 * 1024;

export interface Part {
  readonly number: number;
  readonly at: number;
  readonly bytes: number;
}

/** The same parts for the same size, so that a copy can go on after a crash. A single part: the file goes as a whole. */
export function partsOf(bytes: number): Part[] {
  const size = Math.max(USUAL_PART_BYTES, Math.ceil(bytes / MAX_PARTS / MEBIBYTE) * MEBIBYTE);
  const count = Math.max(1, Math.ceil(bytes / size));
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    at: index * size,
    bytes: Math.min(size, bytes - index * size),
  }));
}
