// The first tables: entities, the change log, users and their access tokens.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function foundation(tables: Kysely<Tables>): Promise<void> {
  const { schema } = tables;
  await schema
    .createTable('entities')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('created', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('etag', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('entities_key', ['kind', 'key'])
    .execute();
  await schema
    .createTable('revisions')
    .addColumn('revision', 'integer', (column) => column.primaryKey())
    .addColumn('time', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('token', 'integer')
    .addColumn('address', 'text')
    .addColumn('reason', 'text')
    .execute();
  await schema
    .createTable('changes')
    .addColumn('revision', 'integer', (column) => column.notNull().references('revisions.revision'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addPrimaryKeyConstraint('changes_key', ['revision', 'position'])
    .execute();
  await schema.createIndex('changes_of_entity').on('changes').columns(['kind', 'key', 'revision']).execute();
  await schema
    .createTable('users')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('login_name', 'text', (column) => column.notNull())
    .addColumn('display_name', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_me', 'integer', (column) => column.notNull())
    .addColumn('checkin_aliases', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('access_tokens')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('login_name', 'text', (column) => column.notNull())
    .addColumn('auth_config_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('revoked_by', 'text')
    .addColumn('revoke_cause', 'text')
    .addColumn('revoked_because_user_deleted', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('access_tokens_of_user').on('access_tokens').column('login_name').execute();
}
