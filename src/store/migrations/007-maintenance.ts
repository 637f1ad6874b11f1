// Maintenance mode that goes on after a restart: one row while it is on, none otherwise.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function maintenance({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('maintenance')
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('since', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('until', 'text')
    .execute();
}
