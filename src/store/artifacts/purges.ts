// Stage runs whose artifacts are being deleted: what exists is forgotten first, in one commit; the files go afterwards.
import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { PurgeRow } from '../rows/artifacts.ts';
import { isFile, notBelow } from './purgeable-runs.ts';

export interface Purge {
  readonly stageRun: number;
  readonly pipelineKey: string;
  /** In words. */
  readonly reason: string;
  readonly at: number;
}

export class Purges {
  readonly #database: Pick<Database, 'query'>;
  readonly #keptFolders: readonly string[];

  constructor(database: Pick<Database, 'query'>, keptFolders: readonly string[]) {
    this.#database = database;
    this.#keptFolders = keptFolders;
  }

  /** From then on nobody is shown what goes. The usage is counted in the same commit: files may have come since somebody has looked. */
  begin({ stageRun, pipelineKey, reason, at }: Purge): CompiledQuery[] {
    const { query } = this.#database;
    const jobs = query.selectFrom('jobs').select('id').where('stage_run_id', '=', stageRun);
    const goes = sql<boolean>`${notBelow(sql.ref('path'), this.#keptFolders)}`;
    const gone = query.selectFrom('artifacts').where('job_id', 'in', jobs).where(goes);
    const files = gone.select(sql<number>`coalesce(sum(case when ${isFile(sql.ref('path'))} then 1 else 0 end), 0)`.as('files'));
    const bytes = gone.select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'));
    return [
      query
        .insertInto('purges')
        .values({ stage_run_id: stageRun, reason, begun_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
      query.updateTable('stage_runs').set({ artifacts_deleted: 1 }).where('id', '=', stageRun).compile(),
      query
        .updateTable('artifact_usage')
        .set({ files: sql`files - (${files})`, bytes: sql`bytes - (${bytes})` })
        .where('pipeline_key', '=', pipelineKey)
        .compile(),
      query.deleteFrom('artifacts').where('job_id', 'in', jobs).where(goes).compile(),
    ];
  }

  /** Begun, and perhaps not done. */
  unfinished(): Promise<readonly Readonly<PurgeRow>[]> {
    return this.#database.query.selectFrom('purges').selectAll().orderBy('stage_run_id').execute();
  }

  /** The files are gone. */
  end(stageRun: number): CompiledQuery {
    return this.#database.query.deleteFrom('purges').where('stage_run_id', '=', stageRun).compile();
  }
}
