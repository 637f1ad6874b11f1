// Reads the events of a database from beside the server.
import type { EventRows } from '../../readers/event-rows.ts';
import type { RevisionNameRow } from '../../rows/configuration.ts';
import type { EventRow } from '../../rows/events.ts';
import type { PostgresAddress } from '../connection.ts';
import { changesAhead, revisionsAhead } from './read-ahead.ts';
import { type Ask, inPages, Reader } from './reader.ts';
import { stateRows } from './state-rows.ts';

const NEWEST = 'select greatest((select max(revision) from revisions), (select max(revision) from changes), 0) as newest';
const EVENTS = 'select * from events where number > $1 order by number';
const NAMES = 'select * from revision_names where revision > $1 order by revision';

export async function openEventRows(address: PostgresAddress): Promise<EventRows> {
  const reader = new Reader(address, 'slipway event rows');
  const [table] = await reader.ask<{ readonly is_there: boolean }>("select to_regclass('events') is not null as is_there", []);
  const revisions = revisionsAhead(reader.ask);
  const changes = changesAhead(reader.ask);
  return {
    exists: table!.is_there,
    newestRevision: async () => (await reader.ask<{ readonly newest: number }>(NEWEST, []))[0]!.newest,
    revision: async (number) => (await revisions.of(number))[0],
    changes: (revision) => changes.of(revision),
    all: () => inPages(reader.ask, { sql: EVENTS, from: [Number.MIN_SAFE_INTEGER], keyOf: ({ number }: EventRow) => [number] }),
    names: () => reader.atOneMoment(namesOf),
    states: () => stateRows(reader.ask),
    close: () => reader.close(),
  };
}

async function namesOf(ask: Ask): ReturnType<EventRows['names']> {
  const [events] = await ask<{ readonly last: number }>('select coalesce(max(number), 0) as last from events', []);
  const keyOf = ({ revision }: RevisionNameRow) => [revision];
  const pages = await Array.fromAsync(inPages(ask, { sql: NAMES, from: [Number.MIN_SAFE_INTEGER], keyOf }));
  return { asOf: events!.last, rows: pages.flat() };
}
