// Every entity as it is now, beside the last that the change log says of it: one after the other, however many there are.
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeRow, EntityRow } from '../rows/configuration.ts';

export type LastLogged = Readonly<Pick<ChangeRow, 'revision' | 'operation' | 'after' | 'created'>>;
export type Stored = Readonly<Pick<EntityRow, 'revision' | 'etag' | 'value' | 'created'>>;

export interface StateRow extends Readonly<Pick<EntityRow, 'kind' | 'key'>> {
  /** Undefined: it was never told of. */
  readonly logged: LastLogged | undefined;
  /** Undefined: it is not there. */
  readonly stored: Stored | undefined;
}

type Name = Pick<StateRow, 'kind' | 'key'>;
type Joined = { [K in keyof LastLogged as `logged_${K}`]: LastLogged[K] | null } & {
  [K in keyof Stored as `stored_${K}`]: Stored[K] | null;
};

const NEXT = (table: string) =>
  `select * from (select kind, key from ${table} where (kind, key) > (:kind, :key) order by kind, key limit 1)`;

// Both tables in one statement: what the server commits meanwhile is in both of them, or in neither.
const BOTH = `
  select logged.revision as logged_revision, logged.operation as logged_operation, logged.after as logged_after, logged.created as logged_created,
    stored.revision as stored_revision, stored.etag as stored_etag, stored.value as stored_value, stored.created as stored_created
  from (select :kind as kind, :key as key) as asked
  left join changes as logged on logged.kind = asked.kind and logged.key = asked.key
    and logged.revision = (select max(revision) from changes where kind = asked.kind and key = asked.key)
  left join entities as stored on stored.kind = asked.kind and stored.key = asked.key`;

export function* stateRows(database: DatabaseSync): Generator<StateRow> {
  const next = database.prepare(`${NEXT('changes')} union all ${NEXT('entities')} order by kind, key limit 1`);
  const both = database.prepare(BOTH);
  for (let name: Name = { kind: '', key: '' }; ; ) {
    const found = next.get({ ...name }) as Name | undefined;
    if (!found) return;
    name = { kind: found.kind, key: found.key };
    yield { ...name, ...apart(both.get({ ...name }) as Joined) };
  }
}

function apart(row: Joined): Pick<StateRow, 'logged' | 'stored'> {
  return {
    logged:
      row.logged_revision === null
        ? undefined
        : { revision: row.logged_revision, operation: row.logged_operation!, after: row.logged_after, created: row.logged_created! },
    stored:
      row.stored_revision === null
        ? undefined
        : { revision: row.stored_revision, etag: row.stored_etag!, value: row.stored_value!, created: row.stored_created! },
  };
}
