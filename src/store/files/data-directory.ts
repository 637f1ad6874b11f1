// The data directory belongs to one server at a time.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { COMMAND } from '../../kit/process/own-commands.ts';
import { lockFile } from '../sqlite/file-lock.ts';
import { makePrivate } from './private-files.ts';

export const LOCK = 'server.lock';
/** While this is there, a restore has not ended, and the files do not belong together. */
const UNFINISHED_RESTORE = 'restore-unfinished';

/** The mask for the modes of new files. */
const CLOSED_TO_OTHERS = 0o077;

export class DirectoryInUse extends Error {}

export interface TakenDirectory {
  /** The paths that others can still read, because they belong to another user. */
  readonly openToOthers: readonly string[];
  release(): void;
}

/**
 * Takes the directory for this process, until `release`, and makes it if it is not there. It holds every secret, so it is
 * closed to others, and so is all that this process and its children write from now on.
 */
export function takeDataDirectory(path: string): TakenDirectory {
  process.umask(CLOSED_TO_OTHERS);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = lockDataDirectory(path);
  return { ...lock, openToOthers: makePrivate(path) };
}

/** A server that was killed leaves nothing behind that would have to be removed by hand. */
export function lockDataDirectory(path: string): Pick<TakenDirectory, 'release'> {
  const holder = join(path, 'server.pid');
  const lock = lockFile(join(path, LOCK));
  if (!lock) {
    throw new DirectoryInUse(
      `The data directory ${path} is in use by another Slipway server${processOf(holder)}. Stop that one, or choose another --data-dir.`,
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  return {
    release: () => {
      rmSync(holder, { force: true });
      lock.release();
    },
  };
}

export function beginRestore(path: string): void {
  writeFileDurably(join(path, UNFINISHED_RESTORE), '', 0o600);
}

export function endRestore(path: string): void {
  rmSync(join(path, UNFINISHED_RESTORE), { force: true });
  syncDirectory(path);
}

export function isRestoreUnfinished(path: string): boolean {
  return existsSync(join(path, UNFINISHED_RESTORE));
}

/** To be called before the data in the directory is used. */
export function mustBeWhole(path: string): void {
  if (!isRestoreUnfinished(path)) return;
  throw new Error(
    `The data directory ${path} holds a restore that was cut off. Run it again: ${COMMAND} restore FOLDER --data-dir ${path}`,
  );
}

function processOf(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw failure;
  }
}
