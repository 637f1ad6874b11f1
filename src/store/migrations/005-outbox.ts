// Mail that waits to be sent, and the conditions that administrators have been told of.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function outbox({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('outbox')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('message_id', 'text', (column) => column.notNull().unique())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('doubts', 'integer', (column) => column.notNull())
    .addColumn('handed_over_at', 'text')
    .addColumn('last_error', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('ended_as', 'text')
    .execute();
  await schema.createIndex('outbox_due').on('outbox').columns(['ended_at', 'due_at']).execute();
  await schema
    .createTable('told_conditions')
    .addColumn('condition', 'text', (column) => column.primaryKey())
    .addColumn('since', 'text', (column) => column.notNull())
    .execute();
}
