// The jobs that an agent has completed, in the order in which they are shown. One that is under way is not in it: it would be moved with each
// of its states.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** The index that it replaces. */
const FORMER = 'jobs_of_agent';

export const JOBS_OF_AGENTS = `CREATE INDEX "jobs_completed_by_agent" on "jobs" ("agent_uuid", "completed_at", "id", "state") where "completed_at" is not null`;

export function isReplaced(statement: string): boolean {
  return statement.startsWith(`CREATE INDEX "${FORMER}" `);
}

export async function jobsOfAgents(query: Kysely<Tables>): Promise<void> {
  await sql.raw(`DROP INDEX "${FORMER}"`).execute(query);
  await sql.raw(JOBS_OF_AGENTS).execute(query);
}
