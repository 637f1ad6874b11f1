// The PostgreSQL database that a command works with.
import { variableOf } from '../../server/settings.ts';
import { readAddress } from '../../store/postgres/address.ts';
import type { PostgresAddress } from '../../store/postgres/connection.ts';
import type { Environment } from './context.ts';
import { UsageError } from './failures.ts';

/** Undefined: neither the command line nor the environment names one. */
export function databaseIn(flag: string | undefined, environment: Environment): PostgresAddress | undefined {
  const url = flag ?? (environment[variableOf('database-url')] || undefined);
  if (url === undefined) return undefined;
  const address = readAddress(url, environment);
  if ('problem' in address) throw new UsageError(address.problem);
  return address;
}
