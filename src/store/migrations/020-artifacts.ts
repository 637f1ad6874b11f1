// Artifacts of jobs: files, disk usage, purges, and the results of tests.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export const ARTIFACT_TABLES: readonly string[] = [
  `CREATE TABLE "artifacts" ("job_id" bigint not null references "jobs" ("id"), "path" text not null, "bytes" bigint not null, "sha256" text not null, "md5" text not null, "created_at" bigint not null, constraint "artifacts_key" primary key ("job_id", "path"))`,
  `CREATE TABLE "artifact_usage" ("pipeline_key" text primary key, "files" bigint not null, "bytes" bigint not null)`,
  `CREATE TABLE "purges" ("stage_run_id" bigint primary key references "stage_runs" ("id"), "reason" text not null, "begun_at" bigint not null)`,
  `CREATE TABLE "test_reports" ("job_id" bigint primary key references "jobs" ("id"), "total" bigint not null, "failed" bigint not null, "skipped" bigint not null, "duration_ms" bigint not null, "problems" text not null, "slowest" text not null, "files" text not null, "unread" bigint not null)`,
  `CREATE INDEX "test_reports_unread" on "test_reports" ("job_id") where "unread" > 0`,
  `CREATE TABLE "test_results" ("job_id" bigint not null references "jobs" ("id"), "position" bigint not null, "pipeline_key" text not null, "test_key" text not null, "class" text not null, "name" text not null, "result" text not null, "duration_ms" bigint not null, "message" text, "trace" text, constraint "test_results_key" primary key ("job_id", "position"))`,
  `CREATE INDEX "test_results_of_test" on "test_results" ("pipeline_key", "test_key", "job_id", "result")`,
  `CREATE INDEX "test_results_failed" on "test_results" ("job_id", "position") where "result" = 'failed'`,
];

export async function artifacts(query: Kysely<Tables>): Promise<void> {
  for (const statement of ARTIFACT_TABLES) await sql.raw(statement).execute(query);
}
