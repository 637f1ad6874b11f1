// The command that checks the events of a server, and that its configuration agrees with them and the change log.
import { join } from 'node:path';
import { type NotedEvent, verifyEvents } from '../../events/verify-events.ts';
import { DirectoryMoved, mustBeEmbedded } from '../../store/files/moved.ts';
import { describeAddress } from '../../store/postgres/address.ts';
import type { EventRows } from '../../store/readers/event-rows.ts';
import { type DatabaseSource, openEventRows } from '../../store/source.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, pathIn } from '../terminal/context.ts';
import { databaseIn, explainingFailures } from '../terminal/database.ts';
import { CommandFailed, UsageError } from '../terminal/failures.ts';
import { dataDirOf } from '../terminal/target.ts';

const NOT_WHOLE = 1;
const UNREADABLE = 2;
const DATABASE = 'slipway.db';
const NOTED = /^(\d{1,15}):([0-9a-f]{64})$/;

interface AuditValues {
  readonly 'data-dir': string | undefined;
  readonly 'database-url': string | undefined;
  readonly database: string | undefined;
  readonly expect: string | undefined;
}

export async function runAudit({ values }: ParsedArguments<AuditValues>, context: Context): Promise<number> {
  const expected = expectedIn(values);
  try {
    const source = sourceIn(values, context);
    return await explainingFailures(source, () => verify(source, expected, context));
  } catch (failure) {
    if (!(failure instanceof CommandFailed) && !(failure instanceof DirectoryMoved)) throw failure;
    context.err.write(`${failure.message}\n`);
    return UNREADABLE;
  }
}

async function verify(source: DatabaseSource, expected: NotedEvent | undefined, { out, err }: Context): Promise<number> {
  const rows = await open(source);
  try {
    const { events, faults } = await verifyEvents(rows, expected);
    if (events !== undefined) out.write(`${events}\n`);
    for (const fault of faults) err.write(`${fault}\n`);
    return faults.length === 0 ? 0 : NOT_WHOLE;
  } finally {
    await rows.close();
  }
}

async function open(source: DatabaseSource): Promise<EventRows> {
  const rows = 'sqlite' in source ? await openFile(source.sqlite) : (await openEventRows(source))!;
  if (rows.exists) return rows;
  await rows.close();
  throw new CommandFailed(
    'sqlite' in source
      ? `${source.sqlite} is from before there were events. The next start of the server begins with them.`
      : `The database ${describeAddress(source.postgres)} has no events: no server was started on it yet.`,
  );
}

async function openFile(path: string): Promise<EventRows> {
  const rows = await openEventRows({ sqlite: path }).catch((failure: unknown) => {
    throw new CommandFailed(`${path} cannot be read: ${(failure as Error).message}`, { cause: failure });
  });
  if (!rows) throw new CommandFailed(`There is no database ${path}.`);
  return rows;
}

/** A file that is named is meant; otherwise the database that a server with these settings uses. */
function sourceIn({ 'data-dir': dataDir, 'database-url': url, database }: AuditValues, context: Context): DatabaseSource {
  if (database !== undefined) {
    if (dataDir !== undefined) throw new UsageError('Give --database or --data-dir, not both.');
    if (url !== undefined) throw new UsageError('Give --database or --database-url, not both.');
    return { sqlite: pathIn(context, database) };
  }
  const postgres = databaseIn(url, context.environment);
  if (postgres) return { postgres };
  const directory = dataDirOf(dataDir, context);
  mustBeEmbedded(directory);
  return { sqlite: join(directory, DATABASE) };
}

function expectedIn({ expect }: AuditValues): NotedEvent | undefined {
  if (expect === undefined) return undefined;
  const [, number, hash] = NOTED.exec(expect) ?? [];
  if (hash === undefined) throw new UsageError('--expect must be the number and the hash of an event: 12:0a1b….');
  return { number: Number(number), hash };
}
