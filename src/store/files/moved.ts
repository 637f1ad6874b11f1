// The mark of a data directory whose data is in PostgreSQL: servers and commands do not use an embedded database there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { COMMAND } from '../../kit/process/own-commands.ts';

export const MOVED_MARK = 'moved-to-postgres.txt';

export class DirectoryMoved extends Error {}

/** `where` names the host and the database, and no password. */
export function markMoved(path: string, where: string, now: Date): void {
  const sentence = `Since ${now.toISOString()} the data of this directory is in the PostgreSQL database ${where}.`;
  writeFileDurably(join(path, MOVED_MARK), `${sentence}\n`, 0o600);
}

/** To be called before the embedded database of a data directory is used. */
export function mustBeEmbedded(path: string): void {
  const mark = readMark(path);
  if (mark === undefined) return;
  throw new DirectoryMoved(
    `The data directory ${path} has no embedded database any more. ${mark} Start the server with SLIPWAY_DATABASE_URL. To go back, restore a backup: ${COMMAND} restore FOLDER --data-dir ${path} --replace`,
  );
}

function readMark(path: string): string | undefined {
  try {
    return readFileSync(join(path, MOVED_MARK), 'utf8').trim();
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
