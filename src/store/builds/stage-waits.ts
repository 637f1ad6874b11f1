// How long stage runs waited for agents, counted when they are completed, so that queries need not read their jobs.
import { type CompiledQuery, sql } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';

const MAX_AT_ONCE = 200;

export class StageWaits {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** For the commit that completes it. One that stands for an earlier job did not wait. */
  count(stageRunId: number): CompiledQuery {
    return sql`insert into stage_figures (stage_run_id, waiting_ms)
      select s.id, coalesce(max(t.at - j.scheduled_at), 0) from stage_runs s
      left join jobs j on j.stage_run_id = s.id and j.original_id is null
      left join job_transitions t on t.job_id = j.id and t.state = 'Assigned'
      where s.id = ${stageRunId} group by s.id
      on conflict (stage_run_id) do nothing`.compile(this.#database.query);
  }

  /** In milliseconds, by the id of the stage run; those that are not completed have none. */
  async waits(stageRunIds: readonly number[]): Promise<Map<number, number>> {
    const found = new Map<number, number>();
    for (const some of chunksOf(stageRunIds, MAX_AT_ONCE)) {
      const rows = await this.#database.query.selectFrom('stage_figures').selectAll().where('stage_run_id', 'in', some).execute();
      for (const row of rows) found.set(row.stage_run_id, Number(row.waiting_ms));
    }
    return found;
  }
}
