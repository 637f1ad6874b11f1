// The command that checks the events of a server, and that its configuration is what they and the change log say.
import { join } from 'node:path';
import { verifyChain } from '../../events/verify-chain.ts';
import { stateFaults } from '../../events/verify-state.ts';
import type { EventRows } from '../../store/readers/event-rows.ts';
import { openEventRows } from '../../store/source.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, pathIn } from '../terminal/context.ts';
import { UsageError } from '../terminal/failures.ts';
import { dataDirOf } from '../terminal/target.ts';

const NOT_WHOLE = 1;
const UNREADABLE = 2;
const DATABASE = 'slipway.db';
/** Of those that are not as they were written. */
const MAX_ROWS = 20;
const NOTED = /^(\d{1,15}):([0-9a-f]{64})$/;

interface AuditValues {
  readonly 'data-dir': string | undefined;
  readonly database: string | undefined;
  readonly expect: string | undefined;
}

export async function runAudit({ values }: ParsedArguments<AuditValues>, context: Context): Promise<number> {
  const { out, err } = context;
  const expected = expectedIn(values);
  const rows = await open(databaseOf(values, context));
  if (typeof rows === 'string') {
    err.write(`${rows}\n`);
    return UNREADABLE;
  }
  try {
    // First: what is committed while the events are read must not look as if its event were missing.
    const newestRevision = await rows.newestRevision();
    const names = await rows.names();
    const verdict = await verifyChain({
      rows: rows.all(),
      revisionAt: (revision) => rows.revision(revision),
      entitiesOf: (revision) => rows.changes(revision),
      newestRevision,
      names,
      expected,
    });
    if (!verdict.isWhole) {
      err.write(`Event ${verdict.number} is not as it was written. ${verdict.reason}\n`);
      return NOT_WHOLE;
    }
    const { last, from, to, nameFaults } = verdict;
    out.write(`All ${last.number} events are as they were written, from ${from} to ${to}.\nThe last one is ${last.number}:${last.hash}\n`);
    return tellRows([...nameFaults, ...(await firstOf(stateFaults(rows.states()), MAX_ROWS + 1))], err);
  } finally {
    await rows.close();
  }
}

/** Returns the status to end with. */
function tellRows(faults: readonly string[], err: Context['err']): number {
  if (faults.length === 0) return 0;
  err.write('The configuration is not what the change log and the events say.\n');
  for (const fault of faults.slice(0, MAX_ROWS)) err.write(`${fault}\n`);
  if (faults.length > MAX_ROWS) err.write('There are more such rows.\n');
  return NOT_WHOLE;
}

async function firstOf<T>(all: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of all) if (found.push(one) >= most) break;
  return found;
}

/** The rows, or why they cannot be read. */
async function open(path: string): Promise<EventRows | string> {
  try {
    const rows = await openEventRows({ sqlite: path });
    if (!rows) return `There is no database ${path}.`;
    if (rows.isThere) return rows;
    await rows.close();
    return `${path} is from before there were events. The next start of the server begins with them.`;
  } catch (failure) {
    return `${path} cannot be read: ${(failure as Error).message}`;
  }
}

function databaseOf({ 'data-dir': dataDir, database }: AuditValues, context: Context): string {
  if (database === undefined) return join(dataDirOf(dataDir, context), DATABASE);
  if (dataDir !== undefined) throw new UsageError('Give --database or --data-dir, not both.');
  return pathIn(context, database);
}

function expectedIn({ expect }: AuditValues): { readonly number: number; readonly hash: string } | undefined {
  if (expect === undefined) return undefined;
  const [, number, hash] = NOTED.exec(expect) ?? [];
  if (hash === undefined) throw new UsageError('--expect must be the number and the hash of an event: 12:0a1b….');
  return { number: Number(number), hash };
}
