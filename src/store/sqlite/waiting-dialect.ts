// kysely's dialect of SQLite for a server that reads on its own thread and writes on another one.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { explainingFullDisk } from './full-disk.ts';
import { type Prepare, preparedStatements } from './prepared-statements.ts';
import type { Writer } from './writer.ts';

export interface SqliteParts {
  readonly reader: DatabaseSync;
  readonly writer: Writer;
  /** A connection for one stream: as long as that goes on, it sees the database as it was at the beginning. */
  openStream(): DatabaseSync;
}

export class SqliteThreadsDialect implements Dialect {
  readonly #parts: SqliteParts;

  constructor(parts: SqliteParts) {
    this.#parts = parts;
  }

  createDriver(): Driver {
    const connection = new ReadWriteConnection(this.#parts);
    return {
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: notHere,
      commitTransaction: notHere,
      rollbackTransaction: notHere,
      destroy: async () => {},
    };
  }

  createQueryCompiler = () => new SqliteQueryCompiler();
  createAdapter = () => new SqliteAdapter();
  createIntrospector = (query: Kysely<unknown>) => new SqliteIntrospector(query);
}

function notHere(): never {
  throw new Error('What belongs into one transaction is written by `writeTransaction`.');
}

class ReadWriteConnection implements DatabaseConnection {
  readonly #parts: SqliteParts;
  readonly #prepare: Prepare;

  constructor(parts: SqliteParts) {
    this.#parts = parts;
    this.#prepare = preparedStatements(parts.reader);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#isRead(query) ? this.#read<R>(query) : this.#write<R>(query);
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const connection = this.#parts.openStream();
    try {
      for (const row of connection.prepare(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] };
    } finally {
      connection.close();
    }
  }

  #isRead({ query, sql }: CompiledQuery): boolean {
    return SelectQueryNode.is(query) || (RawNode.is(query) && this.#prepare(sql).columns().length > 0);
  }

  #read<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    return { rows: explainingFullDisk(() => this.#prepare(sql).all(...(parameters as SQLInputValue[]))) as R[] };
  }

  async #write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const [result] = await this.#parts.writer.write([query], { isDurable: true, wantsResults: true });
    const { rows, changes, lastInsertRowid } = result!;
    return { rows: rows as R[], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
}
