// The records of a zip archive whose entries are stored as they are, in the form for sizes beyond four gigabytes.
import { chunksOf } from '../chunks.ts';

export interface ZipEntry {
  readonly name: string;
  readonly mode: number;
  readonly time: Date;
  /** Where its local header begins. */
  readonly headerAt: number;
  readonly bytes: number;
  readonly crc: number;
}

/** A number and in how many bytes it stands. */
type Field = readonly [bytes: 2 | 4 | 8, value: number];

const NEEDED_VERSION = 45;
const MADE_BY_UNIX = (3 << 8) | NEEDED_VERSION;
/** Sizes and checksum follow the content, and names are UTF-8. */
const FLAGS = 0x0808;
const STORED = 0;
const SEE_ELSEWHERE_16 = 0xffff;
const SEE_ELSEWHERE_32 = 0xffffffff;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;

/** Stands before the content, when its checksum is not known yet. */
export function localHeader({ name, time }: Pick<ZipEntry, 'name' | 'time'>): Buffer {
  const extra = zip64Extra([0, 0]);
  return Buffer.concat([
    record([
      [4, 0x04034b50],
      [2, NEEDED_VERSION],
      [2, FLAGS],
      [2, STORED],
      [4, dosTime(time)],
      [4, 0],
      [4, SEE_ELSEWHERE_32],
      [4, SEE_ELSEWHERE_32],
      [2, Buffer.byteLength(name)],
      [2, extra.length],
    ]),
    Buffer.from(name),
    extra,
  ]);
}

/** Stands after the content. */
export function dataDescriptor({ crc, bytes }: Pick<ZipEntry, 'crc' | 'bytes'>): Buffer {
  return record([
    [4, 0x08074b50],
    [4, crc],
    [8, bytes],
    [8, bytes],
  ]);
}

/** Entries that are listed in one piece: about a millisecond of work. */
const LISTED_AT_ONCE = 100;

/** Stands at the end and says where everything is. In pieces: an archive can have very many entries. */
export function* directory(entries: readonly ZipEntry[], at: number): Generator<Buffer, void> {
  let bytes = 0;
  for (const some of chunksOf(entries, LISTED_AT_ONCE)) {
    const piece = Buffer.concat(some.map(listing));
    bytes += piece.length;
    yield piece;
  }
  yield directoryEnd(entries.length, bytes, at);
}

function directoryEnd(length: number, listedBytes: number, at: number): Buffer {
  return Buffer.concat([
    record([
      [4, 0x06064b50],
      [8, 44],
      [2, MADE_BY_UNIX],
      [2, NEEDED_VERSION],
      [4, 0],
      [4, 0],
      [8, length],
      [8, length],
      [8, listedBytes],
      [8, at],
    ]),
    record([
      [4, 0x07064b50],
      [4, 0],
      [8, at + listedBytes],
      [4, 1],
    ]),
    record([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, SEE_ELSEWHERE_16],
      [2, SEE_ELSEWHERE_16],
      [4, SEE_ELSEWHERE_32],
      [4, SEE_ELSEWHERE_32],
      [2, 0],
    ]),
  ]);
}

function listing({ name, mode, time, headerAt, bytes, crc }: ZipEntry): Buffer {
  const extra = zip64Extra([bytes, bytes, headerAt]);
  const kind = name.endsWith('/') ? FOLDER : REGULAR_FILE;
  return Buffer.concat([
    record([
      [4, 0x02014b50],
      [2, MADE_BY_UNIX],
      [2, NEEDED_VERSION],
      [2, FLAGS],
      [2, STORED],
      [4, dosTime(time)],
      [4, crc],
      [4, SEE_ELSEWHERE_32],
      [4, SEE_ELSEWHERE_32],
      [2, Buffer.byteLength(name)],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, ((kind | mode) << 16) >>> 0],
      [4, SEE_ELSEWHERE_32],
    ]),
    Buffer.from(name),
    extra,
  ]);
}

function zip64Extra(values: readonly number[]): Buffer {
  return record([[2, 1], [2, values.length * 8], ...values.map((value) => [8, value] as const)]);
}

/** Local time in steps of two seconds, as the format has it. */
function dosTime(time: Date): number {
  const date = ((Math.max(time.getFullYear(), 1980) - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  return ((date << 16) | (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)) >>> 0;
}

function record(fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}
