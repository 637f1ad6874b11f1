// Checks a restored database against the facts in the manifest about the one that was backed up.
import { etagOf } from '../../shape/json/etag.ts';
import type { Entity } from '../../shape/resource.ts';
import { countDifferences, type DatabaseFacts, etagDigest } from '../../store/facts.ts';
import { type Connection, countsOf, entities, integrityProblems, openCopy } from '../../store/sqlite/database-facts.ts';

const MAX_NAMED = 5;

/** The differences, in words. */
export function checkDatabase(path: string, wanted: DatabaseFacts): string[] {
  const database = openCopy(path);
  try {
    return [...structureProblems(database), ...countDifferences(countsOf(database), wanted), ...entityProblems(database, wanted)];
  } catch (failure) {
    return [`the database cannot be read: ${(failure as Error).message}`];
  } finally {
    database.close();
  }
}

function structureProblems(database: Connection): string[] {
  return integrityProblems(database, MAX_NAMED).map((problem) => `the database is damaged: ${problem}`);
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
