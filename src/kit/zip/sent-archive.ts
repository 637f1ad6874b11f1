// The entries that an uploaded zip archive lists: nothing in it is trusted before it was checked.
import type { FileHandle } from 'node:fs/promises';
import { readEnd } from './archive-end.ts';
import { ArchiveTooLarge, BadArchive, damagedArchive, toSafeNumber } from './bad-archive.ts';

export interface ListedEntry {
  /** One that ends with a slash is a folder. */
  readonly name: string;
  readonly isDeflated: boolean;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
  readonly headerAt: number;
}

export interface ArchiveLimits {
  readonly entries: number;
  /** All files together. */
  readonly bytes: number;
  /** How often all files together may be larger than the archive, once they are larger than `harmlessBytes`. */
  readonly ratio: number;
  readonly harmlessBytes: number;
}

const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
export const LOCAL_HEADER_BYTES = 30;
/** Maximum size of the directory of an archive: it is held in memory. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
const [IS_ENCRYPTED, IS_PATCH, HIDES_NAMES] = [0x0001, 0x0020, 0x2000];
const [STORED, DEFLATED] = [0, 8];
const UNIX_HOSTS: ReadonlySet<number> = new Set([3, 19]);
const [KIND, FILE, FOLDER] = [0o170000, 0o100000, 0o040000];
const ELSEWHERE_32 = 0xffffffff;
const ZIP64 = 0x0001;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** In the order in which they stand in the archive. */
export async function listedEntries(archive: FileHandle, size: number, limits: ArchiveLimits): Promise<readonly ListedEntry[]> {
  const end = await readEnd(archive, size);
  if (end.entries > limits.entries) throw new BadArchive(`The archive lists more than ${limits.entries} files.`);
  if (end.directoryBytes > MAX_DIRECTORY_BYTES)
    throw new BadArchive(`The list of the archive is larger than ${MAX_DIRECTORY_BYTES} bytes.`);
  const directory = Buffer.alloc(end.directoryBytes);
  if ((await archive.read(directory, 0, directory.length, end.directoryAt)).bytesRead < directory.length) throw damagedArchive();
  const entries: ListedEntry[] = [];
  let at = 0;
  for (let count = 0; count < end.entries; count++) {
    const { entry, next } = readEntry(directory, at);
    entries.push(entry);
    at = next;
  }
  if (at !== directory.length) throw damagedArchive();
  entries.sort((one, other) => one.headerAt - other.headerAt);
  mustBeApart(entries, end.directoryAt);
  mustBeBounded(entries, size, limits);
  return entries;
}

function readEntry(directory: Buffer, at: number): { readonly entry: ListedEntry; readonly next: number } {
  if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY) throw damagedArchive();
  const nameAt = at + ENTRY_BYTES;
  const extraAt = nameAt + directory.readUInt16LE(at + 28);
  const commentAt = extraAt + directory.readUInt16LE(at + 30);
  const next = commentAt + directory.readUInt16LE(at + 32);
  if (next > directory.length) throw damagedArchive();
  const name = nameOf(directory.subarray(nameAt, extraAt));
  const method = directory.readUInt16LE(at + 10);
  if ((directory.readUInt16LE(at + 8) & (IS_ENCRYPTED | IS_PATCH | HIDES_NAMES)) !== 0)
    throw new BadArchive(`'${shown(name)}' is encrypted or a patch.`);
  if (method !== STORED && method !== DEFLATED) throw new BadArchive(`'${shown(name)}' is packed in a way that is not supported.`);
  mustBePlain(name, directory[at + 5]!, directory.readUInt32LE(at + 38));
  const [bytes, packedBytes, headerAt] = wideNumbers(
    [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)],
    directory.subarray(extraAt, commentAt),
  );
  if (method === STORED && bytes !== packedBytes) throw damagedArchive();
  if (name.endsWith('/') && bytes > 0) throw new BadArchive(`The folder '${shown(name)}' has content.`);
  const crc = directory.readUInt32LE(at + 16);
  return { entry: { name, isDeflated: method === DEFLATED, packedBytes, bytes, crc, headerAt }, next };
}

function nameOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BadArchive(`The name '${shown(bytes.toString('latin1'))}' is not UTF-8.`);
  }
}

/** Neither a link nor a device, as far as the archive states its kind. */
function mustBePlain(name: string, host: number, attributes: number): void {
  const kind = UNIX_HOSTS.has(host) ? (attributes >>> 16) & KIND : 0;
  if (kind === 0 || kind === (name.endsWith('/') ? FOLDER : FILE)) return;
  throw new BadArchive(`'${shown(name)}' is neither a file nor a folder.`);
}

/** Numbers that did not fit stand in a field of their own, in this order. */
function wideNumbers(numbers: readonly [number, number, number], extra: Buffer): readonly [number, number, number] {
  const wide = fieldIn(extra, ZIP64);
  let at = 0;
  const [one, two, three] = numbers.map((value) => {
    if (value !== ELSEWHERE_32) return value;
    if (!wide || at + 8 > wide.length) throw damagedArchive();
    at += 8;
    return toSafeNumber(wide.readBigUInt64LE(at - 8));
  });
  return [one!, two!, three!];
}

function fieldIn(extra: Buffer, wanted: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (at + 4 + length > extra.length) return undefined;
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

/** Entries must not share bytes, which would be unpacked again and again. */
function mustBeApart(entries: readonly ListedEntry[], directoryAt: number): void {
  let free = 0;
  for (const { name, headerAt, packedBytes } of entries) {
    if (headerAt < free) throw new BadArchive(`'${shown(name)}' overlaps with another file of the archive.`);
    free = headerAt + LOCAL_HEADER_BYTES + packedBytes;
  }
  if (free > directoryAt) throw damagedArchive();
}

function mustBeBounded(entries: readonly ListedEntry[], size: number, limits: ArchiveLimits): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > limits.harmlessBytes && bytes > size * limits.ratio)
    throw new BadArchive(`The files of the archive are more than ${limits.ratio} times larger than the archive.`);
  if (bytes > limits.bytes)
    throw new ArchiveTooLarge(`The archive holds ${bytes} bytes, and there is room for ${Math.max(0, limits.bytes)}.`);
}

function shown(name: string): string {
  return name.slice(0, 200);
}
