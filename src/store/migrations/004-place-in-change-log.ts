// The change log says where among its kind an entity stands, so that the lists of an earlier time have their order.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function placeInChangeLog(tables: Kysely<Tables>): Promise<void> {
  await tables.schema
    .alterTable('changes')
    .addColumn('created', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update changes set created = coalesce(
    (select entities.created from entities where entities.kind = changes.kind and entities.key = changes.key), 0)`.execute(tables);
}
