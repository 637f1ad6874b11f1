// The modifications that runs were made from, of any number of runs in one statement.
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A modification that a run was made from. */
export interface RunModification {
  readonly run: number;
  /** The place of its material in the run. */
  readonly position: number;
  readonly revision: string;
  /** Milliseconds. */
  readonly modifiedTime: number;
  readonly userName: string | null;
  readonly email: string | null;
  readonly comment: string | null;
}

/** Of one material in one run, so many are read, the newest ones: a pipeline may have stood still for years. */
const MAX_OF_MATERIAL = 100;
/** Maximum number of runs that are asked for in one statement. */
const MAX_AT_ONCE = 200;

/** Of each run the materials in their order, of each material the newest first. */
export async function modificationsOfRuns({ query }: Database, runIds: readonly number[]): Promise<RunModification[]> {
  const found: RunModification[] = [];
  for (let start = 0; start < runIds.length; start += MAX_AT_ONCE) {
    const rows = await query
      .selectFrom('run_revisions as used')
      .innerJoin('modifications as oldest', 'oldest.id', 'used.first')
      .innerJoin('modifications as newest', 'newest.id', 'used.last')
      .innerJoin('modifications as one', (join) =>
        join
          .onRef('one.material_id', '=', 'newest.material_id')
          .onRef('one.ordinal', '>=', 'oldest.ordinal')
          .onRef('one.ordinal', '<=', 'newest.ordinal')
          .on('one.ordinal', '>', sql<number>`newest.ordinal - ${sql.lit(MAX_OF_MATERIAL)}`),
      )
      .select(['used.run_id', 'used.position', 'one.revision', 'one.modified_time', 'one.user_name', 'one.email', 'one.comment'])
      .where('used.run_id', 'in', runIds.slice(start, start + MAX_AT_ONCE))
      .orderBy('used.run_id')
      .orderBy('used.position')
      .orderBy('one.ordinal', 'desc')
      .execute();
    for (const row of rows)
      found.push({
        run: row.run_id,
        position: row.position,
        revision: row.revision,
        modifiedTime: row.modified_time,
        userName: row.user_name,
        email: row.email,
        comment: row.comment,
      });
  }
  return found;
}
