// Reads some rows of a database from beside the server, whether it runs or not: a connection of its own that only reads.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ReadOnlyRows } from '../../readers/read-only-rows.ts';

const BUSY_MS = 5000;

/** Undefined: there is no such file. */
export async function readOnlyRows<T>(path: string, read: (rows: ReadOnlyRows) => Promise<T>): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  using database = new DatabaseSync(path, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const entities = database.prepare('select value from entities where kind = ? order by created');
  const user = database.prepare('select 1 from users where key = ?');
  return await read({
    entities: async (kind) => entities.all(kind).map(({ value }) => JSON.parse(String(value)) as unknown),
    knowsUser: async (loginName) => user.get(loginName.toLowerCase()) !== undefined,
  });
}
