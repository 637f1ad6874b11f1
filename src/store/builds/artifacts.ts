// The artifacts of jobs, and how much room those of a pipeline take.
import { type CompiledQuery, sql } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import { fill } from '../fill.ts';
import type { ArtifactRow } from '../rows/artifacts.ts';

export type Artifact = Readonly<ArtifactRow>;

export interface ArtifactRange {
  /** Below this folder, whose path ends with a slash; absent or empty: all of the job. */
  readonly below?: string;
  /** Behind this path. */
  readonly after?: string;
  /** Folders whose artifacts are left out. */
  readonly without?: readonly string[];
}

const MAX_AT_ONCE = 200;
/** With all their values they stay below the limit of a statement. */
const ROWS_AT_ONCE = 500;
const EMPTY: ArtifactRow = { job_id: 0, path: '', bytes: 0, sha256: '', md5: '', created_at: 0 };
const COLUMNS = Object.keys(EMPTY) as (keyof ArtifactRow)[];

export class Artifacts {
  readonly #database: Database;
  /** Compiling a long statement takes longer than running it. */
  #insertMany: CompiledQuery | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  add(rows: readonly Artifact[]): CompiledQuery[] {
    const { query } = this.#database;
    const statements: CompiledQuery[] = [];
    for (const some of chunksOf(rows, ROWS_AT_ONCE)) {
      const isFull = some.length === ROWS_AT_ONCE;
      const template = isFull
        ? this.#manyRows()
        : query
            .insertInto('artifacts')
            .values(some.map(() => EMPTY))
            .compile();
      const values = some.flatMap((row) => COLUMNS.map((column) => row[column]));
      statements.push(fill(template, values));
    }
    return statements;
  }

  /** The content of a file has changed. */
  change(jobId: number, { path, bytes, sha256, md5 }: Pick<Artifact, 'path' | 'bytes' | 'sha256' | 'md5'>): CompiledQuery {
    const { query } = this.#database;
    return query.updateTable('artifacts').set({ bytes, sha256, md5 }).where('job_id', '=', jobId).where('path', '=', path).compile();
  }

  /** To be written together with the rows that it counts. Numbers are negative when artifacts are deleted. */
  addUsage(pipelineKey: string, files: number, bytes: number): CompiledQuery {
    return this.#database.query
      .insertInto('artifact_usage')
      .values({ pipeline_key: pipelineKey, files, bytes })
      .onConflict((conflict) =>
        conflict.column('pipeline_key').doUpdateSet({
          files: sql<number>`artifact_usage.files + excluded.files`,
          bytes: sql<number>`artifact_usage.bytes + excluded.bytes`,
        }),
      )
      .compile();
  }

  /** Removes the artifacts of a job, and subtracts them from the usage: empty folders take no room. */
  removeOfJob(jobId: number, pipelineKey: string): CompiledQuery[] {
    const { query } = this.#database;
    const usage = sql`update artifact_usage set
      files = files - (select count(*) from artifacts where sha256 <> '' and job_id = ${jobId}),
      bytes = bytes - (select coalesce(sum(bytes), 0) from artifacts where job_id = ${jobId})
      where pipeline_key = ${pipelineKey}`;
    return [usage.compile(query), query.deleteFrom('artifacts').where('job_id', '=', jobId).compile()];
  }

  find(jobId: number, path: string): Promise<Artifact | undefined> {
    return this.#ofJob(jobId).selectAll().where('path', '=', path).executeTakeFirst();
  }

  /** The artifacts that there are of these paths, in no order. */
  async findAll(jobId: number, paths: readonly string[]): Promise<Artifact[]> {
    const found: Artifact[] = [];
    for (const some of chunksOf(paths, MAX_AT_ONCE)) {
      found.push(...(await this.#ofJob(jobId).selectAll().where('path', 'in', some).execute()));
    }
    return found;
  }

  /** In the order of their paths, byte by byte. */
  page(jobId: number, range: ArtifactRange, limit: number): Promise<Artifact[]> {
    return this.#inRange(jobId, range).selectAll().limit(limit).execute();
  }

  /** Artifacts with only the columns that a list shows. */
  listed(jobId: number, range: ArtifactRange, limit: number): Promise<Pick<Artifact, 'path' | 'bytes'>[]> {
    return this.#inRange(jobId, range).select(['path', 'bytes']).limit(limit).execute();
  }

  /** The path after so many others; undefined: there are not that many. */
  async pathAt(jobId: number, range: ArtifactRange, position: number): Promise<string | undefined> {
    const found = await this.#inRange(jobId, range).select('path').offset(position).limit(1).executeTakeFirst();
    return found?.path;
  }

  async hasAny(jobId: number): Promise<boolean> {
    return (await this.#ofJob(jobId).select('job_id').limit(1).executeTakeFirst()) !== undefined;
  }

  /** The first job after this one that has any. */
  async nextJob(after: number): Promise<number | undefined> {
    const { query } = this.#database;
    const found = await query
      .selectFrom('artifacts')
      .select('job_id')
      .where('job_id', '>', after)
      .orderBy('job_id')
      .limit(1)
      .executeTakeFirst();
    return found?.job_id;
  }

  /** Counts the artifacts of all pipelines together; empty folders are no files. */
  async totals(): Promise<{ readonly files: number; readonly bytes: number; readonly newest: number }> {
    const { query } = this.#database;
    const { files, bytes, newest } = await query
      .selectFrom('artifacts')
      .where('path', 'not like', '%/')
      .select(sql<number>`count(*)`.as('files'))
      .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
      .select(sql<number>`coalesce(max(created_at), 0)`.as('newest'))
      .executeTakeFirstOrThrow();
    return { files: Number(files), bytes: Number(bytes), newest: Number(newest) };
  }

  /** The path of an artifact below one of these folders, whose paths end with a slash; undefined: there is none. */
  async findBelow(jobId: number, folders: readonly string[]): Promise<string | undefined> {
    for (const some of chunksOf(folders, MAX_AT_ONCE)) {
      const found = await this.#ofJob(jobId)
        .select('path')
        .where(({ or, and, eb }) => or(some.map((folder) => and([eb('path', '>', folder), eb('path', '<', endOfRange(folder))]))))
        .limit(1)
        .executeTakeFirst();
      if (found) return found.path;
    }
    return undefined;
  }

  #inRange(jobId: number, { below = '', after = '', without = [] }: ArtifactRange) {
    let some = this.#ofJob(jobId).where('path', '>', after);
    if (below !== '') some = some.where('path', '>=', below).where('path', '<', endOfRange(below));
    for (const folder of without) {
      const start = `${folder}/`;
      some = some.where(({ or, eb }) => or([eb('path', '<', start), eb('path', '>=', endOfRange(start))]));
    }
    return some.orderBy('path');
  }

  #ofJob(jobId: number) {
    return this.#database.query.selectFrom('artifacts').where('job_id', '=', jobId);
  }

  #manyRows(): CompiledQuery {
    const rows = Array.from({ length: ROWS_AT_ONCE }, () => EMPTY);
    return (this.#insertMany ??= this.#database.query.insertInto('artifacts').values(rows).compile());
  }
}

/** The end, exclusive, of the range of paths in this folder: `0` follows `/`. */
function endOfRange(folder: string): string {
  return `${folder.slice(0, -1)}0`;
}
