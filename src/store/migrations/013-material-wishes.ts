// Materials that somebody has asked to look at, and that nobody has looked at since: an answer was given that it will be done.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function materialWishes({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('material_wishes')
    .addColumn('fingerprint', 'text', (column) => column.primaryKey())
    .execute();
}
