// Browser sessions: the users who are logged in, by the hash of the value of their cookie.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export const SESSION_TABLES: readonly string[] = [
  `CREATE TABLE "sessions" ("hash" text primary key, "user_key" text not null, "auth_config_id" text not null, "password_mark" text not null, "created_at" bigint not null, "used_at" bigint not null, "address" text not null, "browser" text not null)`,
  `CREATE INDEX "sessions_of_user" on "sessions" ("user_key", "created_at")`,
];

export async function sessions(query: Kysely<Tables>): Promise<void> {
  for (const statement of SESSION_TABLES) await sql.raw(statement).execute(query);
}
