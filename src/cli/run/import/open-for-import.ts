// The database that a file is imported into: the embedded one of a data directory, or one on PostgreSQL that no server uses.
import { existsSync } from 'node:fs';
import { pluralize } from '../../../kit/text/pluralize.ts';
import type { Database } from '../../../store/database.ts';
import { describeAddress } from '../../../store/postgres/address.ts';
import type { PostgresAddress } from '../../../store/postgres/connection.ts';
import { type DatabaseSource, readOnlyRows } from '../../../store/source.ts';
import { openSqlite } from '../../../store/sqlite/open.ts';
import { CommandFailed } from '../../terminal/failures.ts';

const OR_THROUGH_ONE = ' Or import through one, with --url URL.';

/** `otherwise`: the alternative that the message offers where a server uses the database. */
export async function openForImport(source: DatabaseSource, otherwise = OR_THROUGH_ONE): Promise<Database> {
  if ('sqlite' in source) return openSqlite(source.sqlite);
  const { postgres } = source;
  await mustBeUnused(postgres, otherwise);
  const { openPostgres } = await import('../../../store/postgres/open.ts');
  return openPostgres(postgres);
}

/** Whether anything was ever stored there. */
export async function databaseExists(source: DatabaseSource): Promise<boolean> {
  if ('sqlite' in source) return existsSync(source.sqlite);
  return (await readOnlyRows(source, async () => true)) ?? false;
}

async function mustBeUnused(address: PostgresAddress, otherwise: string): Promise<void> {
  const { runningServers } = await import('../../../store/postgres/running-servers.ts');
  const [first, ...others] = await runningServers(address);
  if (!first) return;
  const more = others.length === 0 ? '' : ` and ${pluralize(others.length, 'other')}`;
  throw new CommandFailed(
    `The database ${describeAddress(address)} is in use by the server on ${first.host} (${first.url})${more}. Stop all servers first, and wait 5 seconds if one was killed.${otherwise}`,
  );
}
