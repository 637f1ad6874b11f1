// The tables as the newest migration leaves them: a new database gets them at once, because taking all steps takes a good part of the time of
// a first start. A test compares the two.
import { BUILD_TABLES } from './migrations/019-builds.ts';
import { ARTIFACT_TABLES } from './migrations/020-artifacts.ts';
import { isReplaced, JOBS_OF_AGENTS } from './migrations/021-jobs-of-agents.ts';
import { DASHBOARD_TABLES } from './migrations/022-dashboard.ts';
import { RUN_LINK_TABLES } from './migrations/023-run-links.ts';
import { SESSION_TABLES } from './migrations/024-sessions.ts';
import { ENDED_STAGES, isReplacedByEnded } from './migrations/025-ended-stages.ts';
import { ACCOUNT_COLUMNS, TOKEN_COLUMNS } from './migrations/from-026/026-scoped-tokens.ts';
import { WEB_LOGIN_TABLES, withProviderColumns } from './migrations/from-026/027-web-logins.ts';
import { ADDED_COLUMN } from './migrations/from-026/028-added-users.ts';
import { LIFETIME_COLUMN } from './migrations/from-026/029-token-lifetimes.ts';

/** As SQLite keeps them, in this order. */
export const NEWEST_TABLES: readonly string[] = [
  `CREATE TABLE "entities" ("kind" text not null, "key" text not null, "created" integer not null, "revision" integer not null, "etag" text not null, "value" text not null, constraint "entities_key" primary key ("kind", "key"))`,
  `CREATE TABLE "revisions" ("revision" integer primary key, "time" text not null, "actor" text not null, "token" integer, "address" text, "reason" text)`,
  `CREATE TABLE "changes" ("revision" integer not null references "revisions" ("revision"), "position" integer not null, "operation" text not null, "kind" text not null, "key" text not null, "before" text, "after" text, "created" integer default 0 not null, "owner" text, "former_owner" text, "label" text, constraint "changes_key" primary key ("revision", "position"))`,
  `CREATE INDEX "changes_of_entity" on "changes" ("kind", "key", "revision")`,
  `CREATE TABLE "users" ("key" text primary key, "login_name" text not null, "display_name" text not null, "enabled" integer not null, "email" text not null, "email_me" integer not null, "checkin_aliases" text not null, ${ACCOUNT_COLUMNS}, ${ADDED_COLUMN})`,
  `CREATE TABLE "access_tokens" ("id" integer primary key autoincrement, "hash" text not null unique, "description" text not null, "login_name" text not null, "auth_config_id" text not null, "created_at" text not null, "last_used_at" text, "revoked_at" text, "revoked_by" text, "revoke_cause" text, "revoked_because_user_deleted" integer not null, ${TOKEN_COLUMNS}, ${LIFETIME_COLUMN})`,
  `CREATE INDEX "access_tokens_of_user" on "access_tokens" ("login_name")`,
  `CREATE TABLE "notification_filters" ("id" integer primary key autoincrement, "user_key" text not null, "pipeline" text not null, "stage" text not null, "event" text not null, "match_commits" integer not null)`,
  `CREATE INDEX "notification_filters_of_user" on "notification_filters" ("user_key")`,
  `CREATE TABLE "pipeline_pauses" ("key" text primary key, "cause" text not null, "by" text not null, "at" text not null)`,
  `CREATE TABLE "outbox" ("id" integer primary key autoincrement, "message_id" text not null unique, "recipient" text not null, "subject" text not null, "text" text not null, "html" text not null, "created_at" text not null, "due_at" text not null, "attempts" integer not null, "doubts" integer not null, "handed_over_at" text, "last_error" text, "ended_at" text, "ended_as" text)`,
  `CREATE INDEX "outbox_due" on "outbox" ("ended_at", "due_at")`,
  `CREATE TABLE "told_conditions" ("condition" text primary key, "since" text not null)`,
  `CREATE TABLE "backups" ("id" integer primary key autoincrement, "time" text not null, "login_name" text not null, "via" text not null, "status" text not null, "step" text not null, "message" text not null, "path" text not null, "ended_at" text, "bytes" integer, "phases" text not null, "verified" integer, "verification" text, "script" text, "copy" text, "copy_state" text, "removed_at" text)`,
  `CREATE INDEX "backups_by_status" on "backups" ("status")`,
  `CREATE TABLE "maintenance" ("by" text not null, "since" text not null, "reason" text, "until" text)`,
  `CREATE TABLE "materials" ("id" integer primary key autoincrement, "fingerprint" text not null unique, "type" text not null, "description" text not null, "data" text, "directory" text not null, "last_revision" text, "modification_count" integer not null, "poll_count" integer not null, "polled_at" text, "failures" integer not null, "failed_at" text, "failed_before_at" text, "failure" text)`,
  `CREATE TABLE "modifications" ("id" integer primary key, "material_id" integer not null references "materials" ("id") on delete cascade, "ordinal" integer not null, "revision" text not null, "user_name" text, "email" text, "comment" text, "modified_time" bigint not null, "pipeline_label" text, "pipeline_id" integer, "additional_data" text)`,
  `CREATE UNIQUE INDEX "modifications_in_order" on "modifications" ("material_id", "ordinal")`,
  `CREATE UNIQUE INDEX "modifications_by_revision" on "modifications" ("material_id", "revision")`,
  `CREATE TABLE "modified_files" ("modification_id" integer not null references "modifications" ("id") on delete cascade, "position" integer not null, "name" text not null, "action" text not null, constraint "modified_files_key" primary key ("modification_id", "position"))`,
  `CREATE TABLE "config_repo_states" ("repo" text primary key, "settings" text, "mark" text, "in_force" text not null, "rules" text not null, "revision" text, "good_revision" text, "outcome" text not null, "message" text not null, "detail" text not null, "modification" text, "good_modification" text)`,
  `CREATE TABLE "config_repo_files" ("repo" text not null, "path" text not null, "read_as" text not null, "content_id" text not null, "parser" text not null, "version" integer not null, "is_in_force" integer not null, "is_told" integer not null, "is_gone" integer not null, "outline" text not null, "parsed" text not null, constraint "config_repo_files_key" primary key ("repo", "path"))`,
  `CREATE INDEX "config_repo_files_in_short" on "config_repo_files" ("repo", "is_gone", "version", "is_in_force", "is_told", "path")`,
  `CREATE TABLE "config_repo_parses" ("id" integer primary key autoincrement, "repo" text not null, "at" text not null, "revision" text not null, "outcome" text not null, "matched" integer not null, "parsed" integer not null, "duration_ms" integer not null, "errors" text not null, "warnings" text not null)`,
  `CREATE INDEX "config_repo_parses_in_order" on "config_repo_parses" ("repo", "id")`,
  `CREATE TABLE "events" ("number" integer primary key, "body" text not null, "hash" text not null)`,
  `CREATE TABLE "webhook_queues" ("id" integer primary key autoincrement, "webhook" text not null unique, "position" integer not null, "failures" integer not null, "failing_since" text, "last_error" text, "delivered_at" text)`,
  `CREATE TABLE "webhook_deliveries" ("id" integer primary key autoincrement, "queue_id" integer not null references "webhook_queues" ("id") on delete cascade, "event" integer not null, "type" text not null, "attempt" integer not null, "time" text not null, "milliseconds" integer not null, "status" integer, "error" text)`,
  `CREATE INDEX "webhook_deliveries_of_queue" on "webhook_deliveries" ("queue_id", "id")`,
  `CREATE INDEX "changes_of_kind" on "changes" ("kind", "revision")`,
  `CREATE INDEX "revisions_by_actor" on "revisions" (lower(actor), revision)`,
  `CREATE INDEX "revisions_by_token" on "revisions" ("token", "revision")`,
  `CREATE INDEX "revisions_by_time" on "revisions" ("time", "revision")`,
  `CREATE TABLE "revision_names" ("revision" integer primary key references "revisions" ("revision"), "name" text not null, "named_by" text not null, "named_at" text not null)`,
  `CREATE TABLE "compaction" ("kept_from" integer not null, "done_to" integer not null)`,
  `CREATE TABLE "plans" ("id" text primary key, "made_at" text not null, "expires_at" text not null, "actor" text not null, "content" text not null)`,
  `CREATE TABLE "material_wishes" ("fingerprint" text primary key)`,
  `CREATE INDEX changes_by_owner on changes (kind, owner, key) where owner is not null`,
  `CREATE TABLE "leases" ("name" text primary key, "holder" text not null, "epoch" bigint not null, "until" bigint not null)`,
  ...BUILD_TABLES.filter((statement) => !isReplaced(statement)),
  ...ARTIFACT_TABLES,
  JOBS_OF_AGENTS,
  ...DASHBOARD_TABLES.filter((statement) => !isReplacedByEnded(statement)),
  ...RUN_LINK_TABLES,
  ...SESSION_TABLES.map(withProviderColumns),
  ENDED_STAGES,
  ...WEB_LOGIN_TABLES,
];
