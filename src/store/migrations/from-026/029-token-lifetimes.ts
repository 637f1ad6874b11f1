// How long each token was to live when it was made: its expiry alone does not tell, because a token that is replaced ends earlier.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';

/** At the end of the table: the order in which both engines add columns. */
export const LIFETIME_COLUMN = `"lifetime_ms" bigint`;

/** Tokens that are being replaced now have only the end of their overlap left. They are gone in 30 days. */
export async function tokenLifetimes(query: Kysely<Tables>): Promise<void> {
  await sql.raw(`ALTER TABLE "access_tokens" ADD COLUMN ${LIFETIME_COLUMN}`).execute(query);
  const ending = await query
    .selectFrom('access_tokens')
    .select(['id', 'created_at', 'expires_at'])
    .where('expires_at', 'is not', null)
    .execute();
  for (const { id, created_at, expires_at } of ending) {
    if (expires_at === null) continue;
    const lifetime_ms = Date.parse(expires_at) - Date.parse(created_at);
    await query.updateTable('access_tokens').set({ lifetime_ms }).where('id', '=', id).execute();
  }
}
