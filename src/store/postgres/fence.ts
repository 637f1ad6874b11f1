// Writes of somebody who has a lease: whoever has lost it writes nothing any more.
import { CompiledQuery, SelectQueryNode } from 'kysely';
import type { Database } from '../database.ts';
import type { Lease } from '../lease.ts';
import type { Connection, Result } from './connection.ts';
import { queryOn } from './dialect.ts';
import type { Pool } from './pool.ts';
import { explained } from './refusals.ts';

export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another server is the ${name} now, so this was not written.`);
  }
}

/** Locked against whoever wants to take it, until the write is committed. Fails by a division where the lease is another's. */
const HELD = `select 1 / count(*) as held from (select 1 from leases where name = $1 and holder = $2 and epoch = $3 for share) as lease`;
const DIVISION_BY_ZERO = '22012';

/** `lease`: what is had at the moment. */
export function fencedBy(database: Database, pool: Pool, lease: () => Lease | undefined): Database {
  const mustHold = () => {
    const held = lease();
    if (!held) throw new LeaseLost('keeper');
    return held;
  };
  const fence = ({ name, holder, epoch }: Lease) => CompiledQuery.raw(HELD, [name, holder, epoch]);
  const write = async (statements: readonly CompiledQuery[], beginning: readonly string[]) => {
    const held = fence(mustHold());
    return pool.use((connection) => together(connection, [held, ...statements], beginning));
  };
  return {
    ...database,
    query: queryOn(async (statement) => {
      if (SelectQueryNode.is(statement.query)) return pool.use((connection) => connection.run(statement));
      return (await write([statement], [])).at(-1)!;
    }),
    writeTransaction: (statements) =>
      database.inOrder(async () => database.writeTransaction([fence(mustHold()), ...statements])).catch(asLost),
    writeRelaxed: async (statements) => void (await write(statements, ['set local synchronous_commit = off'])),
  };
}

/** The answers to the statements; all of them are written, or none. */
export async function together(
  connection: Connection,
  statements: readonly CompiledQuery[],
  beginning: readonly string[] = [],
): Promise<Result[]> {
  const before = ['begin', ...beginning].map((text) => connection.runOnce(text));
  const written = statements.map((statement) => connection.run(statement));
  const answers = await Promise.allSettled([...before, ...written, connection.runOnce('commit')]);
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed) throw isNoLease(failed.reason) ? new LeaseLost('keeper') : explained(failed.reason);
  return Promise.all(written);
}

function isNoLease(failure: unknown): boolean {
  return (failure as { readonly code?: unknown } | undefined)?.code === DIVISION_BY_ZERO;
}

function asLost(failure: unknown): never {
  throw isNoLease(failure) ? new LeaseLost('keeper') : failure;
}
