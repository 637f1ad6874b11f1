// Changes the contexts, one process after the other: of two logins at the same moment, both are kept.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FileLock, lockFile } from '../../store/sqlite/file-lock.ts';
import type { Environment } from '../terminal/context.ts';
import { CommandFailed } from '../terminal/failures.ts';
import type { Contexts } from './contexts.ts';
import { makeContextsFolder, readContexts, writeContexts } from './contexts-file.ts';

const LOCK_FILE = 'contexts.lock';
const PAUSE_MS = 20;
/** A change takes milliseconds. */
const MAX_WAIT_MS = 10_000;

/** `change` gets what is in the file at that moment. Returns the path of the file. */
export async function changeContexts(change: (contexts: Contexts) => Contexts, environment: Environment): Promise<string> {
  const lock = await lockIn(makeContextsFolder(environment));
  try {
    return writeContexts(change(readContexts(environment)), environment);
  } finally {
    lock.release();
  }
}

async function lockIn(folder: string): Promise<FileLock> {
  const path = join(folder, LOCK_FILE);
  for (const end = performance.now() + MAX_WAIT_MS; performance.now() < end; await pause(PAUSE_MS)) {
    const lock = lockedNow(path);
    if (lock) return lock;
  }
  throw new CommandFailed(`${path} is locked: another command changes the contexts. Try again.`);
}

function lockedNow(path: string): FileLock | undefined {
  try {
    return lockFile(path);
  } catch (failure) {
    throw new CommandFailed(`${path} cannot be written: ${(failure as Error).message}`);
  }
}
