// A block in front of an entry of a tar archive.
import { isUtf8 } from 'node:buffer';
import { BadArchive } from './bad-archive.ts';

export interface Header {
  readonly type: 'file' | 'folder' | 'records' | 'global records';
  readonly path: string;
  readonly bytes: number;
}

const TYPES: Readonly<Record<string, Header['type']>> = { '0': 'file', '\0': 'file', '5': 'folder', x: 'records', g: 'global records' };
const OTHER_TYPES: Readonly<Record<string, string>> = { '1': 'a link', '2': 'a link', '3': 'a device', '4': 'a device', '6': 'a pipe' };
const CHECKSUM = { start: 148, end: 156 };

/** undefined: a block of zeros, which ends the archive. */
export function readHeader(block: Buffer): Header | undefined {
  const sum = sumOf(block);
  if (sum === 8 * 0x20 && block.every((byte) => byte === 0)) return undefined;
  if (sum !== octalIn(block, CHECKSUM.start, CHECKSUM.end)) throw new BadArchive('it is not a tar archive, or damaged');
  const flag = block.toString('latin1', 156, 157);
  const path = pathIn(block);
  const type = TYPES[flag];
  if (!type) throw new BadArchive(`'${path.slice(0, 200)}' is ${OTHER_TYPES[flag] ?? 'neither a file nor a folder'}`);
  return { type, path, bytes: octalIn(block, 124, 136) };
}

/** The checksum itself counts as blanks. */
function sumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < block.length; at++) if (at < CHECKSUM.start || at >= CHECKSUM.end) sum += block[at]!;
  return sum;
}

function pathIn(block: Buffer): string {
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textIn(block, 345, 500) : '';
  const name = textIn(block, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textIn(block: Buffer, start: number, end: number): string {
  const zero = block.indexOf(0, start);
  const bytes = block.subarray(start, zero < 0 || zero > end ? end : zero);
  if (!isUtf8(bytes)) throw new BadArchive('a name is not UTF-8');
  return bytes.toString();
}

function octalIn(block: Buffer, start: number, end: number): number {
  const [, digits] = /^ *([0-7]+)[ \0]*$/.exec(block.toString('latin1', start, end)) ?? [];
  if (digits === undefined) throw new BadArchive('a number in it is not one');
  return Number.parseInt(digits, 8);
}
