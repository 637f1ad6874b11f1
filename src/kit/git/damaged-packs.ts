// Looks at every pack of a history: whether it is as it was written, and whether none is missing.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { HASH_BYTES } from './pack.ts';
import { currentPacks, filesOf, packsIn, removePack } from './pack-files.ts';
import { isOwn, type PackName } from './pack-names.ts';

const BYTES_AT_ONCE = 1024 * 1024;

/** The problems, as messages. Reads all packs, and removes broken ones that are not needed. */
export function damageIn(repository: string): string[] {
  const broken = packsIn(repository).filter(({ name }) => !isSound(repository, name));
  const current = currentPacks(repository);
  const needed = new Set(current.map(({ name }) => name));
  for (const { name } of broken) if (!needed.has(name)) removePack(repository, name);
  const lost = broken.filter(({ name }) => needed.has(name));
  return [...lost.map(({ name }) => `${name} is not as it was written`), ...gapsIn(current)];
}

/** Where another program has repacked, it is not known which packs there should be. */
function gapsIn(packs: readonly PackName[]): string[] {
  const ordinals = new Set(packs.filter(isOwn).map(({ ordinal }) => ordinal));
  if (!packs.every(isOwn)) return [];
  const expected = Array.from({ length: Math.max(-1, ...ordinals) + 1 }, (_, ordinal) => ordinal);
  return expected.filter((ordinal) => !ordinals.has(ordinal)).map((ordinal) => `the packs of series ${ordinal} are missing`);
}

function isSound(repository: string, name: string): boolean {
  const [pack, index] = [checked(filesOf(repository, name).pack), checked(filesOf(repository, name).idx)];
  return pack !== undefined && index?.beforeEnd.equals(pack.end) === true;
}

/** The checksum at the end of a file, and the bytes before it; undefined: there is none, or it is wrong. */
function checked(path: string): { readonly end: Buffer; readonly beforeEnd: Buffer } | undefined {
  const file = opened(path);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    if (size < 2 * HASH_BYTES) return undefined;
    const hash = createHash('sha1');
    const buffer = Buffer.allocUnsafe(BYTES_AT_ONCE);
    for (let at = 0; at < size - HASH_BYTES; ) {
      const read = readSync(file, buffer, 0, Math.min(BYTES_AT_ONCE, size - HASH_BYTES - at), at);
      if (read === 0) return undefined;
      hash.update(buffer.subarray(0, read));
      at += read;
    }
    const tail = Buffer.alloc(2 * HASH_BYTES);
    readSync(file, tail, 0, tail.length, size - tail.length);
    const [beforeEnd, end] = [tail.subarray(0, HASH_BYTES), tail.subarray(HASH_BYTES)];
    return hash.digest().equals(end) ? { end, beforeEnd } : undefined;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
