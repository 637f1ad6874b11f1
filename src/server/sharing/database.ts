// Opens the database of the server: the embedded one, or the one that it shares with others.
import { join } from 'node:path';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../store/database.ts';
import type { DatabaseSource } from '../../store/source.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { WriterLost } from '../../store/sqlite/writer.ts';
import type { Settings } from '../settings.ts';
import { reasonOf } from './outage-log.ts';

const DATABASE_FILE = 'slipway.db';
const LAST_ANSWERS_MS = 500;

export async function openDatabase({ dataDir, database }: Pick<Settings, 'dataDir' | 'database'>, log: Log): Promise<Database> {
  if (!database) return openSqlite(join(dataDir, DATABASE_FILE), { onWriterLost: (failure) => endProcess(failure, log) });
  // Its driver is loaded only where it is used.
  const { openPostgres } = await import('../../store/postgres/open.ts');
  return openPostgres(database, {
    onLost: (failure) => log.error({ reason: reasonOf(failure) }, 'the database does not answer: changes are refused until it does'),
    onBack: () => log.info({}, 'the database answers again'),
    onReadOnly: (isReadOnly) =>
      isReadOnly
        ? log.error({}, 'the database is read-only: changes are refused until it takes them')
        : log.info({}, 'the database takes changes again'),
    onFull: (isFull) =>
      isFull
        ? log.error({}, 'the disk of the database is full: what needs space is refused until there is some')
        : log.info({}, 'the disk of the database has space again'),
    onFailure: (failure, message) => log.error({ err: failure }, message),
  });
}

/** For code that opens the database by itself, such as threads. */
export function sourceOf({ dataDir, database }: Pick<Settings, 'dataDir' | 'database'>): DatabaseSource {
  return database ? { postgres: database } : { sqlite: join(dataDir, DATABASE_FILE) };
}

/** The state in memory may be older than the one on disk, so no work must go on from it. Requests under way are answered first. */
function endProcess(failure: WriterLost, log: Log): void {
  log.error({ err: failure }, 'the database can no longer be written, so the server ends');
  setTimeout(() => process.exit(1), LAST_ANSWERS_MS);
}
