// Whether there is room for a backup, before it fills the disk.
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_FILE, HISTORY_FOLDER } from './data-files.ts';

const MEGABYTE = 1024 * 1024;
/** For the small files, and for what is written meanwhile. */
const RESERVE_BYTES = 16 * MEGABYTE;

/** Roughly: the large parts of what will be written. */
export async function bytesNeeded(dataDir: string): Promise<number> {
  const database = [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => join(dataDir, name));
  const files = [...database, ...(await filesBelow(join(dataDir, HISTORY_FOLDER)))];
  const sizes = await Promise.all(files.map(sizeOf));
  return sizes.reduce((sum, bytes) => sum + bytes, RESERVE_BYTES);
}

/** What to say when there is not enough room; undefined: there is. */
export async function lackOfRoom(folder: string, needed: number): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return undefined;
  return `There is not enough space at ${folder}: about ${megabytes(needed)} MB are needed, and ${megabytes(free)} MB are free.`;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE);
}

async function filesBelow(folder: string): Promise<string[]> {
  const names = await orIfMissing(readdir(folder, { recursive: true }), []);
  return names.map((name) => join(folder, name));
}

async function sizeOf(path: string): Promise<number> {
  const found = await orIfMissing(stat(path), undefined);
  return found?.isFile() ? found.size : 0;
}

/** Files come and go while the server runs. */
function orIfMissing<T, U>(asked: Promise<T>, otherwise: U): Promise<T | U> {
  return asked.catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return otherwise;
    throw failure;
  });
}
