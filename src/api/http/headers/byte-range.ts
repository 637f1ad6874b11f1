// The header Range, as far as it names one part of a file.
import type { ByteRange } from '../../../artifacts/storage/storage.ts';

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** undefined: all of it, also where several parts are asked for, or none that can be read; `unsatisfiable`: the file has no such bytes. */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  // The other way round it is not a range.
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}
