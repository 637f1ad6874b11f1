// Whether there is room for a backup, before it fills the disk.
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresAddress } from '../store/postgres/connection.ts';
import { DATABASE_FILE, HISTORY_FOLDER } from './data-files.ts';
import type { BackupParts } from './parts.ts';

const MEGABYTE = 1024 * 1024;
/** For the small files, and for data written meanwhile. */
const RESERVE_BYTES = 16 * MEGABYTE;

/** Roughly: the large parts of the backup. */
export async function bytesNeeded({ dataDir, source }: Pick<BackupParts, 'dataDir' | 'source'>): Promise<number> {
  const history = await bytesIn(await filesBelow(join(dataDir, HISTORY_FOLDER)));
  return RESERVE_BYTES + history + (source ? await bytesOfCopy(source) : await bytesOfFile(dataDir));
}

function bytesOfFile(dataDir: string): Promise<number> {
  return bytesIn([DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => join(dataDir, name)));
}

/** For a while there are two: the file that is made first, and its copy in the archive. */
async function bytesOfCopy(source: PostgresAddress): Promise<number> {
  const { bytesAsFile } = await import('../store/postgres/size.ts');
  return 2 * (await bytesAsFile(source));
}

/** The message when there is not enough room; undefined: there is. */
export async function diskSpaceProblem(folder: string, needed: number): Promise<string | undefined> {
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

async function bytesIn(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(sizeOf));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
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
