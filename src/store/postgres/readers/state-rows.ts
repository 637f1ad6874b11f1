// Every entity as it is now, beside the last that the change log says of it: page by page, however many there are.
import type { LastLogged, StateRow, StoredEntity } from '../../readers/state-rows.ts';
import { type Ask, inPages, ROWS_AT_ONCE } from './reader.ts';

interface JoinedRow extends Pick<StateRow, 'kind' | 'key'> {
  readonly logged: LastLogged | null;
  readonly stored: StoredEntity | null;
}

const NAMES_IN = (table: string) =>
  `(select distinct kind, key from ${table} where (kind, key) > ($1, $2) order by kind, key limit ${ROWS_AT_ONCE})`;

// Both tables in one statement: a concurrent commit of the server is in both of them, or in neither.
const BOTH = `
  select names.kind, names.key, to_json(logged) as logged, to_json(stored) as stored
  from (${NAMES_IN('changes')} union ${NAMES_IN('entities')}) as names
  left join lateral (select revision, operation, after, created from changes
    where changes.kind = names.kind and changes.key = names.key order by revision desc limit 1) as logged on true
  left join lateral (select revision, etag, value, created from entities
    where entities.kind = names.kind and entities.key = names.key) as stored on true
  order by names.kind, names.key`;

export async function* stateRows(ask: Ask): AsyncGenerator<readonly StateRow[]> {
  const keyOf = ({ kind, key }: JoinedRow) => [kind, key];
  for await (const rows of inPages(ask, { sql: BOTH, from: ['', ''], keyOf })) {
    yield rows.map(({ kind, key, logged, stored }) => ({ kind, key, logged: logged ?? undefined, stored: stored ?? undefined }));
  }
}
