// Reads the revisions of the change log, newest first: by index, so that a page costs the same however many there are.
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { ChangeRow, RevisionRow } from '../rows/configuration.ts';
import type { Tables } from '../tables.ts';
import { ShownChanges } from './shown-changes.ts';

export interface RevisionFilter {
  readonly actor?: string | undefined;
  readonly token?: number | undefined;
  readonly kind?: string | undefined;
  /** Only revisions that change one of these. */
  readonly entities?: readonly EntityName[] | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface EntityName {
  readonly kind: string;
  readonly key: string;
}

export interface LoggedRevision extends Readonly<RevisionRow> {
  readonly name: string | null;
  readonly changeCount: number;
}

/** Without the columns by which it is found. */
export type LoggedChange = Readonly<Omit<ChangeRow, 'owner' | 'former_owner' | 'label'>>;
/** Without the columns behind the values in the row: the values would have to be read to get there. */
export type ChangeLine = Pick<LoggedChange, 'revision' | 'position' | 'operation' | 'kind' | 'key'>;
/** A change of one entity, with its revision. */
export type EntityChange = LoggedRevision & LoggedChange;

export interface RevisionPage {
  readonly revisions: readonly LoggedRevision[];
  /** Where the next page begins; undefined: there is none. */
  readonly next: number | undefined;
}

/** A search without an index looks at so many revisions, and then the page ends: the next one goes on from there. */
export const MAX_SCANNED = 2000;

type RevisionQuery = SelectQueryBuilder<Tables, never, { revision: number }>;

export class RevisionLog {
  readonly #query: Kysely<Tables>;
  /** The changes of an entity together with those of the entities that it shows. */
  readonly shown: ShownChanges;

  constructor(query: Kysely<Tables>) {
    this.#query = query;
    this.shown = new ShownChanges(query);
  }

  async find(revision: number): Promise<LoggedRevision | undefined> {
    return shown(await this.#revisions().where('revisions.revision', '=', revision).executeTakeFirst());
  }

  /** The last revision up to a time; undefined: there was none yet. */
  async lastUntil(time: string): Promise<number | undefined> {
    const found = await this.#query
      .selectFrom('revisions')
      .select('revision')
      .where('time', '<=', time)
      .orderBy('time', 'desc')
      .orderBy('revision', 'desc')
      .limit(1)
      .executeTakeFirst();
    return found?.revision;
  }

  async #firstSince(time: string): Promise<number | undefined> {
    const found = await this.#query
      .selectFrom('revisions')
      .select('revision')
      .where('time', '>=', time)
      .orderBy('time')
      .orderBy('revision')
      .limit(1)
      .executeTakeFirst();
    return found?.revision;
  }

  /** The revisions before this one. */
  async page(filter: RevisionFilter, before: number, size: number): Promise<RevisionPage> {
    const bounds = await this.#bounds(filter, before);
    if (!bounds) return { revisions: [], next: undefined };
    const limit = isFoundByIndex(filter) ? size + 1 : MAX_SCANNED;
    const scanned = () => this.#scan(filter, bounds).limit(limit);
    const rows = await this.#matching(filter)
      .where('revisions.revision', 'in', scanned())
      .orderBy('revisions.revision', 'desc')
      .limit(size + 1)
      .execute();
    const revisions = rows.slice(0, size).map((row) => shown(row)!);
    if (rows.length > size) return { revisions, next: revisions.at(-1)!.revision };
    const end = await this.#query
      .selectFrom(scanned().as('looked'))
      .select((select) => [select.fn.countAll<number>().as('count'), select.fn.min<number>('looked.revision').as('oldest')])
      .executeTakeFirstOrThrow();
    return { revisions, next: end.count === limit ? end.oldest : undefined };
  }

