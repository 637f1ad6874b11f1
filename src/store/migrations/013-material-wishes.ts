// Materials whose poll was requested and has not run since: the request was answered with the promise that it will.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function materialWishes({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('material_wishes')
    .addColumn('fingerprint', 'text', (column) => column.primaryKey())
    .execute();
}
