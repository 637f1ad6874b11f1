// Which bytes of a file a request wants.
import type { ByteRange } from '../../../artifacts/place/place.ts';

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** undefined: all of it, also where several ranges are asked for, or none that can be read; `unsatisfiable`: the file has no such bytes. */
export function byteRangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '')
    return Number(last) === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= bytes ? 'unsatisfiable' : { start, end };
}
