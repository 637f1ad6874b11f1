// Config repos: the state of each, the definitions in its files, and the result of each attempt.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function configRepos({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('config_repo_states')
    .addColumn('repo', 'text', (column) => column.primaryKey())
    .addColumn('settings', 'text')
    .addColumn('mark', 'text')
    .addColumn('in_force', 'text', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('revision', 'text')
    .addColumn('good_revision', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('modification', 'text')
    .addColumn('good_modification', 'text')
    .execute();
  await schema
    .createTable('config_repo_files')
    .addColumn('repo', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('read_as', 'text', (column) => column.notNull())
    .addColumn('content_id', 'text', (column) => column.notNull())
    .addColumn('parser', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('is_in_force', 'integer', (column) => column.notNull())
    .addColumn('is_told', 'integer', (column) => column.notNull())
    .addColumn('is_gone', 'integer', (column) => column.notNull())
    .addColumn('outline', 'text', (column) => column.notNull())
    .addColumn('parsed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('config_repo_files_key', ['repo', 'path'])
    .execute();
  // Holds all that is asked about files which have not changed.
  await schema
    .createIndex('config_repo_files_in_short')
    .on('config_repo_files')
    .columns(['repo', 'is_gone', 'version', 'is_in_force', 'is_told', 'path'])
    .execute();
  await schema
    .createTable('config_repo_parses')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('repo', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('matched', 'integer', (column) => column.notNull())
    .addColumn('parsed', 'integer', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('errors', 'text', (column) => column.notNull())
    .addColumn('warnings', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('config_repo_parses_in_order').on('config_repo_parses').columns(['repo', 'id']).execute();
}
