// Logins at the pages of providers: whose account is whose user, what a single logout needs of a session, and what counts only once.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';

export const WEB_LOGIN_TABLES: readonly string[] = [
  `CREATE TABLE "provider_accounts" ("auth_config_id" text not null, "user_key" text not null, "issuer" text not null, "subject" text not null, "groups" text not null, "seen_at" bigint not null, constraint "provider_accounts_key" primary key ("auth_config_id", "user_key"))`,
  `CREATE TABLE "used_once" ("key" text primary key, "until" bigint not null)`,
  `ALTER TABLE "sessions" ADD COLUMN "subject" text default '' not null`,
  `ALTER TABLE "sessions" ADD COLUMN "provider_session" text default '' not null`,
  `ALTER TABLE "sessions" ADD COLUMN "id_token" text default '' not null`,
  `CREATE INDEX "sessions_of_subject" on "sessions" ("auth_config_id", "subject")`,
];

export async function webLogins(query: Kysely<Tables>): Promise<void> {
  for (const statement of WEB_LOGIN_TABLES) await sql.raw(statement).execute(query);
}
