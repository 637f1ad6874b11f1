// Backups of the server: one row for each, from the moment it is asked for.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function backups({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('backups')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('login_name', 'text', (column) => column.notNull())
    .addColumn('via', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('step', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('bytes', 'integer')
    .addColumn('phases', 'text', (column) => column.notNull())
    .addColumn('verified', 'integer')
    .addColumn('verification', 'text')
    .addColumn('script', 'text')
    .addColumn('copy', 'text')
    .addColumn('copy_state', 'text')
    .addColumn('removed_at', 'text')
    .execute();
  await schema.createIndex('backups_by_status').on('backups').column('status').execute();
}
