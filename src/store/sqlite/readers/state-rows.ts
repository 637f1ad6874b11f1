// Every entity as it is now, beside the last that the change log says of it: one after the other, however many there are.
import type { DatabaseSync } from 'node:sqlite';
import { JOINED_COLUMNS, type JoinedState, splitJoinedRow } from '../../joined-state.ts';
import type { StateRow } from '../../readers/state-rows.ts';

type Name = Pick<StateRow, 'kind' | 'key'>;

const ROWS_AT_ONCE = 500;

const NEXT = (table: string) =>
  `select * from (select kind, key from ${table} where (kind, key) > (:kind, :key) order by kind, key limit 1)`;

// Both tables in one statement: a concurrent commit of the server is in both of them, or in neither.
const BOTH = `
  select ${JOINED_COLUMNS}
  from (select :kind as kind, :key as key) as asked
  left join changes as logged on logged.kind = asked.kind and logged.key = asked.key
    and logged.revision = (select max(revision) from changes where kind = asked.kind and key = asked.key)
  left join entities as stored on stored.kind = asked.kind and stored.key = asked.key`;

export async function* stateRows(database: DatabaseSync): AsyncGenerator<readonly StateRow[]> {
  const next = database.prepare(`${NEXT('changes')} union all ${NEXT('entities')} order by kind, key limit 1`);
  const both = database.prepare(BOTH);
  for (let last: Name | undefined = { kind: '', key: '' }; last !== undefined; ) {
    const page: StateRow[] = [];
    while (last !== undefined && page.length < ROWS_AT_ONCE) {
      last = next.get({ kind: last.kind, key: last.key }) as Name | undefined;
      if (last)
        page.push({ kind: last.kind, key: last.key, ...splitJoinedRow(both.get({ kind: last.kind, key: last.key }) as JoinedState) });
    }
    yield page;
  }
}
