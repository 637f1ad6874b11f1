// Tar archives of files, in the form that every tar reads (ustar). The same files and the same time give the same bytes.
import { type Entry, modeOf } from './entry.ts';

const BLOCK = 512;
const MAX_NAME = 100;
const MAX_PREFIX = 155;
const REGULAR = '0';

export function tarOf(entries: readonly Entry[], time: Date): Buffer {
  const blocks = entries.flatMap((entry) => [headerOf(entry, time), entry.content, Buffer.alloc(padding(entry.content.length))]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function padding(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

/** Files belong to root when root unpacks the archive, otherwise to the user who unpacks it. */
function headerOf(entry: Entry, time: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  const { name, prefix } = splitName(entry.name);
  header.write(name, 0);
  header.write(octal(modeOf(entry), 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(entry.content.length, 12), 124);
  header.write(octal(Math.floor(time.getTime() / 1000), 12), 136);
  header.fill(' ', 148, 156);
  header.write(REGULAR, 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function octal(value: number, bytes: number): string {
  return `${value.toString(8).padStart(bytes - 1, '0')}\0`;
}

/** A long name is cut at a slash. */
function splitName(whole: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(whole) <= MAX_NAME) return { name: whole, prefix: '' };
  const cut = whole.indexOf('/', whole.length - MAX_NAME - 1);
  const [prefix, name] = [whole.slice(0, cut), whole.slice(cut + 1)];
  if (cut < 0 || Buffer.byteLength(name) > MAX_NAME || Buffer.byteLength(prefix) > MAX_PREFIX)
    throw new Error(`The name ${whole} is too long for a tar archive.`);
  return { name, prefix };
}

/** The files of an archive whose names are short enough for it, which those of npm are. */
export function entriesOfTar(tar: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from: number, bytes: number) => tar.toString('utf8', at + from, at + from + bytes).replace(/\0.*$/s, '');
    const bytes = Number.parseInt(text(124, 12), 8);
    const [name, prefix] = [text(0, MAX_NAME), text(345, MAX_PREFIX)];
    const content = tar.subarray(at + BLOCK, at + BLOCK + bytes);
    const isFile = ['0', '\0'].includes(tar.toString('latin1', at + 156, at + 157));
    const isProgram = (Number.parseInt(text(100, 8), 8) & 0o111) !== 0;
    if (isFile) entries.push({ name: prefix === '' ? name : `${prefix}/${name}`, content, isProgram });
    at += BLOCK + bytes + padding(bytes);
  }
  return entries;
}
