// The data directory belongs to one server at a time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the directory for this process, until `release`. The lock is one of the operating system (held through an open
 * SQLite transaction), so a server that was killed leaves nothing behind that would have to be removed by hand.
 */
export function takeDataDirectory(path: string): { release(): void } {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const holder = join(path, 'server.pid');
  const lock = new DatabaseSync(join(path, 'server.lock'));
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (failure) {
    lock.close();
    if (!String(failure).includes('locked')) throw failure;
    throw new Error(
      `The data directory ${path} is in use by another Slipway server${processOf(holder)}. Stop that one, or choose another --data-dir.`,
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  return {
    release: () => {
      rmSync(holder, { force: true });
      lock.close();
    },
  };
}

function processOf(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw failure;
  }
}
