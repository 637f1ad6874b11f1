// A copy of the database as an older version has left it, made before the tables are changed: the way back, without a backup.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { syncDirectory } from '../../kit/bytes/durable-file.ts';
import { superfluousCopies } from '../files/migration-copies.ts';

/** Beside the database. */
const COPIES_FOLDER = 'before-migration';
const MEGABYTE = 1024 * 1024;
const PAGES_AT_ONCE = 10_000;

/** Returns the path of the copy, which is on disk. Throws an error with the remedy when it cannot be made. */
export async function copyBeforeMigration(path: string, schema: number, now: Date): Promise<string> {
  const folder = join(dirname(path), COPIES_FOLDER);
  const name = `slipway-schema-${schema}-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.db`;
  const target = join(folder, name);
  const unfinished = `${target}.new`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    mustHaveRoom(path, folder);
    await copy(path, unfinished);
    renameSync(unfinished, target);
    syncDirectory(folder);
  } catch (failure) {
    const { message } = failure as Error;
    throw new Error(`The database could not be copied to ${target} before its tables are changed, so nothing was changed. ${message}`, {
      cause: failure,
    });
  }
  for (const old of superfluousCopies(readdirSync(folder))) rmSync(join(folder, old), { force: true });
  return target;
}

/** The files are for this user only, with any umask. */
async function copy(path: string, target: string): Promise<void> {
  rmSync(target, { force: true });
  closeSync(openSync(target, 'wx', 0o600));
  const source = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(source, target, { rate: PAGES_AT_ONCE });
    const file = openSync(target, 'r+');
    fsyncSync(file);
    closeSync(file);
  } catch (failure) {
    rmSync(target, { force: true });
    throw failure;
  } finally {
    source.close();
  }
}

function mustHaveRoom(path: string, folder: string): void {
  const needed = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= needed) return;
  throw new Error(
    `That needs ${Math.ceil(needed / MEGABYTE)} MB, and ${Math.floor((bavail * bsize) / MEGABYTE)} MB are free: make room, or delete older copies there.`,
  );
}
