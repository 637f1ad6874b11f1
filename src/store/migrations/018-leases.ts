// Leases: which replica does the work that only one may do at a time, and until when.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function leases({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}
