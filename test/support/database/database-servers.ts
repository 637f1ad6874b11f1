// Servers on one PostgreSQL as far as the store goes: each writes down what the others have written.
import type { CompiledQuery } from 'kysely';
import { Refusal } from '../../../src/kit/refusal.ts';
import type { Database } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import type { RemoteWrites } from '../../../src/store/remote-writes.ts';

export interface DatabaseServer {
  readonly database: Database;
  readonly remoteWrites: RemoteWrites[];
  reloads: number;
}

export async function startDatabaseServer(url: string): Promise<DatabaseServer> {
  const database = await openPostgres({ url, password: undefined });
  await migrate(database);
  await database.shared!.loadFirst(async () => {});
  const server: DatabaseServer = { database, remoteWrites: [], reloads: 0 };
  database.shared!.onRemoteWrites({
    follow: async (writes) => void server.remoteWrites.push(writes),
    reload: async () => {
      server.reloads++;
      await database.shared!.loadFirst(async () => {});
    },
  });
  database.shared!.follow();
  return server;
}

export function insertRevision(database: Database, number: number): CompiledQuery {
  const row = { revision: number, time: '', actor: 'ann', token: null, address: null, reason: null };
  return database.query.insertInto('revisions').values(row).compile();
}

export const revisionsIn = (writes: readonly RemoteWrites[]): number[] =>
  writes.flatMap(({ revisions }) => revisions.map((one) => one.revision));

/** `written`, or why not. */
export function outcomeOf(writing: Promise<unknown>): Promise<string> {
  return writing.then(
    () => 'written',
    (failure: unknown) => (failure instanceof Refusal ? failure.kind : String(failure)),
  );
}
