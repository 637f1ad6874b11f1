// Materials as of their last poll, and their changes: modifications, and the files of each.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function modifications({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('materials')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('fingerprint', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('data', 'text')
    .addColumn('directory', 'text', (column) => column.notNull())
    .addColumn('last_revision', 'text')
    .addColumn('modification_count', 'integer', (column) => column.notNull())
    .addColumn('poll_count', 'integer', (column) => column.notNull())
    .addColumn('polled_at', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failed_at', 'text')
    .addColumn('failed_before_at', 'text')
    .addColumn('failure', 'text')
    .execute();
  await schema
    .createTable('modifications')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('material_id', 'integer', (column) => column.notNull().references('materials.id').onDelete('cascade'))
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text')
    .addColumn('email', 'text')
    .addColumn('comment', 'text')
    .addColumn('modified_time', 'bigint', (column) => column.notNull())
    .addColumn('pipeline_label', 'text')
    .addColumn('pipeline_id', 'integer')
    .addColumn('additional_data', 'text')
    .execute();
  await schema.createIndex('modifications_in_order').unique().on('modifications').columns(['material_id', 'ordinal']).execute();
  await schema.createIndex('modifications_by_revision').unique().on('modifications').columns(['material_id', 'revision']).execute();
  await schema
    .createTable('modified_files')
    .addColumn('modification_id', 'integer', (column) => column.notNull().references('modifications.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('modified_files_key', ['modification_id', 'position'])
    .execute();
}
