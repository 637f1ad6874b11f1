// Indexes for the entities that an environment or a package repository ever owned.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function membersByOwner(query: Kysely<Tables>): Promise<void> {
  await sql`create index changes_by_environment on changes (lower(json_extract(after, '$.environment')), key)
    where kind = 'environmentParts'`.execute(query);
  await sql`create index changes_by_repository on changes (lower(json_extract(after, '$.packageRepo')), key)
    where kind = 'packages'`.execute(query);
}
