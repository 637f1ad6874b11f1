// Stage runs whose artifacts are being deleted: the rows of the files go first, in commits of limited size; the files go afterwards.
import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { PurgeRow } from '../rows/artifacts.ts';
import { isFile, notBelow } from './purgeable-runs.ts';

export interface Purge {
  readonly stageRun: number;
  /** In words. */
  readonly reason: string;
  readonly at: number;
}

/** Rows of a job. */
export interface PurgedRows {
  readonly job: number;
  /** Only rows with a path before this one; undefined: all. */
  readonly before?: string | undefined;
}

/** Concurrent writes wait for a commit of that many: a job may have millions. */
const ROWS_AT_ONCE = 2000;
const JOBS_AT_ONCE = 100;

export class Purges {
  readonly #database: Pick<Database, 'query'>;
  readonly #keptFolders: readonly string[];

  constructor(database: Pick<Database, 'query'>, keptFolders: readonly string[]) {
    this.#database = database;
    this.#keptFolders = keptFolders;
  }

  /** From then on the stage run takes no new files. */
  begin({ stageRun, reason, at }: Purge): CompiledQuery[] {
    const { query } = this.#database;
    return [
      query
        .insertInto('purges')
        .values({ stage_run_id: stageRun, reason, begun_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
      query.updateTable('stage_runs').set({ artifacts_deleted: 1 }).where('id', '=', stageRun).compile(),
    ];
  }

  /** The next rows of a stage run that go: not more than are taken away at once. */
  async next(stageRun: number): Promise<readonly PurgedRows[]> {
    const taken: PurgedRows[] = [];
    let left = ROWS_AT_ONCE;
    for (const { id: job } of await this.#jobsOf(stageRun)) {
      const paths = await this.#rows({ job })
        .select('path')
        .orderBy('path')
        .limit(left + 1)
        .execute();
      taken.push({ job, before: paths[left]?.path });
      left -= paths.length;
      if (left <= 0) break;
    }
    return taken;
  }

  /** Users are not shown them any more. The usage is counted in the same commit: files may have come since the rows were read. */
  remove(rows: readonly PurgedRows[], pipelineKey: string): CompiledQuery[] {
    return rows.flatMap((some) => this.#remove(some, pipelineKey));
  }

  /** Begun, and perhaps not done. */
  unfinished(): Promise<readonly Readonly<PurgeRow>[]> {
    return this.#database.query.selectFrom('purges').selectAll().orderBy('stage_run_id').execute();
  }

  /** The files are gone. */
  end(stageRun: number): CompiledQuery {
    return this.#database.query.deleteFrom('purges').where('stage_run_id', '=', stageRun).compile();
  }

  #remove(rows: PurgedRows, pipelineKey: string): CompiledQuery[] {
    const { query } = this.#database;
    const gone = this.#rows(rows);
    const files = gone.select(sql<number>`coalesce(sum(case when ${isFile(sql.ref('path'))} then 1 else 0 end), 0)`.as('files'));
    const bytes = gone.select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'));
    const usage = query
      .updateTable('artifact_usage')
      .set({ files: sql`files - (${files})`, bytes: sql`bytes - (${bytes})` })
      .where('pipeline_key', '=', pipelineKey);
    const all = query.deleteFrom('artifacts').where('job_id', '=', rows.job).where(this.#goes());
    return [usage.compile(), (rows.before === undefined ? all : all.where('path', '<', rows.before)).compile()];
  }

  /** The jobs that have something that goes. */
  #jobsOf(stageRun: number) {
    const hasSome = sql<boolean>`exists (select 1 from artifacts where job_id = jobs.id and ${this.#goes()})`;
    const jobs = this.#database.query.selectFrom('jobs').select('id').where('stage_run_id', '=', stageRun);
    return jobs.where(hasSome).orderBy('id').limit(JOBS_AT_ONCE).execute();
  }

  #rows({ job, before }: PurgedRows) {
    const rows = this.#database.query.selectFrom('artifacts').where('job_id', '=', job).where(this.#goes());
    return before === undefined ? rows : rows.where('path', '<', before);
  }

  #goes() {
    return sql<boolean>`${notBelow(sql.ref('path'), this.#keptFolders)}`;
  }
}
