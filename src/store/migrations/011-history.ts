// The change log can be searched, its revisions can have names, and old values can be compacted.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function history({ schema }: Kysely<Tables>): Promise<void> {
  await schema.createIndex('changes_of_kind').on('changes').columns(['kind', 'revision']).execute();
  await schema.createIndex('revisions_by_actor').on('revisions').expression(sql`lower(actor), revision`).execute();
  await schema.createIndex('revisions_by_token').on('revisions').columns(['token', 'revision']).execute();
  await schema.createIndex('revisions_by_time').on('revisions').columns(['time', 'revision']).execute();
  await schema
    .createTable('revision_names')
    .addColumn('revision', 'integer', (column) => column.primaryKey().references('revisions.revision'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('named_by', 'text', (column) => column.notNull())
    .addColumn('named_at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('compaction')
    .addColumn('kept_from', 'integer', (column) => column.notNull())
    .addColumn('done_to', 'integer', (column) => column.notNull())
    .execute();
}
