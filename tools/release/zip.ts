// Zip archives of files, for Windows. The same files and the same time give the same bytes.
import { crc32, deflateRawSync } from 'node:zlib';
import { type Entry, modeOf } from './entry.ts';

const NEEDED_VERSION = 20;
const MADE_BY_UNIX = (3 << 8) | NEEDED_VERSION;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const REGULAR_FILE = 0o100000;
const FIRST_YEAR = 1980;

/** A number and in how many bytes it stands. */
type Field = readonly [bytes: 2 | 4, value: number];

export function zipOf(entries: readonly Entry[], time: Date): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.content, { level: 9 });
    const [name, common] = [Buffer.from(entry.name), commonFields(entry, packed.length, time)];
    const local = Buffer.concat([record([[4, 0x04034b50], ...common]), name, packed]);
    const attributes = (REGULAR_FILE | modeOf(entry)) * 0x10000;
    directory.push(record([[4, 0x02014b50], [2, MADE_BY_UNIX], ...common, [2, 0], [2, 0], [2, 0], [4, attributes], [4, at]]), name);
    parts.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, list.length],
    [4, at],
    [2, 0],
  ]);
  return Buffer.concat([...parts, list, end]);
}

/** The fields that the local header and the central directory share. */
function commonFields({ name, content }: Entry, packedBytes: number, time: Date): readonly Field[] {
  return [
    [2, NEEDED_VERSION],
    [2, UTF8_NAMES],
    [2, DEFLATED],
    [4, dosTime(time)],
    [4, crc32(content)],
    [4, packedBytes],
    [4, content.length],
    [2, Buffer.byteLength(name)],
    [2, 0],
  ];
}

/** In UTC: a zip does not say in which zone its times are, and must not depend on that of the machine. */
function dosTime(time: Date): number {
  const day = ((time.getUTCFullYear() - FIRST_YEAR) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return day * 0x10000 + clock;
}

function record(fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = bytes === 2 ? buffer.writeUInt16LE(value, at) : buffer.writeUInt32LE(value, at);
  return buffer;
}
