// The stage runs of a pipeline that have ended, newest first. The index before it held all of them, and SQLite took it also to look for
// those that are under way: it read the whole past of the pipeline for them.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The index that it replaces. */
const FORMER = 'stage_runs_of_pipeline';

export const ENDED_STAGES = `CREATE INDEX "stage_runs_ended_of_pipeline" on "stage_runs" ("pipeline_key", "id") where "completed_at" is not null`;

export function isReplacedByEnded(statement: string): boolean {
  return statement.startsWith(`CREATE INDEX "${FORMER}" `);
}

export async function endedStages(query: Kysely<Tables>): Promise<void> {
  await sql.raw(`DROP INDEX "${FORMER}"`).execute(query);
  await sql.raw(ENDED_STAGES).execute(query);
}
