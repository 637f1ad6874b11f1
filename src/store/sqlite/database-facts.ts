// What an embedded database holds, in numbers: by these a copy of it is compared with it.
import type { DatabaseSync } from 'node:sqlite';
import type { EntityRow } from '../rows/configuration.ts';

export type EntityLine = Pick<EntityRow, 'kind' | 'key' | 'etag'>;

export function tableNames(database: DatabaseSync): string[] {
  const rows = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite@_%' escape '@' order by name")
    .all();
  return rows.map(({ name }) => String(name));
}

export function countRows(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`select count(*) as count from "${table.replaceAll('"', '""')}"`).get()!.count);
}

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('select version from schema_version').get()?.version ?? 0);
}

export function lastRevision(database: DatabaseSync): number {
  return Number(database.prepare('select coalesce(max(revision), 0) as revision from revisions').get()!.revision);
}

/** In the order of kind and key. */
export function entityLines(database: DatabaseSync): IterableIterator<EntityLine> {
  return database.prepare('select kind, key, etag from entities order by kind, key').iterate() as unknown as IterableIterator<EntityLine>;
}

/** The same with their values. */
export function entities(database: DatabaseSync): IterableIterator<Readonly<EntityRow>> {
  return database.prepare('select * from entities order by kind, key').iterate() as unknown as IterableIterator<EntityRow>;
}
