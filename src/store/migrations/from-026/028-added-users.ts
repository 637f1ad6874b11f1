// When each user was added: a user who gets the name of a deleted one is another.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';

/** At the end of the table: the order in which both engines add columns. 0: before this was recorded. */
export const ADDED_COLUMN = `"added_at" bigint not null default 0`;

export async function addedUsers(query: Kysely<Tables>): Promise<void> {
  await sql.raw(`ALTER TABLE "users" ADD COLUMN ${ADDED_COLUMN}`).execute(query);
}
