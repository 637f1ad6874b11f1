// Indexes and figures for maps and statistics of runs: the runs made from a run or a revision, and how long stages waited for agents.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export const RUN_LINK_TABLES: readonly string[] = [
  `CREATE INDEX "modifications_of_run" on "modifications" ("pipeline_id") where "pipeline_id" is not null`,
  `CREATE INDEX "run_revisions_by_last" on "run_revisions" ("last", "pipeline_key", "run_id")`,
  `CREATE TABLE "stage_figures" ("stage_run_id" bigint primary key references "stage_runs" ("id"), "waiting_ms" bigint not null)`,
];

/** The figures of stage runs that are completed already. */
const STATISTICS = `INSERT INTO "stage_figures" ("stage_run_id", "waiting_ms")
  SELECT s.id, coalesce(max(t.at - j.scheduled_at), 0) FROM stage_runs s
  LEFT JOIN jobs j ON j.stage_run_id = s.id AND j.original_id IS NULL
  LEFT JOIN job_transitions t ON t.job_id = j.id AND t.state = 'Assigned'
  WHERE s.completed_at IS NOT NULL GROUP BY s.id`;

export async function runLinks(query: Kysely<Tables>): Promise<void> {
  for (const statement of [...RUN_LINK_TABLES, STATISTICS]) await sql.raw(statement).execute(query);
}
