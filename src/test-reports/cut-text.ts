// Texts of reports, cut to the length that is kept.
import { createHash } from 'node:crypto';

const SIGN = '…';
const SIGN_BYTES = Buffer.byteLength(SIGN);
const DIGEST = 12;
/** The first and second bit of a byte that goes on with a character. */
const INSIDE = 0b1000_0000;
const BITS = 0b1100_0000;

/** A copy, also of a text that is short enough: it may be part of one that is long, which would stay in memory. */
export function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.length > maxBytes ? text.slice(0, maxBytes + 1) : text);
  return bytes.length <= maxBytes ? bytes.toString() : beginning(bytes, maxBytes - SIGN_BYTES) + SIGN;
}

/** The same for names, which distinguish tests: two long names that begin alike stay different. */
export function cutName(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.length > maxBytes ? text.slice(0, maxBytes + 1) : text);
  if (bytes.length <= maxBytes) return bytes.toString();
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST);
  return `${beginning(bytes, maxBytes - SIGN_BYTES - DIGEST)}${SIGN}${digest}`;
}

/** Whole characters. */
function beginning(bytes: Buffer, maxBytes: number): string {
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & BITS) === INSIDE) end--;
  return bytes.subarray(0, end).toString();
}
