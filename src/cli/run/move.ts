// The command that moves the embedded database of a data directory to PostgreSQL.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyEvents } from '../../events/verify-events.ts';
import { pluralize } from '../../kit/text/pluralize.ts';
import { CopyRefused, TargetNotEmpty } from '../../store/copy/refused.ts';
import { COPIED_TABLES } from '../../store/copy/tables.ts';
import { checkCopyTo, copyToPostgres, type DatabaseCopy, isCopyOf } from '../../store/copy/to-postgres.ts';
import type { DatabaseFacts } from '../../store/facts.ts';
import { DirectoryInUse, LOCK, lockDataDirectory, mustBeWhole, takeDataDirectory } from '../../store/files/data-directory.ts';
import { DirectoryMoved, markMoved, mustBeEmbedded } from '../../store/files/moved.ts';
import { NEWEST_SCHEMA } from '../../store/migrate.ts';
import { describeAddress } from '../../store/postgres/address.ts';
import type { PostgresAddress } from '../../store/postgres/connection.ts';
import { openEventRows } from '../../store/source.ts';
import { openWholeTables } from '../../store/sqlite/whole-tables.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import type { Context } from '../terminal/context.ts';
import { databaseIn, explainingFailures } from '../terminal/database.ts';
import { CommandFailed, UsageError } from '../terminal/failures.ts';
import { Progress } from '../terminal/progress.ts';
import { dataDirOf } from '../terminal/target.ts';

const DATABASE = 'slipway.db';

interface MoveValues {
  readonly 'dry-run': boolean;
  readonly 'database-url': string | undefined;
  readonly 'data-dir': string | undefined;
}

interface Move {
  readonly dataDir: string;
  readonly file: string;
  readonly target: PostgresAddress;
}

export async function runMove({ values }: ParsedArguments<MoveValues>, context: Context): Promise<number> {
  const target = databaseIn(values['database-url'], context.environment);
  if (!target) throw new UsageError('Name the PostgreSQL database with --database-url.');
  const dataDir = dataDirOf(values['data-dir'], context);
  const move: Move = { dataDir, file: join(dataDir, DATABASE), target };
  try {
    mustBeMovable(move);
    context.out.write(values['dry-run'] ? await tryMove(move) : await doMove(move, new Progress(context.err)));
    return 0;
  } catch (failure) {
    const isRefusal = [CopyRefused, DirectoryInUse, DirectoryMoved].some((kind) => failure instanceof kind);
    if (isRefusal) throw new CommandFailed((failure as Error).message, { cause: failure });
    throw failure;
  }
}

function mustBeMovable({ dataDir, file }: Move): void {
  if (existsSync(dataDir)) mustBeEmbedded(dataDir);
  if (!existsSync(file)) throw new CommandFailed(`There is no embedded database in the data directory ${dataDir}. Give --data-dir.`);
  try {
    mustBeWhole(dataDir);
  } catch (failure) {
    throw new CommandFailed((failure as Error).message, { cause: failure });
  }
}

async function tryMove({ dataDir, file, target }: Move): Promise<string> {
  // Only taking the lock shows whether the directory is in use.
  if (existsSync(join(dataDir, LOCK))) lockDataDirectory(dataDir).release();
  const { tables } = outlineOf(file);
  await checkCopyTo(target);
  return `Would move ${about(tables)} to the database ${describeAddress(target)}. Nothing was changed.\n`;
}

function outlineOf(file: string): Omit<DatabaseFacts, 'etags'> {
  const source = openWholeTables(file);
  try {
    const counts = source.counts();
    if (counts.schema <= NEWEST_SCHEMA) return counts;
    throw new CommandFailed(
      `The database has schema ${counts.schema}, and this version of Slipway knows schemas up to ${NEWEST_SCHEMA}. Move it with the version that wrote it.`,
    );
  } finally {
    source.close();
  }
}

async function doMove(move: Move, progress: Progress): Promise<string> {
  const { dataDir, file, target } = move;
  const directory = takeDataDirectory(dataDir);
  try {
    outlineOf(file);
    const copied = await copy(move, progress);
    progress.show('Checking the events', '');
    await mustBeAsWritten(move);
    markMoved(dataDir, describeAddress(target), new Date());
    return movedText(copied, target);
  } finally {
    progress.end();
    directory.release();
  }
}

/** Does the checks of `audit verify` on the target. */
async function mustBeAsWritten({ dataDir, target }: Move): Promise<void> {
  const source = { postgres: target };
  const faults = await explainingFailures(source, async () => {
    const rows = (await openEventRows(source))!;
    try {
      // A database without events is from before there were any: the next start of the server begins with them.
      return (await rows.names()).asOf === 0 ? [] : (await verifyEvents(rows)).faults;
    } finally {
      await rows.close();
    }
  });
  if (faults.length === 0) return;
  throw new CommandFailed(
    [
      `What is in the database ${describeAddress(target)} now is not as it was written, so the data directory ${dataDir} is not marked and stays in use.`,
      ...faults,
      `To find out whether the embedded database has the same faults: audit verify --database ${join(dataDir, DATABASE)}`,
    ].join('\n'),
  );
}

/** Undefined: it was copied before, and only the mark was missing. */
async function copy({ file, target }: Move, progress: Progress): Promise<DatabaseCopy | undefined> {
  try {
    return await copyToPostgres({
      from: file,
      to: target,
      onRows: (table, done, all) => all > 0 && progress.show(`Copying ${table}`, `: ${done} of ${all} rows`, done, all),
    });
  } catch (failure) {
    if (failure instanceof TargetNotEmpty && (await isCopyOf(file, target))) return undefined;
    throw failure;
  }
}

function movedText(copied: DatabaseCopy | undefined, target: PostgresAddress): string {
  const where = `the database ${describeAddress(target)}`;
  const lines = [copied ? `Moved ${about(copied.tables)} to ${where}.` : `All of it was in ${where} already.`];
  if (copied && copied.replaced > 0)
    lines.push(`${pluralize(copied.replaced, 'NUL character')}, which PostgreSQL does not take, stand as U+FFFD now.`);
  lines.push('Keep the data directory: it has the keys, password files, history and artifacts.');
  lines.push('Start the server with SLIPWAY_DATABASE_URL, and with the password as for this command.');
  return `${lines.join('\n')}\n`;
}

function about(tables: Readonly<Record<string, number>>): string {
  const rows = COPIED_TABLES.reduce((sum, table) => sum + (tables[table] ?? 0), 0);
  const { revisions = 0, entities = 0 } = tables;
  return `${pluralize(rows, 'row')}, ${pluralize(revisions, 'revision')} and ${entities === 1 ? '1 entity' : `${entities} entities`} among them`;
}
