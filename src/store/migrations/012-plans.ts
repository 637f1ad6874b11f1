// Plans: changes of the configuration that were looked at and may be applied later.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function plans({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('plans')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute();
}
