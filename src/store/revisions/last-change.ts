// The last change of an entity and its author, from the change log.
import type { Kysely } from 'kysely';
import type { RevisionRow } from '../rows/configuration.ts';
import type { Tables } from '../tables.ts';

export type LastChange = Readonly<Pick<RevisionRow, 'revision' | 'time' | 'actor'>>;

export async function lastChange(query: Kysely<Tables>, kind: string, key: string): Promise<LastChange | undefined> {
  return query
    .selectFrom('changes')
    .innerJoin('revisions', 'revisions.revision', 'changes.revision')
    .select(['revisions.revision', 'revisions.time', 'revisions.actor'])
    .where('changes.kind', '=', kind)
    .where('changes.key', '=', key)
    .orderBy('changes.revision', 'desc')
    .limit(1)
    .executeTakeFirst();
}
