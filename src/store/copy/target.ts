// Whether a PostgreSQL database can take all the data of an installation: the checks, and their messages.
import { describeAddress } from '../postgres/address.ts';
import { problemWith, tableNames } from '../postgres/checks.ts';
import type { Connection, PostgresAddress } from '../postgres/connection.ts';
import { CopyRefused, TargetNotEmpty } from './refused.ts';
import { POSTGRES_NAMES, quoted, VERSION_TABLE } from './tables.ts';

const MAX_NAMED = 3;
const ANOTHER = 'Give the address of an empty one.';

/** Refuses, or returns the tables of ours that are there and empty. */
export async function checkTarget(connection: Pick<Connection, 'runOnce'>, address: PostgresAddress): Promise<readonly string[]> {
  const description = describeAddress(address);
  const problem = await problemWith(connection, address);
  if (problem !== undefined) throw new CopyRefused(problem);
  const names = await tableNames(connection);
  const strange = names.filter((name) => !POSTGRES_NAMES.includes(name));
  if (strange.length > 0)
    throw new CopyRefused(`The database ${description} holds tables of another program (${listed(strange)}). ${ANOTHER}`);
  const filled: string[] = [];
  for (const name of names) if ((await connection.runOnce(firstRowOf(name))).rows.length > 0) filled.push(name);
  if (filled.length > 0)
    throw new TargetNotEmpty(`The database ${description} is not empty: there are rows in ${listed(filled)}. ${ANOTHER}`);
  return names;
}

/** A database that was only prepared has one row for its version, and one that says that nothing was written yet. */
function firstRowOf(name: string): string {
  const hasCome: Readonly<Record<string, string>> = { [VERSION_TABLE]: 'where false', head: 'where commit > 0' };
  return `select 1 from ${quoted(name)} ${hasCome[name] ?? ''} limit 1`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;
}
