// Entities as they were at a revision, from the change log: by index, however long the log is and however far back.
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { ChangeRow } from '../rows/configuration.ts';
import type { Tables } from '../tables.ts';

/** The last change of an entity up to a revision; without a value it was not there. */
export type PastEntity = Readonly<Pick<ChangeRow, 'key' | 'revision' | 'operation' | 'after' | 'created'>>;

/** A page of all keys that there ever were, in order. */
export interface PastPage {
  readonly found: readonly PastEntity[];
  /** Where the next page begins; undefined: this was the last one. */
  readonly lastKey: string | undefined;
}

const KEYS_AT_ONCE = 200;

export class PastEntities {
  readonly #query: Kysely<Tables>;
  readonly #one: CompiledQuery;

  constructor(query: Kysely<Tables>) {
    this.#query = query;
    this.#one = query
      .selectFrom('changes')
      .select(['key', 'revision', 'operation', 'after', 'created'])
      .where('kind', '=', '')
      .where('key', '=', '')
      .where('revision', '<=', 0)
      .orderBy('revision', 'desc')
      .limit(1)
      .compile();
  }

  async one(kind: string, key: string, revision: number): Promise<PastEntity | undefined> {
    const { rows } = await this.#query.executeQuery({ ...this.#one, parameters: [kind, key, revision, 1] });
    return rows[0] as PastEntity | undefined;
  }

  /** The keys of those that ever had an owner. */
  async keysOwnedBy(kind: string, owner: string): Promise<string[]> {
    const rows = await this.#query
      .selectFrom('changes')
      .select('key')
      .distinct()
      .where('kind', '=', kind)
      .where('owner', '=', owner.toLowerCase())
      .execute();
    return rows.map(({ key }) => key);
  }

  /** When something of this kind last changed, up to a revision; 0: never. */
  async lastChange(kind: string, revision: number): Promise<number> {
    const { last } = await this.#query
      .selectFrom('changes')
      .select((select) => select.fn.max('revision').as('last'))
      .where('kind', '=', kind)
      .where('revision', '<=', revision)
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  /** Jumps from key to key through the index: the changes in between cost nothing. */
  async page(kind: string, revision: number, afterKey: string): Promise<PastPage> {
    const { rows } = await sql<{ [K in keyof PastEntity]: PastEntity[K] | null } & { each: string }>`
      with recursive keys (each, place) as (
        select min(key), 1 from changes where kind = ${kind} and key > ${afterKey}
        union all
        select (select min(key) from changes where kind = ${kind} and key > keys.each), keys.place + 1
        from keys where keys.each is not null and keys.place < ${KEYS_AT_ONCE}
      )
      select keys.each, changes.key, changes.revision, changes.operation, changes.after, changes.created
      from keys left join changes on changes.kind = ${kind} and changes.key = keys.each and changes.revision =
        (select max(revision) from changes where kind = ${kind} and key = keys.each and revision <= ${revision})
      where keys.each is not null
    `.execute(this.#query);
    return {
      found: rows.filter((row): row is typeof row & PastEntity => row.key !== null),
      lastKey: rows.length < KEYS_AT_ONCE ? undefined : rows.at(-1)!.each,
    };
  }
}
