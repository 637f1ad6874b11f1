// Reads some rows of a database from beside the server, whether it runs or not: a connection of its own that only reads.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface ReadOnlyRows {
  /** The entities of a kind, in the order of their creation. */
  entities(kind: string): readonly unknown[];
  /** Whether the server knows a user of this name, whatever the letter case. */
  knowsUser(loginName: string): boolean;
}

const BUSY_MS = 5000;

/** Undefined: there is no such file. */
export function readOnlyRows<T>(path: string, read: (rows: ReadOnlyRows) => T): T | undefined {
  if (!existsSync(path)) return undefined;
  using database = new DatabaseSync(path, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const entities = database.prepare('select value from entities where kind = ? order by created');
  const user = database.prepare('select 1 from users where key = ?');
  return read({
    entities: (kind) => entities.all(kind).map(({ value }) => JSON.parse(String(value)) as unknown),
    knowsUser: (loginName) => user.get(loginName.toLowerCase()) !== undefined,
  });
}
