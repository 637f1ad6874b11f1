// The stage runs that still have artifacts to delete: found from the rows of artifacts, so that the number of runs does not matter.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';

export interface PurgeableRun {
  /** Of the stage run. */
  readonly id: number;
  readonly pipelineKey: string;
  readonly pipeline: string;
  readonly pipelineCounter: number;
  readonly stageKey: string;
  readonly stage: string;
  readonly stageCounter: number;
  /** null: it is under way. */
  readonly completedAt: number | null;
}

export interface PurgeableBatch {
  /** In the order of their ids. */
  readonly runs: readonly PurgeableRun[];
  /** The next batch is after this job; undefined: there is none. */
  readonly next: number | undefined;
}

export interface PurgeSize {
  readonly files: number;
  readonly bytes: number;
}

const ROWS_AT_ONCE = 5000;

export class PurgeableRuns {
  readonly #database: Pick<Database, 'query'>;
  readonly #keptFolders: readonly string[];

  /** `keptFolders`: artifacts in these folders of a job are never deleted. */
  constructor(database: Pick<Database, 'query'>, keptFolders: readonly string[]) {
    this.#database = database;
    this.#keptFolders = keptFolders;
  }

  /** Looks at so many jobs after one that have artifacts. Each stage run is found once, with the first of its jobs. */
  async after(job: number, limit: number): Promise<PurgeableBatch> {
    const jobs = await this.#jobsAfter(job, limit);
    if (jobs.length === 0) return { runs: [], next: undefined };
    const found = await this.#stageRunsOf(jobs);
    const known = new Set(await this.#foundBefore(found, job));
    const runs = await this.#byIds(found.filter((id) => !known.has(id)));
    return { runs, next: jobs.length < limit ? undefined : jobs.at(-1) };
  }

  /** The purgeable ones of these runs. */
  async ofRuns(runIds: readonly number[]): Promise<readonly PurgeableRun[]> {
    if (runIds.length === 0) return [];
    return this.#runs()
      .where('stage_runs.run_id', 'in', runIds)
      .where(sql<boolean>`exists (select 1 from jobs where jobs.stage_run_id = stage_runs.id and ${this.#canGo()})`)
      .execute();
  }

  async byId(id: number): Promise<PurgeableRun | undefined> {
    return this.#runs().where('stage_runs.id', '=', id).executeTakeFirst();
  }

  /** The artifacts of a stage run that can be deleted. Counted in pieces: there may be a million of them. */
  async sizeOf(id: number): Promise<PurgeSize> {
    const jobs = await this.#database.query.selectFrom('jobs').select('id').where('stage_run_id', '=', id).orderBy('id').execute();
    let [files, bytes] = [0, 0];
    for (const job of jobs) {
      for (let last: string | null = ''; last !== null; ) {
        const piece: Piece = await this.#piece(job.id, last);
        files += Number(piece.files);
        bytes += Number(piece.bytes);
        last = Number(piece.looked) < ROWS_AT_ONCE ? null : piece.last;
      }
    }
    return { files, bytes };
  }

  /** The counter of the oldest of the newest runs of a pipeline; undefined: there are not so many. */
  async nthNewest(pipelineKey: string, nth: number): Promise<number | undefined> {
    const { query } = this.#database;
    const runs = query.selectFrom('runs').select('counter').where('pipeline_key', '=', pipelineKey);
    const row = await runs
      .orderBy('counter', 'desc')
      .limit(1)
      .offset(nth - 1)
      .executeTakeFirst();
    return row?.counter;
  }

  /** The ids of the newest runs of a pipeline below a counter. */
  async newestBelow(pipelineKey: string, counter: number, limit: number): Promise<readonly number[]> {
    const { query } = this.#database;
    const runs = query.selectFrom('runs').select('id').where('pipeline_key', '=', pipelineKey).where('counter', '<', counter);
    return (await runs.orderBy('counter', 'desc').limit(limit).execute()).map(({ id }) => id);
  }

  /** The stage runs of which something can go. */
  async #stageRunsOf(jobs: readonly number[]): Promise<readonly number[]> {
    const { query } = this.#database;
    const found = query.selectFrom('jobs').select('stage_run_id').where('id', 'in', jobs).where(this.#canGo());
    return [...new Set((await found.execute()).map(({ stage_run_id: id }) => id))];
  }

  /** The stage runs of which a job up to this one has something. */
  async #foundBefore(ids: readonly number[], job: number): Promise<readonly number[]> {
    if (ids.length === 0 || job === 0) return [];
    const { query } = this.#database;
    const earlier = query.selectFrom('jobs').select('stage_run_id').where('stage_run_id', 'in', ids).where('jobs.id', '<=', job);
    return (await earlier.where(this.#canGo()).execute()).map(({ stage_run_id: id }) => id);
  }

  async #byIds(ids: readonly number[]): Promise<readonly PurgeableRun[]> {
    return ids.length === 0 ? [] : this.#runs().where('stage_runs.id', 'in', ids).execute();
  }

  #runs() {
    return this.#database.query
      .selectFrom('stage_runs')
      .innerJoin('runs', 'runs.id', 'stage_runs.run_id')
      .select([
        'stage_runs.id',
        'stage_runs.pipeline_key as pipelineKey',
        'runs.pipeline',
        'runs.counter as pipelineCounter',
        'stage_runs.stage_key as stageKey',
        'stage_runs.stage',
        'stage_runs.counter as stageCounter',
        'stage_runs.completed_at as completedAt',
      ])
      .orderBy('stage_runs.id');
  }

