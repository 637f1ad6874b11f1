// How a file is cut into parts for its way to a bucket.

const DEFAULT_PART_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 10_000;
const MEBIBYTE = 1024 * 1024;

export interface Part {
  readonly number: number;
  readonly at: number;
  readonly bytes: number;
}

/** A size always gives the same parts, so that a copy can go on after a crash. A single part: the file goes as a whole. */
export function partsOf(bytes: number): Part[] {
  const size = Math.max(DEFAULT_PART_BYTES, Math.ceil(bytes / MAX_PARTS / MEBIBYTE) * MEBIBYTE);
  const count = Math.max(1, Math.ceil(bytes / size));
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    at: index * size,
    bytes: Math.min(size, bytes - index * size),
  }));
}

/** Maximum size that stores copy with one request. */
export const MAX_COPIED_BYTES = 5 * 1024 ** 3;
const COPIED_PART_BYTES = 1024 ** 3;

/** The parts of an object that is too large for that. The last byte belongs to each. */
export function copyRanges(bytes: number): { readonly start: number; readonly end: number }[] {
  return Array.from({ length: Math.ceil(bytes / COPIED_PART_BYTES) }, (_, index) => ({
    start: index * COPIED_PART_BYTES,
    end: Math.min(bytes, (index + 1) * COPIED_PART_BYTES) - 1,
  }));
}
