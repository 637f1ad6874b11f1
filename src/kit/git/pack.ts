// A pack and its index as bytes.
import { createHash } from 'node:crypto';
import type { Chunks } from './objects.ts';

export interface PackedObject {
  readonly id: string;
  /** Where its entry begins in the pack. */
  readonly offset: number;
  /** Of its entry. */
  readonly crc: number;
}

export const PACK_HEAD_BYTES = 12;
export const HASH_BYTES = 20;
const PACK_VERSION = 2;
const INDEX_SIGNATURE = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const FAN_OUT = 256;
/** Beyond this size an index needs 64-bit offsets, which are not supported here. */
const MAX_PACK_BYTES = 0x7f_ff_ff_ff;

/** The pack in pieces: head, entries, checksum. */
export function packOf(entries: Buffer, count: number): { readonly pieces: Chunks; readonly checksum: Buffer } {
  if (entries.length + PACK_HEAD_BYTES + HASH_BYTES > MAX_PACK_BYTES) throw new Error('The pack would be larger than 2 GB.');
  const head = Buffer.alloc(PACK_HEAD_BYTES);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(PACK_VERSION, 4);
  head.writeUInt32BE(count, 8);
  const checksum = createHash('sha1').update(head).update(entries).digest();
  return { pieces: [head, entries, checksum], checksum };
}

/** The index of a pack, version 2, from its objects in the order of their ids. */
export function indexOf(objects: readonly PackedObject[], packChecksum: Buffer): Buffer {
  const idsAt = INDEX_SIGNATURE.length + FAN_OUT * 4;
  const crcsAt = idsAt + objects.length * HASH_BYTES;
  const offsetsAt = crcsAt + objects.length * 4;
  const end = offsetsAt + objects.length * 4;
  const index = Buffer.alloc(end + 2 * HASH_BYTES);
  const counts = new Uint32Array(FAN_OUT);
  INDEX_SIGNATURE.copy(index);
  for (const [position, { id, crc, offset }] of objects.entries()) {
    index.write(id, idsAt + position * HASH_BYTES, 'hex');
    index.writeUInt32BE(crc, crcsAt + position * 4);
    index.writeUInt32BE(offset, offsetsAt + position * 4);
    counts[index[idsAt + position * HASH_BYTES]!]!++;
  }
  let total = 0;
  for (const [first, count] of counts.entries()) index.writeUInt32BE((total += count), INDEX_SIGNATURE.length + first * 4);
  packChecksum.copy(index, end);
  createHash('sha1')
    .update(index.subarray(0, end + HASH_BYTES))
    .digest()
    .copy(index, end + HASH_BYTES);
  return index;
}

/** Whether a pack and its index belong together and are as they were written. */
export function isSound(pack: Buffer, index: Buffer): boolean {
  const isWhole = (bytes: Buffer) => {
    const end = bytes.length - HASH_BYTES;
    return end > 0 && createHash('sha1').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end));
  };
  const packChecksum = index.subarray(-2 * HASH_BYTES, -HASH_BYTES);
  return isWhole(pack) && isWhole(index) && pack.subarray(-HASH_BYTES).equals(packChecksum);
}

/** The objects of an index of at most 2 GB, in the order of their ids. */
export function objectsIn(index: Buffer): PackedObject[] {
  const idsAt = INDEX_SIGNATURE.length + FAN_OUT * 4;
  const count = index.readUInt32BE(idsAt - 4);
  const crcsAt = idsAt + count * HASH_BYTES;
  const offsetsAt = crcsAt + count * 4;
  return Array.from({ length: count }, (_, position) => ({
    id: index.toString('hex', idsAt + position * HASH_BYTES, idsAt + (position + 1) * HASH_BYTES),
    crc: index.readUInt32BE(crcsAt + position * 4),
    offset: index.readUInt32BE(offsetsAt + position * 4),
  }));
}

export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** Where an object begins in the pack of this index, of which only the few bytes that are needed are read. */
export async function findInIndex(read: ReadAt, id: string): Promise<number | undefined> {
  const wanted = Buffer.from(id, 'hex');
  const fanOut = await read(0, INDEX_SIGNATURE.length + FAN_OUT * 4);
  if (!fanOut.subarray(0, INDEX_SIGNATURE.length).equals(INDEX_SIGNATURE)) throw new Error('An index of a pack is not of version 2.');
  const upTo = (first: number) => (first < 0 ? 0 : fanOut.readUInt32BE(INDEX_SIGNATURE.length + first * 4));
  const [start, past, total] = [upTo(wanted[0]! - 1), upTo(wanted[0]!), upTo(FAN_OUT - 1)];
  const ids = await read(fanOut.length + start * HASH_BYTES, (past - start) * HASH_BYTES);
  for (let at = 0; at < past - start; at++) {
    if (ids.compare(wanted, 0, HASH_BYTES, at * HASH_BYTES, (at + 1) * HASH_BYTES) !== 0) continue;
    const offset = (await read(fanOut.length + total * (HASH_BYTES + 4) + (start + at) * 4, 4)).readUInt32BE();
    if (offset > MAX_PACK_BYTES) throw new Error('A pack is larger than 2 GB.');
    return offset;
  }
  return undefined;
}
