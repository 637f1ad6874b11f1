// The command that checks the events of a server: nothing was changed, left out or moved.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { verifyChain } from '../events/verify-chain.ts';
import { variableOf } from '../settings.ts';
import { type EventRows, openEventRows } from '../store/event-rows.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, dataDirOf, type Environment } from './target.ts';

const NOT_WHOLE = 1;
const WRONG_USE = 2;
const DATABASE = 'slipway.db';
const NOTED = /^(\d{1,15}):([0-9a-f]{64})$/;

export const AUDIT_USAGE = `Usage: npm run slipway -- audit verify [options]

Reads all events from the database, whether the server runs or not, and checks that each is what was written, that none is missing or
moved, and that there is one for every change of the configuration. Writes nothing.

  --data-dir DIR           the data directory of the server (${variableOf(DATA_DIR)}, ${DEFAULT_DATA_DIR})
  --database FILE          a database file instead, such as one unpacked from a backup
  --expect NUMBER:HASH     an event that was noted elsewhere, and must still be there as it was
  --help                   this text

Ends with 0 when all is well, 1 when an event is not (the first one is named), 2 when the command is wrong or the database cannot be read.
`;

interface Streams {
  readonly out: (text: string) => unknown;
  readonly err: (text: string) => unknown;
}

interface AuditCommand {
  readonly database: string;
  readonly expected: { readonly number: number; readonly hash: string } | undefined;
}

/** Returns the status to end with. */
export function runAudit(args: readonly string[], environment: Environment, { out, err }: Streams): number {
  const command = readCommand(args, environment);
  if ('help' in command) {
    out(command.help);
    return 0;
  }
  if ('problem' in command) {
    err(`${command.problem}\n\n${AUDIT_USAGE}`);
    return WRONG_USE;
  }
  const rows = open(command.database);
  if (typeof rows === 'string') {
    err(`${rows}\n`);
    return WRONG_USE;
  }
  try {
    // First: what is committed while the events are read must not look as if its event were missing.
    const newestRevision = rows.newestRevision();
    const verdict = verifyChain({
      rows: rows.all(),
      changeAt: (revision) => rows.revision(revision),
      entitiesOf: (revision) => rows.changes(revision),
      newestRevision,
      expected: command.expected,
    });
    if (!verdict.isWhole) {
      err(`Event ${verdict.number} is not as it was written. ${verdict.reason}\n`);
      return NOT_WHOLE;
    }
    const { last, from, to } = verdict;
    out(`All ${last.number} events are as they were written, from ${from} to ${to}.\nThe last one is ${last.number}:${last.hash}\n`);
    return 0;
  } finally {
    rows.close();
  }
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

function readCommand(
  args: readonly string[],
  environment: Environment,
): AuditCommand | { readonly help: string } | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        [DATA_DIR]: { type: 'string' },
        database: { type: 'string' },
        expect: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: AUDIT_USAGE };
    const [verb, ...more] = positionals;
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
  } catch (failure) {
    if (!String((failure as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw failure;
    return { problem: (failure as Error).message };
  }
}
