// Paused pipelines: they start no new runs.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function pipelinePauses({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('pipeline_pauses')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
}
