// Reads the change log from beside the server.
import type { ChangeFeed } from '../../readers/change-feed.ts';
import type { ChangeRow, EntityRow, RevisionRow } from '../../rows/configuration.ts';
import type { PostgresAddress } from '../connection.ts';
import { type Ask, inPages, Reader } from './reader.ts';

const END = Number.MAX_SAFE_INTEGER;

const ENTITIES = 'select * from entities where (kind, key) > ($1, $2) order by kind, key';
const LAST_REVISION = 'select coalesce(max(revision), 0) as revision from revisions';
const REVISIONS = 'select * from revisions where revision > $1 order by revision limit $2';
// Compacted changes, which lack the value of the entity, are left out.
const CHANGES = `select * from changes where (revision, position) > ($1, $2) and revision <= $3
  and (after is not null or operation = 'delete') order by revision, position`;
const SINCE = `select * from changes where (revision, position) < ($1, $2) and revision > $3
  and (before is not null or operation = 'create') order by revision desc, position desc`;

const keyOfChange = ({ revision, position }: ChangeRow) => [revision, position];

export function openChangeFeed(address: PostgresAddress): ChangeFeed {
  const reader = new Reader(address, 'slipway change feed');
  return {
    now: (visit) =>
      reader.atOneMoment(async (ask) => {
        const keyOf = ({ kind, key }: EntityRow) => [kind, key];
        for await (const entities of inPages(ask, { sql: ENTITIES, from: ['', ''], keyOf })) for (const entity of entities) visit(entity);
        const [last] = await ask<Pick<RevisionRow, 'revision'>>(LAST_REVISION, []);
        return last!.revision;
      }),
    after: (revision, limit) =>
      reader.atOneMoment(async (ask) => {
        const found = await ask<RevisionRow>(REVISIONS, [revision, limit]);
        if (found.length === 0) return [];
        const byRevision = Map.groupBy(await changesBetween(ask, revision, found.at(-1)!.revision), (row) => row.revision);
        return found.map((one) => ({ ...one, changes: byRevision.get(one.revision) ?? [] }));
      }),
    changesSince: (revision) => inPages(reader.ask, { sql: SINCE, from: [END, END], keyOf: keyOfChange, more: [revision] }),
    close: () => reader.close(),
  };
}

/** After the first revision, up to the last one. */
async function changesBetween(ask: Ask, first: number, last: number): Promise<readonly ChangeRow[]> {
  const pages = await Array.fromAsync(inPages(ask, { sql: CHANGES, from: [first, END], keyOf: keyOfChange, more: [last] }));
  return pages.flat();
}
