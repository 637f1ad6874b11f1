// A lock of the operating system on a file, held through an open SQLite transaction: a process that is killed leaves no lock behind.
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/** Undefined: another process holds it. */
export function lockFile(path: string): FileLock | undefined {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (failure) {
    lock.close();
    if (!String(failure).includes('locked')) throw failure;
    return undefined;
  }
  return { release: () => lock.close() };
}
