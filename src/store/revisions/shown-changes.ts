// The changes behind the view of an entity: its own, and those of the entities that it shows.
import { type Kysely, sql } from 'kysely';
import type { ChangeRow } from '../rows/configuration.ts';
import type { Tables } from '../tables.ts';

/** An entity, and the kind of those that it shows. */
export interface ShowingEntity {
  readonly kind: string;
  readonly key: string;
  readonly members: { readonly kind: string };
}

export class ShownChanges {
  readonly #query: Kysely<Tables>;

  constructor(query: Kysely<Tables>) {
    this.#query = query;
  }

  /** The revisions that changed it, or one that it ever owned, before a revision; newest first. */
  async revisions({ kind, key, members }: ShowingEntity, before: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ revision: number }>`
      select revision from changes where kind = ${kind} and key = ${key} and revision < ${before}
      union
      select revision from changes where kind = ${members.kind} and revision < ${before} and key in (
        select key from changes where kind = ${members.kind} and owner = ${key.toLowerCase()}
      )
      order by revision desc limit ${limit}
    `.execute(this.#query);
    return rows.map(({ revision }) => revision);
  }

  /** The changes of a revision to it, and to entities that it owned before or after; changes without values count, too. */
  async in({ kind, key, members }: ShowingEntity, revision: number): Promise<Readonly<ChangeRow>[]> {
    const { rows } = await sql<ChangeRow>`
      select * from changes where revision = ${revision} and (
        (kind = ${kind} and key = ${key}) or (kind = ${members.kind} and (
          coalesce(former_owner = ${key.toLowerCase()}, operation <> 'create') or
          coalesce(owner = ${key.toLowerCase()}, operation <> 'delete')
        ))
      )
    `.execute(this.#query);
    return rows;
  }
}
