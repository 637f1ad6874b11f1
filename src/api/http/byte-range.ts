// The header Range, as far as it names one part of a file.

/** The last byte belongs to it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** undefined: all of it, as of headers that nobody understands. */
export function rangeIn(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 || size === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  // The other way round it is not a range.
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'none';
}
