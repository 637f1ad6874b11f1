// Builds: runs, stage runs, jobs, agents, and requests that wait to be scheduled. The SQL is valid for both engines.
// Ids are given by the server that runs builds, because rows that belong together are written as one list of statements.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export const BUILD_TABLES: readonly string[] = [
  `CREATE TABLE "pipeline_counters" ("key" text primary key, "last" bigint not null)`,
  `CREATE TABLE "runs" ("id" bigint primary key, "pipeline_key" text not null, "pipeline" text not null, "counter" bigint not null, "label" text not null, "trigger" text not null, "message" text not null, "approver" text not null, "comment" text, "scheduled_at" bigint not null, "variables" text not null, "configuration" bigint not null)`,
  `CREATE UNIQUE INDEX "runs_by_counter" on "runs" ("pipeline_key", "counter")`,
  `CREATE TABLE "run_revisions" ("run_id" bigint not null references "runs" ("id"), "position" bigint not null, "pipeline_key" text not null, "fingerprint" text not null, "type" text not null, "name" text, "folder" text, "description" text not null, "is_changed" bigint not null, "first" bigint not null, "last" bigint not null, constraint "run_revisions_key" primary key ("run_id", "position"))`,
  `CREATE INDEX "run_revisions_by_material" on "run_revisions" ("pipeline_key", "fingerprint", "last")`,
  `CREATE TABLE "stage_runs" ("id" bigint primary key, "run_id" bigint not null references "runs" ("id"), "pipeline_key" text not null, "stage_key" text not null, "stage" text not null, "position" bigint not null, "counter" bigint not null, "result" text not null, "approval" text not null, "approved_by" text not null, "scheduled_at" bigint not null, "completed_at" bigint, "is_latest" bigint not null, "rerun_of_counter" bigint, "cancelled_by" text, "fetch_materials" bigint not null, "clean_working_directory" bigint not null, "artifacts_deleted" bigint not null, "configuration" bigint not null)`,
  `CREATE UNIQUE INDEX "stage_runs_by_counter" on "stage_runs" ("run_id", "stage_key", "counter")`,
  `CREATE INDEX "stage_runs_of_stage" on "stage_runs" ("pipeline_key", "stage_key", "id")`,
  `CREATE INDEX "stage_runs_active" on "stage_runs" ("id") where "completed_at" is null`,
  `CREATE TABLE "jobs" ("id" bigint primary key, "stage_run_id" bigint not null references "stage_runs" ("id"), "pipeline_key" text not null, "stage_key" text not null, "job_key" text not null, "name" text not null, "state" text not null, "result" text not null, "agent_uuid" text, "pinned_to" text, "scheduled_at" bigint not null, "completed_at" bigint, "is_rerun" bigint not null, "original_id" bigint, "epoch" bigint not null, "last_report" bigint not null)`,
  `CREATE INDEX "jobs_of_stage_run" on "jobs" ("stage_run_id", "id")`,
  `CREATE INDEX "jobs_by_name" on "jobs" ("pipeline_key", "stage_key", "job_key", "id")`,
  `CREATE INDEX "jobs_of_agent" on "jobs" ("agent_uuid", "id") where "agent_uuid" is not null`,
  `CREATE INDEX "jobs_active" on "jobs" ("id") where "completed_at" is null`,
  `CREATE TABLE "job_plans" ("job_id" bigint primary key references "jobs" ("id"), "plan" text not null)`,
  `CREATE TABLE "job_transitions" ("job_id" bigint not null references "jobs" ("id"), "position" bigint not null, "state" text not null, "at" bigint not null, constraint "job_transitions_key" primary key ("job_id", "position"))`,
  `CREATE TABLE "agents" ("uuid" text primary key, "hostname" text not null, "ip_address" text not null, "sandbox" text not null, "operating_system" text not null, "version" text not null, "config_state" text not null, "resources" text not null, "environments" text not null, "elastic_agent_id" text, "elastic_plugin_id" text, "token_hash" text not null, "is_local" bigint not null, "registered_at" bigint not null, "free_space" bigint)`,
  `CREATE TABLE "pipeline_locks" ("key" text primary key, "run_id" bigint not null references "runs" ("id"))`,
  `CREATE TABLE "trigger_requests" ("key" text primary key, "content" text not null, "requested_at" bigint not null)`,
  `CREATE TABLE "timer_firings" ("key" text not null, "instant" bigint not null, constraint "timer_firings_key" primary key ("key", "instant"))`,
];

export async function builds(query: Kysely<Tables>): Promise<void> {
  for (const statement of BUILD_TABLES) await sql.raw(statement).execute(query);
}
