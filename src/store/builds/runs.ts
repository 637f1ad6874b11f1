// Runs of pipelines, with the revisions that they were made from.
import type { CompiledQuery } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import type { RunRevisionRow, RunRow } from '../rows/builds.ts';
import { type Cursor, type CursorPage, cursorPage } from './cursor-page.ts';

export type Run = Readonly<RunRow>;
export type RunRevision = Readonly<RunRevisionRow>;

const MAX_AT_ONCE = 200;

export class Runs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(run: Run, revisions: readonly RunRevision[]): CompiledQuery[] {
    const { query } = this.#database;
    return [
      query.insertInto('runs').values(run).compile(),
      ...revisions.map((revision) => query.insertInto('run_revisions').values(revision).compile()),
    ];
  }

  setComment(id: number, comment: string | null): CompiledQuery {
    return this.#database.query.updateTable('runs').set({ comment }).where('id', '=', id).compile();
  }

  find(pipelineKey: string, counter: number): Promise<Run | undefined> {
    const { query } = this.#database;
    return query.selectFrom('runs').selectAll().where('pipeline_key', '=', pipelineKey).where('counter', '=', counter).executeTakeFirst();
  }

  byId(id: number): Promise<Run | undefined> {
    return this.#database.query.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async byIds(ids: readonly number[]): Promise<Run[]> {
    const found: Run[] = [];
    for (const some of chunksOf(ids, MAX_AT_ONCE)) {
      found.push(...(await this.#database.query.selectFrom('runs').selectAll().where('id', 'in', some).execute()));
    }
    return found;
  }

  last(pipelineKey: string): Promise<Run | undefined> {
    const { query } = this.#database;
    return query
      .selectFrom('runs')
      .selectAll()
      .where('pipeline_key', '=', pipelineKey)
      .orderBy('counter', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The runs of one pipeline below a counter, newest first. */
  before(pipelineKey: string, counter: number, limit: number): Promise<Run[]> {
    const { query } = this.#database;
    return query
      .selectFrom('runs')
      .selectAll()
      .where('pipeline_key', '=', pipelineKey)
      .where('counter', '<', counter)
      .orderBy('counter', 'desc')
      .limit(limit)
      .execute();
  }

  page(pipelineKey: string, cursor: Cursor, size: number): Promise<CursorPage<Run>> {
    const all = this.#database.query.selectFrom('runs').selectAll().where('pipeline_key', '=', pipelineKey);
    return cursorPage(cursor, size, ({ side, id, order, limit }) =>
      all.where('counter', side, id).orderBy('counter', order).limit(limit).execute(),
    );
  }

  async revisionsOf(ids: readonly number[]): Promise<RunRevision[]> {
    const found: RunRevision[] = [];
    for (const some of chunksOf(ids, MAX_AT_ONCE)) {
      const { query } = this.#database;
      found.push(
        ...(await query
          .selectFrom('run_revisions')
          .selectAll()
          .where('run_id', 'in', some)
          .orderBy('run_id')
          .orderBy('position')
          .execute()),
      );
    }
    return found;
  }

  /** Whether any run of the pipeline was made with this modification of a material. */
  async hasRunWith(pipelineKey: string, fingerprint: string, modification: number): Promise<boolean> {
    const { query } = this.#database;
    const row = await query
      .selectFrom('run_revisions')
      .select('run_id')
      .where('pipeline_key', '=', pipelineKey)
      .where('fingerprint', '=', fingerprint)
      .where('last', '>=', modification)
      .where('first', '<=', modification)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The newest modification of a material that the pipeline ever ran with. */
  async newestRunWith(pipelineKey: string, fingerprint: string): Promise<number | undefined> {
    const { query } = this.#database;
    const row = await query
      .selectFrom('run_revisions')
      .select('last')
      .where('pipeline_key', '=', pipelineKey)
      .where('fingerprint', '=', fingerprint)
      .orderBy('last', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.last;
  }
}
