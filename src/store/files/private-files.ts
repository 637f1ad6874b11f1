// Takes all rights to the files of the data directory from all users but their owner, no matter what their modes were before.
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { isMountedVolume } from './mounted-volume.ts';

/** Says that every file of a data directory was looked at once. */
export const MARK = '.modes-checked';
const OWNER = 0o700;
const OTHERS = 0o7077;
const OTHERS_WRITE = 0o002;
/** Maximum number of files that are looked at before the server starts: more than there are beside clones, artifacts and compiled code. */
const MAX_AT_START = 2000;
/** Can be large, and are not searched: other users cannot get past a closed folder. */
const LARGE = new Set(['compile-cache', 'pipelines']);
/** Where local agents work, as another user: their folders have modes of their own. That user passes through the data directory. */
const OF_AGENTS = 'agents';
const PASSAGE = 0o711;
const ALL_BITS = 0o7777;
const NOT_OURS = ['EPERM', 'EACCES', 'EROFS'];

/**
 * The directory itself, then level by level its content. Returns the paths that belong to another user and stay open to others.
 * Links are left alone: their targets are not ours.
 */
export function makePrivate(directory: string, maxEntries = MAX_AT_START): string[] {
  if (process.platform === 'win32') return []; // has no such modes; new files get the rights of their folder
  const { mode } = lstatSync(directory);
  // A volume may belong to root and be ours by its group. Its files are private all the same, unless others may replace them.
  const isFine = (mode & ALL_BITS) === PASSAGE || closes(directory, mode) || (mode & OTHERS_WRITE) === 0 || isMountedVolume(directory);
  const open = isFine ? [] : [directory];
  const folders = [directory];
  for (let scanned = 0; folders.length > 0 && scanned < maxEntries; ) {
    const folder = folders.shift()!;
    for (const { name } of readdirSync(folder, { withFileTypes: true })) {
      if (folder === directory && name === OF_AGENTS) continue;
      scanned++;
      const path = join(folder, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (!found || found.isSymbolicLink()) continue;
      if (!closes(path, found.mode) && !isMountedVolume(path)) open.push(path);
      else if (found.isDirectory() && !(folder === directory && LARGE.has(name))) folders.push(path);
    }
  }
  return open;
}

/** Closes all files below to other users, beside other work; for once in the life of a data directory. */
export async function makeAllPrivate(directory: string, signal: AbortSignal): Promise<void> {
  const mark = join(directory, MARK);
  if (process.platform === 'win32' || existsSync(mark)) return;
  await makePrivateBelow(directory, signal, OF_AGENTS);
  if (!signal.aborted) writeFileDurably(mark, '', 0o600);
}

async function makePrivateBelow(folder: string, signal: AbortSignal, leftOut?: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    if (signal.aborted) return;
    if (name === leftOut) continue;
    const path = join(folder, name);
    try {
      const found = await lstat(path);
      if (found.isSymbolicLink()) continue;
      if ((found.mode & OTHERS) !== 0) await chmod(path, found.mode & OWNER);
      if (found.isDirectory()) await makePrivateBelow(path, signal);
    } catch (failure) {
      const { code = '' } = failure as NodeJS.ErrnoException;
      // Clones come and go; files that are not ours were reported at the start, as far as they are not behind a closed folder.
      if (code !== 'ENOENT' && !NOT_OURS.includes(code)) throw failure;
    }
  }
}

function closes(path: string, mode: number): boolean {
  if ((mode & OTHERS) === 0) return true;
  try {
    chmodSync(path, mode & OWNER);
    return true;
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (NOT_OURS.includes(code)) return false;
    throw failure;
  }
}
