// Access tokens with an end, scopes and addresses, the scopes that each has used, and accounts that belong to programs.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';

/** At the end of a table that is there already: the order in which both engines add columns. */
export const TOKEN_COLUMNS = `"expires_at" text, "scopes" text, "allowed_addresses" text, "used_scopes" text, "expired_at" text`;
export const ACCOUNT_COLUMNS = `"is_service_account" integer not null default 0, "description" text not null default '', "owner" text not null default ''`;

export async function scopedTokens(query: Kysely<Tables>): Promise<void> {
  for (const column of TOKEN_COLUMNS.split(', ')) await sql.raw(`ALTER TABLE "access_tokens" ADD COLUMN ${column}`).execute(query);
  for (const column of ACCOUNT_COLUMNS.split(', ')) await sql.raw(`ALTER TABLE "users" ADD COLUMN ${column}`).execute(query);
}
