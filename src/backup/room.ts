// Whether there is room for a backup, before it fills the disk.
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, HISTORY_FOLDER } from './data-files.ts';

const MEGABYTE = 1024 * 1024;
/** For the small files, and for what is written meanwhile. */
const RESERVE_BYTES = 16 * MEGABYTE;

/** Roughly: the large parts of what will be written. */
export function bytesNeeded(dataDir: string): number {
  const database = [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => sizeOf(join(dataDir, name)));
  return [...database, folderSize(join(dataDir, HISTORY_FOLDER))].reduce((sum, bytes) => sum + bytes, RESERVE_BYTES);
}

/** What to say when there is not enough room; undefined: there is. */
export function lackOfRoom(folder: string, needed: number): string | undefined {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= needed) return undefined;
  return `There is not enough space at ${folder}: about ${megabytes(needed)} MB are needed, and ${megabytes(free)} MB are free.`;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE);
}

function folderSize(path: string): number {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 0;
  return readdirSync(path, { recursive: true }).reduce((sum, name) => sum + sizeOf(join(path, String(name))), 0);
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : 0;
}
