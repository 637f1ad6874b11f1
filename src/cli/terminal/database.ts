// The PostgreSQL database that a command works with.
import { variableOf } from '../../server/settings.ts';
import { readAddress } from '../../store/postgres/address.ts';
import type { PostgresAddress } from '../../store/postgres/connection.ts';
import type { DatabaseSource } from '../../store/source.ts';
import type { Environment } from './context.ts';
import { CommandFailed, UsageError } from './failures.ts';

/** Undefined: neither the command line nor the environment names one. */
export function databaseIn(flag: string | undefined, environment: Environment): PostgresAddress | undefined {
  const url = flag ?? (environment[variableOf('database-url')] || undefined);
  if (url === undefined) return undefined;
  const address = readAddress(url, environment);
  if ('problem' in address) throw new UsageError(address.problem);
  return address;
}

/** A failure of the database or of the connection to it becomes one sentence; any other is a fault of ours. */
export async function explainingFailures<T>(source: DatabaseSource, work: () => Promise<T>): Promise<T> {
  if ('sqlite' in source) return work();
  const [{ explainConnectFailure, isOfDatabase }, { UnusableDatabase }] = await Promise.all([
    import('../../store/postgres/connection-errors.ts'),
    import('../../store/postgres/checks.ts'),
  ]);
  return work().catch((failure: unknown) => {
    if (failure instanceof UnusableDatabase) throw new CommandFailed(failure.message, { cause: failure });
    if (!isOfDatabase(failure)) throw failure;
    throw new CommandFailed(explainConnectFailure(failure, source.postgres), { cause: failure });
  });
}
