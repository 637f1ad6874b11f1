// One object as it lies in a pack: a head with type and size, for a delta the distance to its base, then the compressed content.
import { deflateSync } from 'node:zlib';
import type { ObjectType } from './objects.ts';

export interface EntryHead {
  readonly type: ObjectType | 'delta' | 'deltaOfId';
  /** Of the content, unpacked. */
  readonly size: number;
  /** How many bytes before this entry the base of the delta begins. */
  readonly distance: number;
  /** The id of the base, where it is named so. */
  readonly baseId: string;
  /** Where the compressed content begins, from the beginning of the entry. */
  readonly contentAt: number;
}

const CODES: Readonly<Record<EntryHead['type'], number>> = { commit: 1, tree: 2, blob: 3, delta: 6, deltaOfId: 7 };
const TYPES = new Map(Object.entries(CODES).map(([type, code]) => [code, type as EntryHead['type']]));
/** More than any head takes. */
export const MAX_HEAD_BYTES = 40;

/** An entry in pieces, the compressed content last. */
export type Entry = readonly Buffer<ArrayBuffer>[];

/** Most content takes a quarter when it is compressed, so a place that large is usually all it takes. */
const COMPRESSED_TO = 1 / 4;
const MIN_CHUNK_BYTES = 16 * 1024;

export function wholeEntry(type: ObjectType, content: Buffer, level?: number): Entry {
  const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.ceil(content.length * COMPRESSED_TO));
  return [typeAndSize(CODES[type], content.length), deflateSync(content, { level, chunkSize })];
}

export function deltaEntry(distance: number, delta: Buffer): Entry {
  return [typeAndSize(CODES.delta, delta.length), distanceBytes(distance), deflateSync(delta)];
}

export function readHead(entry: Buffer): EntryHead {
  let at = 0;
  let byte = entry[at++]!;
  const type = TYPES.get((byte >> 4) & 0x07);
  if (!type) throw new Error('A pack holds an object of a type that is not known here.');
  let size = byte & 0x0f;
  for (let scale = 0x10; byte & 0x80; scale *= 0x80) {
    byte = entry[at++]!;
    size += (byte & 0x7f) * scale;
  }
  if (type === 'deltaOfId') return { type, size, distance: 0, baseId: entry.toString('hex', at, at + 20), contentAt: at + 20 };
  if (type !== 'delta') return { type, size, distance: 0, baseId: '', contentAt: at };
  byte = entry[at++]!;
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = entry[at++]!;
    distance = (distance + 1) * 0x80 + (byte & 0x7f);
  }
  return { type, size, distance, baseId: '', contentAt: at };
}

function typeAndSize(code: number, size: number): Buffer<ArrayBuffer> {
  const bytes = [(code << 4) | (size & 0x0f)];
  for (let rest = Math.floor(size / 0x10); rest > 0; rest = Math.floor(rest / 0x80)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 0x80);
  }
  return Buffer.from(bytes);
}

function distanceBytes(distance: number): Buffer<ArrayBuffer> {
  const bytes = [distance % 0x80];
  for (let rest = Math.floor(distance / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) bytes.unshift(0x80 | (--rest % 0x80));
  return Buffer.from(bytes);
}
