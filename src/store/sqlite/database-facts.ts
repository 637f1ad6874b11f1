// The facts of an embedded database, in numbers: by these a copy of it is compared with it.
import { DatabaseSync } from 'node:sqlite';
import { type DatabaseFacts, etagDigest } from '../facts.ts';
import type { EntityRow } from '../rows/configuration.ts';

export type Connection = DatabaseSync;
type EntityLine = Pick<EntityRow, 'kind' | 'key' | 'etag'>;

const MAX_MAPPED_BYTES = 2 ** 40;

/** Opens a copy of a database to look through all of it. */
export function openCopy(path: string): Connection {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA mmap_size = ${MAX_MAPPED_BYTES}`); // three times as fast, and no other process writes to it
  return database;
}

export function factsOf(database: Connection): DatabaseFacts {
  const etags = etagDigest();
  for (const { kind, key, etag } of entityLines(database)) etags.add(kind, key, etag);
  return { ...countsOf(database), etags: etags.digest() };
}

export function countsOf(database: Connection): Omit<DatabaseFacts, 'etags'> {
  return {
    schema: schemaVersion(database),
    revision: lastRevision(database),
    tables: Object.fromEntries(tableNames(database).map((table) => [table, countRows(database, table)])),
  };
}

/** In the words of the engine; none when it is sound. */
export function integrityProblems(database: Connection, limit: number): string[] {
  const found = database
    .prepare(`PRAGMA integrity_check(${limit})`)
    .all()
    .map((row) => String(row.integrity_check));
  return found.length === 1 && found[0] === 'ok' ? [] : found;
}

function tableNames(database: Connection): string[] {
  const rows = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite@_%' escape '@' order by name")
    .all();
  return rows.map(({ name }) => String(name));
}

function countRows(database: Connection, table: string): number {
  return Number(database.prepare(`select count(*) as count from "${table.replaceAll('"', '""')}"`).get()!.count);
}

function schemaVersion(database: Connection): number {
  return Number(database.prepare('select version from schema_version').get()?.version ?? 0);
}

function lastRevision(database: Connection): number {
  return Number(database.prepare('select coalesce(max(revision), 0) as revision from revisions').get()!.revision);
}

/** In the order of kind and key. */
function entityLines(database: Connection): IterableIterator<EntityLine> {
  return database.prepare('select kind, key, etag from entities order by kind, key').iterate() as IterableIterator<EntityLine>;
}

/** The entities with their values, in the order of kind and key. */
export function entities(database: Connection): IterableIterator<Readonly<EntityRow>> {
  return database.prepare('select * from entities order by kind, key').iterate() as IterableIterator<EntityRow>;
}

/** The values of all entities of a kind, in JSON. */
export function valuesOfKind(database: Connection, kind: string): string[] {
  const rows = database.prepare('select value from entities where kind = ? order by key').all(kind);
  return rows.map(({ value }) => String(value));
}
