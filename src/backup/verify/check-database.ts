// Checks a restored database against what the manifest says of the one that was backed up.
import { etagOf } from '../../shape/json/etag.ts';
import type { Entity } from '../../shape/resource.ts';
import {
  type Connection,
  countRows,
  entities,
  integrityProblems,
  lastRevision,
  openCopy,
  schemaVersion,
  tableNames,
} from '../../store/sqlite/database-facts.ts';
import { type DatabaseFacts, etagDigest } from '../manifest.ts';

const MAX_NAMED = 5;

/** What differs, in words. */
export function checkDatabase(path: string, wanted: DatabaseFacts): string[] {
  const database = openCopy(path);
  try {
    return [...structureProblems(database), ...countProblems(database, wanted), ...entityProblems(database, wanted)];
  } catch (failure) {
    return [`the database cannot be read: ${(failure as Error).message}`];
  } finally {
    database.close();
  }
}

function structureProblems(database: Connection): string[] {
  return integrityProblems(database, MAX_NAMED).map((problem) => `the database is damaged: ${problem}`);
}

function countProblems(database: Connection, { schema, revision, tables }: DatabaseFacts): string[] {
  const found = { schema: schemaVersion(database), revision: lastRevision(database) };
  const names = [...new Set([...Object.keys(tables), ...tableNames(database)])];
  const present = new Set(tableNames(database));
  return [
    ...(found.schema === schema ? [] : [`the schema is ${found.schema} instead of ${schema}`]),
    ...(found.revision === revision ? [] : [`the last revision is ${found.revision} instead of ${revision}`]),
    ...names.flatMap((name) => {
      const count = present.has(name) ? countRows(database, name) : undefined;
      return count === tables[name] ? [] : [`the table ${name} has ${count ?? 'no'} rows instead of ${tables[name] ?? 'none'}`];
    }),
  ];
}

function entityProblems(database: Connection, { etags }: DatabaseFacts): string[] {
  const digest = etagDigest();
  const changed: string[] = [];
  for (const { kind, key, etag, value } of entities(database)) {
    digest.add(kind, key, etag);
    if (etagOf(JSON.parse(value) as Entity) !== etag) changed.push(`${kind} '${key}'`);
  }
  return [
    ...changed.slice(0, MAX_NAMED).map((name) => `the ETag of ${name} is not that of its content`),
    ...(changed.length > MAX_NAMED ? [`and ${changed.length - MAX_NAMED} more ETags`] : []),
    ...(digest.digest() === etags ? [] : ['the ETags of the entities are not those of the server']),
  ];
}