  /** Steps from job to job: a job may have any number of files. */
  async #jobsAfter(job: number, limit: number): Promise<readonly number[]> {
    const { rows } = await sql<{ id: number }>`with recursive step(id, place) as (
        select min(job_id), 1 from artifacts where job_id > ${job}
        union all
        select (select min(job_id) from artifacts where job_id > step.id), place + 1 from step where id is not null and place < ${limit}
      ) select id from step where id is not null order by id`.execute(this.#database.query);
    return rows.map(({ id }) => Number(id));
  }

  #piece(job: number, after: string): Promise<Piece> {
    const { query } = this.#database;
    const some = query
      .selectFrom('artifacts')
      .select(['path', 'bytes'])
      .where('job_id', '=', job)
      .where('path', '>', after)
      .orderBy('path')
      .limit(ROWS_AT_ONCE);
    const counts = sql`${notBelow(sql.ref('path'), this.#keptFolders)} and ${isFile(sql.ref('path'))}`;
    return query
      .selectFrom(some.as('some'))
      .select([
        sql<number>`count(*)`.as('looked'),
        sql<number>`coalesce(sum(case when ${counts} then 1 else 0 end), 0)`.as('files'),
        sql<number>`coalesce(sum(case when ${counts} then bytes else 0 end), 0)`.as('bytes'),
        sql<string | null>`max(path)`.as('last'),
      ])
      .executeTakeFirstOrThrow();
  }

  #canGo(): RawBuilder<boolean> {
    return sql`exists (select 1 from artifacts where job_id = jobs.id and ${notBelow(sql.ref('path'), this.#keptFolders)})`;
  }
}

interface Piece {
  readonly looked: number;
  readonly files: number;
  readonly bytes: number;
  readonly last: string | null;
}

/** The path leads into none of these folders. */
export function notBelow(path: RawBuilder<unknown>, folders: readonly string[]): RawBuilder<boolean> {
  const outside = folders.map((folder) => sql`substr(${path}, 1, ${sql.lit(folder.length + 1)}) <> ${sql.lit(`${folder}/`)}`);
  return sql`(${sql.join([sql`1 = 1`, ...outside], sql` and `)})`;
}

/** An empty folder has a row, but it is no file. */
export function isFile(path: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(substr(${path}, length(${path})) <> '/')`;
}
