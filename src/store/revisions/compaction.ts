// Takes values out of the change log that users cannot ask for any more; the author, time and reason of each change stay.
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { ChangeRow, CompactionRow } from '../rows/configuration.ts';

/** A change, and the one before it of the same entity; undefined: it was the first. */
export type FollowingChange = Readonly<Pick<ChangeRow, 'revision' | 'position' | 'kind' | 'key'>> & {
  readonly previous: number | undefined;
};

/** Values that go: those before a change, or those after it. */
export type EmptiedValue =
  | { readonly before: Readonly<Pick<ChangeRow, 'revision' | 'position'>> }
  | { readonly after: Readonly<Pick<ChangeRow, 'kind' | 'key' | 'revision'>> };

/** Whether values of a change are gone: without them it says that there was nothing, and its operation says otherwise. */
export function isCompacted({ operation, before, after }: Readonly<Pick<ChangeRow, 'operation' | 'before' | 'after'>>): boolean {
  return (before === null && operation !== 'create') || (after === null && operation !== 'delete');
}

const NEVER: Readonly<CompactionRow> = { kept_from: 0, done_to: 0 };

export class Compaction {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async state(): Promise<Readonly<CompactionRow>> {
    return (await this.#database.query.selectFrom('compaction').selectAll().executeTakeFirst()) ?? NEVER;
  }

  /** From now on users are not shown values from before this revision, so these may go. */
  async keepFrom(revision: number): Promise<void> {
    const { done_to } = await this.state();
    await this.#database.writeTransaction([...this.#settled({ kept_from: revision, done_to })]);
  }

  /** The changes after a position in the log and up to a revision, some at a time. */
  async changes(after: Readonly<Pick<ChangeRow, 'revision' | 'position'>>, upTo: number, limit: number): Promise<FollowingChange[]> {
    const rows = await this.#database.query
      .selectFrom('changes as one')
      .select([
        'one.revision',
        'one.position',
        'one.kind',
        'one.key',
        sql<number | null>`(select max(other.revision) from changes as other
          where other.kind = one.kind and other.key = one.key and other.revision < one.revision)`.as('previous'),
      ])
      .where(sql<boolean>`(one.revision, one.position) > (${after.revision}, ${after.position})`)
      .where('one.revision', '<=', upTo)
      .orderBy('one.revision')
      .orderBy('one.position')
      .limit(limit)
      .execute();
    return rows.map(({ previous, ...row }) => ({ ...row, previous: previous ?? undefined }));
  }

  /** Empties these, and remembers how far that went. */
  empty(values: readonly EmptiedValue[], state: Readonly<CompactionRow>): Promise<void> {
    return this.#database.writeTransaction([...values.map((value) => this.#emptying(value)), ...this.#settled(state)]);
  }

  #emptying(value: EmptiedValue) {
    const { query } = this.#database;
    if ('before' in value) {
      const { revision, position } = value.before;
      return query.updateTable('changes').set({ before: null }).where('revision', '=', revision).where('position', '=', position).compile();
    }
    const { kind, key, revision } = value.after;
    return query
      .updateTable('changes')
      .set({ after: null })
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('revision', '=', revision)
      .compile();
  }

  #settled(state: Readonly<CompactionRow>) {
    const { query } = this.#database;
    return [query.deleteFrom('compaction').compile(), query.insertInto('compaction').values(state).compile()];
  }
}
