// The dashboard: the views of users, and indexes that make it cheap to read the active stages of one pipeline.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export const DASHBOARD_TABLES: readonly string[] = [
  `CREATE TABLE "dashboard_views" ("user_key" text primary key, "views" text not null)`,
  `CREATE INDEX "stage_runs_active_of_pipeline" on "stage_runs" ("pipeline_key", "id") where "completed_at" is null`,
  `CREATE INDEX "stage_runs_of_pipeline" on "stage_runs" ("pipeline_key", "id")`,
];

export async function dashboard(query: Kysely<Tables>): Promise<void> {
  for (const statement of DASHBOARD_TABLES) await sql.raw(statement).execute(query);
}
