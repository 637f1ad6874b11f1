// kysely's dialect of PostgreSQL on our connections.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Tables } from '../tables.ts';
import type { Connection } from './connection.ts';
import { toRefusal } from './refusals.ts';
import type { Result } from './statement-batch.ts';

/** Runs one statement wherever there is room. */
export type Run = (statement: CompiledQuery) => Promise<Result>;

/** Without transactions: several statements are written together by `writeTransaction`. */
export function queryOn(run: Run): Kysely<Tables> {
  const connection = new SingleStatements(run);
  return new Kysely<Tables>({ dialect: dialectOf({ acquireConnection: async () => connection }) });
}

/** Everything on one connection, transactions as well. */
export function queryOnConnection(connection: Connection): Kysely<Tables> {
  const only = new SingleStatements((statement) => connection.run(statement));
  const command = (text: string) => async () => void (await connection.runOnce(text));
  const driver = {
    acquireConnection: async () => only,
    beginTransaction: command('begin'),
    commitTransaction: command('commit'),
    rollbackTransaction: command('rollback'),
  };
  return new Kysely<Tables>({ dialect: dialectOf(driver) });
}

class SingleStatements implements DatabaseConnection {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const { rows, rowCount } = await this.#run(query);
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount) };
    } catch (failure) {
      throw toRefusal(failure);
    }
  }

  // biome-ignore lint/correctness/useYield: streams are not used, for they need a cursor; large results are read in pages
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages instead of a stream.');
  }
}

function dialectOf(driver: Pick<Driver, 'acquireConnection'> & Partial<Driver>): Dialect {
  return {
    createDriver: () => ({
      init: async () => {},
      releaseConnection: async () => {},
      beginTransaction: notHere,
      commitTransaction: notHere,
      rollbackTransaction: notHere,
      destroy: async () => {},
      ...driver,
    }),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (query) => new PostgresIntrospector(query),
  };
}

async function notHere(): Promise<never> {
  throw new Error('What belongs into one transaction is written by `writeTransaction`.');
}
