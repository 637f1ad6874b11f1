// Which runs were made from another run, or with a revision of a repository. An index answers: nothing here costs more as history grows.
import { sql } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';

export interface RunBelow {
  /** The run it was made from. */
  readonly upstream: number;
  readonly run: number;
}

/** Of one pipeline, so many runs with the same revision are found, the newest, and one more that shows that there are others. */
export const MAX_RUNS = 10;
/** Maximum number of runs that are asked for in one statement: others wait for it. */
const RUNS_AT_ONCE = 20;
const PIPELINES_AT_ONCE = 100;
/** A revision that came with newer ones is found among so many. */
const MAX_SCANNED = 100;

export class RunLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The runs that were made from these, in no order. */
  async below(runIds: readonly number[]): Promise<RunBelow[]> {
    const found: RunBelow[] = [];
    for (const chunk of chunksOf(runIds, RUNS_AT_ONCE)) {
      const some = sql.join(chunk);
      // From one pipeline to the next by the index, however many runs each of them has.
      const { rows } = await sql<{ upstream: number; run_id: number }>`with recursive
        users(id, upstream, pipeline) as (
          select m.id, m.pipeline_id, (select min(r.pipeline_key) from run_revisions r where r.last = m.id)
            from modifications m where m.pipeline_id in (${some})
          union all
          select id, upstream, (select min(r.pipeline_key) from run_revisions r where r.last = users.id and r.pipeline_key > users.pipeline)
            from users where pipeline is not null)
        select users.upstream, r.run_id from users
          join run_revisions r on r.last = users.id and r.pipeline_key = users.pipeline
          where users.pipeline is not null and r.run_id >= coalesce((select x.run_id from run_revisions x
            where x.last = users.id and x.pipeline_key = users.pipeline order by x.run_id desc limit 1 offset ${MAX_RUNS}), 0)`.execute(
        this.#database.query,
      );
      for (const { upstream, run_id: run } of rows) found.push({ upstream: Number(upstream), run: Number(run) });
    }
    return found;
  }

  /** The runs of these pipelines in which a modification of a material was built first: by itself, or among newer ones. */
  async withModification(fingerprint: string, modification: number, pipelineKeys: readonly string[]): Promise<number[]> {
    const found: number[] = [];
    for (const chunk of chunksOf(pipelineKeys, PIPELINES_AT_ONCE)) {
      const some = sql.join(chunk.map((key) => sql`(${key})`));
      const { rows } = await sql<{ run_id: number }>`with users(pipeline) as (values ${some}),
        ends(pipeline, last) as (
          select pipeline, (select o.last from (select r.last, r.first from run_revisions r
            where r.pipeline_key = users.pipeline and r.fingerprint = ${fingerprint} and r.last >= ${modification}
            order by r.last limit ${MAX_SCANNED}) o where o.first <= ${modification} order by o.last limit 1) from users)
        select r.run_id from ends join run_revisions r on r.last = ends.last and r.pipeline_key = ends.pipeline
          where r.run_id >= coalesce((select x.run_id from run_revisions x
            where x.last = ends.last and x.pipeline_key = ends.pipeline order by x.run_id desc limit 1 offset ${MAX_RUNS}), 0)`.execute(
        this.#database.query,
      );
      for (const { run_id: run } of rows) found.push(Number(run));
    }
    return found;
  }
}
