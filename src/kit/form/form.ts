// The fields of a form, sent as `application/x-www-form-urlencoded` or `multipart/form-data`.

import type { Pause } from '../concurrency/time-slices.ts';
import { boundaryIn, formParts } from './multipart.ts';

export type FormFields = ReadonlyMap<string, Buffer>;

const BYTES_AT_ONCE = 256 * 1024;
/** Further ones are not looked at. */
const MAX_FIELDS = 100;
const NOTHING = Buffer.alloc(0);
const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = Buffer.from('&=%+ ') as unknown as [number, number, number, number, number];

export function isForm(contentType: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i.test(contentType.trim());
}

/** undefined when the body is no such form. Where a field comes twice, the first counts. */
export async function readForm(body: Buffer, contentType: string, pause: Pause): Promise<FormFields | undefined> {
  if (!/^multipart\//i.test(contentType.trim())) return readUrlEncoded(body, pause);
  const boundary = boundaryIn(contentType);
  return boundary === undefined ? undefined : readMultipart(body, boundary);
}

/** Of the first field of an url-encoded form; empty when there is none. */
export async function firstFormValue(body: Buffer, pause: Pause): Promise<Buffer> {
  for (const pair of split(body, AMPERSAND)) return valueIn(pair, pause);
  return NOTHING;
}

async function readUrlEncoded(body: Buffer, pause: Pause): Promise<FormFields> {
  const fields = new Map<string, Buffer>();
  for (const pair of split(body, AMPERSAND)) {
    if (fields.size === MAX_FIELDS) break;
    const equals = pair.indexOf(EQUALS);
    const name = (await decoded(equals < 0 ? pair : pair.subarray(0, equals), pause)).toString('utf8');
    if (!fields.has(name)) fields.set(name, await valueIn(pair, pause));
  }
  return fields;
}

async function valueIn(pair: Buffer, pause: Pause): Promise<Buffer> {
  const equals = pair.indexOf(EQUALS);
  return equals < 0 ? NOTHING : decoded(pair.subarray(equals + 1), pause);
}

function* split(body: Buffer, separator: number): Generator<Buffer> {
  for (let start = 0; start <= body.length; ) {
    const found = body.indexOf(separator, start);
    const end = found < 0 ? body.length : found;
    if (end > start) yield body.subarray(start, end);
    start = end + 1;
  }
}

async function decoded(text: Buffer, pause: Pause): Promise<Buffer> {
  const out = Buffer.allocUnsafe(text.length);
  let written = 0;
  let nextPause = BYTES_AT_ONCE;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    const value = byte === PERCENT ? hexByte(text, at + 1) : undefined;
    if (value !== undefined) at += 2;
    out[written++] = value ?? (byte === PLUS ? SPACE : byte);
    if (at >= nextPause) {
      await pause();
      nextPause = at + BYTES_AT_ONCE;
    }
  }
  return out.subarray(0, written);
}

function hexByte(text: Buffer, at: number): number | undefined {
  const high = hexDigit(text[at]);
  const low = hexDigit(text[at + 1]);
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function hexDigit(byte = 0): number | undefined {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : undefined;
}

function readMultipart(body: Buffer, boundary: string): FormFields | undefined {
  const fields = new Map<string, Buffer>();
  const parts = formParts(body, boundary);
  for (let next = parts.next(); ; next = parts.next()) {
    if (next.done) return next.value ? fields : undefined;
    const { name, bytes } = next.value;
    if (name !== undefined && !fields.has(name)) fields.set(name, bytes);
  }
}