  /** The revisions with a text in their reason, actor or name, or in the key or label of a changed entity; A to Z in any case. */
  async having(text: string, revisions: readonly number[]): Promise<ReadonlySet<number>> {
    if (revisions.length === 0) return new Set();
    const pattern = `%${lowerCase(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
    const has = (column: RawBuilder<unknown>) => sql<boolean>`lower(${column}) like ${pattern} escape '\\'`;
    const rows = await this.#query
      .selectFrom('revisions')
      .leftJoin('revision_names', 'revision_names.revision', 'revisions.revision')
      .select('revisions.revision')
      .where('revisions.revision', 'in', [...revisions])
      .where(
        sql<boolean>`(${has(sql`reason`)} or ${has(sql`actor`)} or ${has(sql`revision_names.name`)} or exists
          (select 1 from changes where changes.revision = revisions.revision and (${has(sql`changes.key`)} or ${has(sql`changes.label`)})))`,
      )
      .execute();
    return new Set(rows.map(({ revision }) => revision));
  }

  /** The first changes of some revisions, without their values. */
  async firstChanges(revisions: readonly number[], limit: number): Promise<ChangeLine[]> {
    if (revisions.length === 0) return [];
    return this.#query
      .selectFrom('changes')
      .select(['revision', 'position', 'operation', 'kind', 'key'])
      .where('revision', 'in', [...revisions])
      .where('position', '<', limit)
      .orderBy('revision')
      .orderBy('position')
      .execute();
  }

  /** The changes of one revision, from a position on. */
  changes(revision: number, from: number, limit: number): Promise<LoggedChange[]> {
    return this.#query
      .selectFrom('changes')
      .selectAll()
      .where('revision', '=', revision)
      .where('position', '>=', from)
      .orderBy('position')
      .limit(limit)
      .execute();
  }

  /** The changes of one entity before a revision, newest first. */
  async changesOf(kind: string, key: string, before: number, limit: number): Promise<EntityChange[]> {
    const rows = await this.#revisions()
      .innerJoin('changes', 'changes.revision', 'revisions.revision')
      .select(['position', 'operation', 'kind', 'key', 'before', 'after', 'created'])
      .where('changes.kind', '=', kind)
      .where('changes.key', '=', key)
      .where('changes.revision', '<', before)
      .orderBy('changes.revision', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, changeCount: row.last + 1 }));
  }

  #revisions() {
    return this.#query
      .selectFrom('revisions')
      .leftJoin('revision_names', 'revision_names.revision', 'revisions.revision')
      .selectAll('revisions')
      .select([
        'revision_names.name',
        sql<number>`(select max(position) from changes where changes.revision = revisions.revision)`.as('last'),
      ]);
  }

  #matching({ actor, token, since, until }: RevisionFilter) {
    let matching = this.#revisions();
    if (actor !== undefined) matching = matching.where(sql`lower(actor)`, '=', lowerCase(actor));
    if (token !== undefined) matching = matching.where('token', '=', token);
    if (since !== undefined) matching = matching.where('time', '>=', since);
    if (until !== undefined) matching = matching.where('time', '<=', until);
    return matching;
  }

  /** Undefined: nothing can be between them. */
  async #bounds({ since, until }: RevisionFilter, before: number): Promise<{ oldest: number; before: number } | undefined> {
    const oldest = since === undefined ? 0 : await this.#firstSince(since);
    const last = until === undefined ? before - 1 : await this.lastUntil(until);
    if (oldest === undefined || last === undefined) return undefined;
    return { oldest, before: Math.min(before, last + 1) };
  }

  /** By the index that leaves the fewest to look at. */
  #scan({ kind, entities, token, actor }: RevisionFilter, { oldest, before }: { oldest: number; before: number }): RevisionQuery {
    if (kind !== undefined || entities !== undefined) {
      let changing = this.#query.selectFrom('changes').select('revision').distinct();
      if (entities === undefined) changing = changing.where('kind', '=', kind!);
      else changing = changing.where((where) => where.or(entities.map((entity) => where.and({ ...entity }))));
      return changing.where('revision', '<', before).where('revision', '>=', oldest).orderBy('revision', 'desc') as RevisionQuery;
    }
    let all = this.#query.selectFrom('revisions').select('revision');
    if (token !== undefined) all = all.where('token', '=', token);
    else if (actor !== undefined) all = all.where(sql`lower(actor)`, '=', lowerCase(actor));
    return all.where('revision', '<', before).where('revision', '>=', oldest).orderBy('revision', 'desc') as RevisionQuery;
  }
}

/** Whether an index leaves nothing to be sorted out. */
function isFoundByIndex({ kind, entities, token, actor }: RevisionFilter): boolean {
  return [kind ?? entities, token, actor].filter((one) => one !== undefined).length <= 1;
}

/** As the database does it. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function shown<R extends RevisionRow & { name: string | null; last: number }>(row: R | undefined): LoggedRevision | undefined {
  if (!row) return undefined;
  const { last, ...revision } = row;
  return { ...revision, changeCount: last + 1 };
}
