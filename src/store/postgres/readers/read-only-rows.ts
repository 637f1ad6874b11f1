// Reads some rows of a database from beside the server, whether it runs or not.
import type { ReadOnlyRows } from '../../readers/read-only-rows.ts';
import type { EntityRow } from '../../rows/configuration.ts';
import type { PostgresAddress } from '../connection.ts';
import { type Ask, inPages, Reader } from './reader.ts';

type StoredEntity = Pick<EntityRow, 'kind' | 'key' | 'created' | 'value'>;

const ENTITIES = 'select kind, key, created, value from entities where (kind, key) > ($1, $2) and kind = $3 order by kind, key';

/** All that is read is of one moment. Undefined: there are no tables. */
export async function readOnlyRows<T>(address: PostgresAddress, read: (rows: ReadOnlyRows) => Promise<T>): Promise<T | undefined> {
  const reader = new Reader(address, 'slipway read-only rows');
  try {
    return await reader.atOneMoment(async (ask) => {
      const [table] = await ask<{ readonly is_there: boolean }>("select to_regclass('entities') is not null as is_there", []);
      if (!table!.is_there) return undefined;
      return read({
        entities: (kind) => entitiesOf(ask, kind),
        knowsUser: async (loginName) => (await ask('select 1 from users where key = $1', [loginName.toLowerCase()])).length > 0,
      });
    });
  } finally {
    await reader.close();
  }
}

async function entitiesOf(ask: Ask, kind: string): Promise<readonly unknown[]> {
  const keyOf = (row: StoredEntity) => [row.kind, row.key];
  const pages = await Array.fromAsync(inPages(ask, { sql: ENTITIES, from: ['', ''], keyOf, more: [kind] }));
  const inOrder = pages.flat().sort((one, other) => one.created - other.created);
  return inOrder.map(({ value }) => JSON.parse(value) as unknown);
}
