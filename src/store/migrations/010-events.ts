// Events, each chained to the one before it, and the deliveries of outgoing webhooks.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function events({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('events')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('webhook_queues')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('webhook', 'text', (column) => column.notNull().unique())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failing_since', 'text')
    .addColumn('last_error', 'text')
    .addColumn('delivered_at', 'text')
    .execute();
  await schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('queue_id', 'integer', (column) => column.notNull().references('webhook_queues.id').onDelete('cascade'))
    .addColumn('event', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('milliseconds', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .execute();
  await schema.createIndex('webhook_deliveries_of_queue').on('webhook_deliveries').columns(['queue_id', 'id']).execute();
}
