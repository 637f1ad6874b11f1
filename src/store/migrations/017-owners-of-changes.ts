// The owner of a changed entity, in columns: found by index, without looking into values.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The members of values that named the owner. */
const OWNERS = { pipelines: 'group', environmentParts: 'environment', packages: 'packageRepo' };
const INDEXES_OF_VALUES = ['changes_by_group', 'changes_by_environment', 'changes_by_repository'];

export async function ownersOfChanges(query: Kysely<Tables>): Promise<void> {
  const { schema } = query;
  for (const index of INDEXES_OF_VALUES) await schema.dropIndex(index).execute();
  for (const column of ['owner', 'former_owner', 'label']) await schema.alterTable('changes').addColumn(column, 'text').execute();
  for (const [kind, member] of Object.entries(OWNERS)) {
    const path = sql.lit(`$.${member}`);
    await sql`update changes set owner = lower(json_extract(after, ${path})), former_owner = lower(json_extract(before, ${path}))
      where kind = ${kind}`.execute(query);
  }
  await sql`update changes set label = json_extract(coalesce(after, before), '$.name') where kind = 'scms'`.execute(query);
  await sql`create index changes_by_owner on changes (kind, owner, key) where owner is not null`.execute(query);
}
