// Logins at the pages of providers: the accounts of users, the columns of a session for a single logout, and keys that count only once.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';

const SESSIONS = 'sessions';
const SESSION_COLUMNS: readonly string[] = ['subject', 'provider_session', 'id_token'].map((name) => `"${name}" text default '' not null`);

export const WEB_LOGIN_TABLES: readonly string[] = [
  `CREATE TABLE "provider_accounts" ("auth_config_id" text not null, "user_key" text not null, "issuer" text not null, "subject" text not null, "groups" text not null, "seen_at" bigint not null, constraint "provider_accounts_key" primary key ("auth_config_id", "user_key"))`,
  `CREATE TABLE "used_once" ("key" text primary key, "until" bigint not null)`,
  `CREATE INDEX "sessions_of_subject" on "${SESSIONS}" ("auth_config_id", "subject")`,
];

/** The table of sessions as it is made from now on; other statements stay as they are. */
export function withProviderColumns(statement: string): string {
  return statement.startsWith(`CREATE TABLE "${SESSIONS}" `) ? statement.replace(/\)$/, `, ${SESSION_COLUMNS.join(', ')})`) : statement;
}

export async function webLogins(query: Kysely<Tables>): Promise<void> {
  for (const column of SESSION_COLUMNS) await sql.raw(`ALTER TABLE "${SESSIONS}" ADD COLUMN ${column}`).execute(query);
  for (const statement of WEB_LOGIN_TABLES) await sql.raw(statement).execute(query);
}
