// Notification filters: the events that each user wants mail about.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function notificationFilters({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('notification_filters')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_key', 'text', (column) => column.notNull())
    .addColumn('pipeline', 'text', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('match_commits', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('notification_filters_of_user').on('notification_filters').column('user_key').execute();
}
