// Which pipelines ever were in a group is found without reading all of them.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function pipelinesByGroup(query: Kysely<Tables>): Promise<void> {
  await sql`create index changes_by_group on changes (lower(json_extract(after, '$.group')), key) where kind = 'pipelines'`.execute(query);
}
