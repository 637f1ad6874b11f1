// Writes tar archives piece by piece: ustar, with pax records where a name or a size does not fit into that.

const BLOCK = 512;
const MODE = { file: 0o644, folder: 0o755 } as const;
const TYPE = { file: '0', folder: '5', records: 'x' } as const;
const MAX_NAME_BYTES = 100;
/** Eleven octal digits. */
const MAX_SIZE = 0o77777777777;
const RECORDS_NAME = 'PaxHeaders/entry';
const PLAIN = /^[\x20-\x7e]*$/;

export interface TarEntry {
  /** With slashes. That of a folder ends with one. */
  readonly path: string;
  readonly bytes: number;
  /** In seconds since 1970. */
  readonly modified?: number;
}

/** The two empty blocks at the end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** The header blocks in front of the content of an entry. */
export function tarHead({ path, bytes, modified = 0 }: TarEntry): Buffer {
  const type = path.endsWith('/') ? 'folder' : 'file';
  const records = paxRecords(path, bytes);
  const own = header({ name: records.length > 0 ? plainName(path) : path, type, bytes: Math.min(bytes, MAX_SIZE), modified });
  if (records.length === 0) return own;
  const front = header({ name: RECORDS_NAME, type: 'records', bytes: records.length, modified });
  return Buffer.concat([front, records, tarTail(records.length), own]);
}

/** The padding after the content of an entry. */
export function tarTail(bytes: number): Buffer {
  return TAR_END.subarray(0, (BLOCK - (bytes % BLOCK)) % BLOCK);
}

function paxRecords(path: string, bytes: number): Buffer {
  const fits = Buffer.byteLength(path) <= MAX_NAME_BYTES && PLAIN.test(path);
  const name = fits ? [] : [paxRecord('path', path)];
  return Buffer.concat(bytes > MAX_SIZE ? [...name, paxRecord('size', String(bytes))] : name);
}

/** A record begins with its own length, of which the digits of the length are a part. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let digits = 1;
  while (String(rest.length + digits).length > digits) digits++;
  return Buffer.concat([Buffer.from(String(rest.length + digits)), rest]);
}

/** For programs that know nothing of records. */
function plainName(path: string): string {
  return path.replace(/[^\x20-\x7e]/g, '_').slice(-MAX_NAME_BYTES);
}

interface Header {
  readonly name: string;
  readonly type: keyof typeof TYPE;
  readonly bytes: number;
  readonly modified: number;
}

function header({ name, type, bytes, modified }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, MAX_NAME_BYTES, 'latin1');
  block.write(octal(type === 'folder' ? MODE.folder : MODE.file, 7), 100, 'latin1');
  block.write(octal(0, 7), 108, 'latin1');
  block.write(octal(0, 7), 116, 'latin1');
  block.write(octal(bytes, 11), 124, 'latin1');
  block.write(octal(Math.max(0, Math.floor(modified)), 11), 136, 'latin1');
  block.write('        ', 148, 'latin1');
  block.write(TYPE[type], 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += block[at]!;
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
