// Statements of one connection, each prepared once.
import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MAX_PREPARED = 200;

export type Prepare = (sql: string) => StatementSync;

export function preparedStatements(connection: DatabaseSync): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const statement = connection.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
