// The command that checks the events of a server, and that its configuration is what they and the change log say.
import { join, resolve } from 'node:path';
import { verifyChain } from '../events/verify-chain.ts';
import { stateFaults } from '../events/verify-state.ts';
import { variableOf } from '../settings.ts';
import { type EventRows, openEventRows } from '../store/event-rows.ts';
import { type Problem, readCommand, runCommand, type Streams } from './command-line.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, dataDirOf, type Environment } from './target.ts';

const NOT_WHOLE = 1;
const WRONG_USE = 2;
const DATABASE = 'slipway.db';
const OPTIONS = { [DATA_DIR]: { type: 'string' }, database: { type: 'string' }, expect: { type: 'string' } } as const;
/** Of those that are not as they were written. */
const MOST_ROWS = 20;
const NOTED = /^(\d{1,15}):([0-9a-f]{64})$/;

const AUDIT_USAGE = `Usage: npm run slipway -- audit verify [options]

Reads all events from the database, whether the server runs or not, and checks that each is what was written, that none is missing or
moved, that there is one for every change of the configuration, and that the configuration and the names of revisions are what the
change log and the events say. Writes nothing.

  --data-dir DIR           the data directory of the server (${variableOf(DATA_DIR)}, ${DEFAULT_DATA_DIR})
  --database FILE          a database file instead, such as one unpacked from a backup
  --expect NUMBER:HASH     an event that was noted elsewhere, and must still be there as it was
  --help                   this text

Ends with 0 when all is well, 1 when an event is not (the first one is named) or rows are not (the first ${MOST_ROWS} are named), 2 when the
command is wrong or the database cannot be read.
`;

interface AuditCommand {
  readonly database: string;
  readonly expected: { readonly number: number; readonly hash: string } | undefined;
}

/** Returns the status to end with. */
export function runAudit(args: readonly string[], environment: Environment, streams: Streams): Promise<number> {
  const command = readCommand(args, OPTIONS, (values, positionals) => understand(values, positionals, environment));
  return runCommand(command, { usage: AUDIT_USAGE, wrongUse: WRONG_USE }, streams, (understood) => audit(understood, streams));
}

function audit({ database, expected }: AuditCommand, { out, err }: Streams): number {
  const rows = open(database);
  if (typeof rows === 'string') {
    err(`${rows}\n`);
    return WRONG_USE;
  }
  try {
    // First: what is committed while the events are read must not look as if its event were missing.
    const newestRevision = rows.newestRevision();
    const names = rows.names();
    const verdict = verifyChain({
      rows: rows.all(),
      revisionAt: (revision) => rows.revision(revision),
      entitiesOf: (revision) => rows.changes(revision),
      newestRevision,
      names,
      expected,
    });
    if (!verdict.isWhole) {
      err(`Event ${verdict.number} is not as it was written. ${verdict.reason}\n`);
      return NOT_WHOLE;
    }
    const { last, from, to, nameFaults } = verdict;
    out(`All ${last.number} events are as they were written, from ${from} to ${to}.\nThe last one is ${last.number}:${last.hash}\n`);
    return tellRows([...nameFaults, ...stateFaults(rows.states()).take(MOST_ROWS + 1)], err);
  } finally {
    rows.close();
  }
}

/** Returns the status to end with. */
function tellRows(faults: readonly string[], err: Streams['err']): number {
  if (faults.length === 0) return 0;
  err('The configuration is not what the change log and the events say.\n');
  for (const fault of faults.slice(0, MOST_ROWS)) err(`${fault}\n`);
  if (faults.length > MOST_ROWS) err('There are more such rows.\n');
  return NOT_WHOLE;
}

/** The rows, or why they cannot be read. */
function open(path: string): EventRows | string {
  try {
    const rows = openEventRows(path);
    if (!rows) return `There is no database ${path}.`;
    if (rows.isThere) return rows;
    rows.close();
    return `${path} is from before there were events. The next start of the server begins with them.`;
  } catch (failure) {
    return `${path} cannot be read: ${(failure as Error).message}`;
  }
}

function understand(
  values: { readonly 'data-dir'?: string | undefined; readonly database?: string | undefined; readonly expect?: string | undefined },
  [verb, ...more]: readonly string[],
  environment: Environment,
): AuditCommand | Problem {
  if (verb !== 'verify') return { problem: verb === undefined ? 'Say what to do: verify.' : `There is no command audit ${verb}.` };
  if (more.length > 0) return { problem: `${more.join(' ')} is too much.` };
  if (values.database !== undefined && values[DATA_DIR] !== undefined) return { problem: 'Give --database or --data-dir, not both.' };
  const [, number, hash] = NOTED.exec(values.expect ?? '') ?? [];
  if (values.expect !== undefined && hash === undefined)
    return { problem: '--expect must be the number and the hash of an event: 12:0a1b….' };
  return {
    database: values.database === undefined ? join(dataDirOf(values[DATA_DIR], environment), DATABASE) : resolve(values.database),
    expected: hash === undefined ? undefined : { number: Number(number), hash },
  };
}
