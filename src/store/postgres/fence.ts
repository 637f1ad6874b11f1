// Writes of a replica that holds a lease: once it has lost the lease, it writes nothing any more.
import { CompiledQuery, SelectQueryNode } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import type { Lease } from '../lease.ts';
import type { Connection } from './connection.ts';
import { queryOn } from './dialect.ts';
import type { Pool } from './pool.ts';
import { toRefusal } from './refusals.ts';
import { command, type Result } from './statement-batch.ts';

export class LeaseLost extends Error {
  constructor(name: string) {
    super(`Another server is the ${name} now, so this was not written.`);
  }
}

/** Locks the lease against a takeover until the write is committed. Divides by zero where another replica holds it. */
const HELD = `select 1 / count(*) as held from (select 1 from leases where name = $1 and holder = $2 and epoch = $3 for share) as lease`;
const DIVISION_BY_ZERO = '22012';
/** More would be sent without a stop, and requests would wait meanwhile. */
const STATEMENTS_AT_ONCE = 200;

/** `lease`: the lease that is held at the moment. */
export function fencedBy(database: Database, pool: Pick<Pool, 'use'>, lease: () => Lease | undefined): Database {
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
      database.serialized(async () => database.writeTransaction([fence(mustHold()), ...statements])).catch(asLost),
    writeRelaxed: async (statements) => void (await write(statements, ['set local synchronous_commit = off'])),
  };
}

/** The answers to the statements; all of them are written, or none. */
export async function together(
  connection: Connection,
  statements: readonly CompiledQuery[],
  beginning: readonly string[] = [],
): Promise<Result[]> {
  const all = [...['begin', ...beginning].map(command), ...statements, command('commit')];
  const answers: Result[] = [];
  try {
    for (const some of chunksOf(all, STATEMENTS_AT_ONCE)) {
      answers.push(...(await connection.runAll(some)));
    }
  } catch (failure) {
    // Where it cannot be said any more, the server takes it back by itself.
    await connection.runOnce('rollback').catch(() => {});
    throw isNoLease(failure) ? new LeaseLost('keeper') : toRefusal(failure);
  }
  return answers.slice(beginning.length + 1, -1);
}

function isNoLease(failure: unknown): boolean {
  return (failure as { readonly code?: unknown } | undefined)?.code === DIVISION_BY_ZERO;
}

function asLost(failure: unknown): never {
  throw isNoLease(failure) ? new LeaseLost('keeper') : failure;
}
