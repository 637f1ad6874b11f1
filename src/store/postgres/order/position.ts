// How far in the order of writes something is, and what was written since.
import type { News, TableName, WrittenRevision } from '../../news.ts';
import type { ChangeRow, RevisionRow } from '../../rows/configuration.ts';
import type { EventRow } from '../../rows/events.ts';
import type { CommitRow, HeadRow } from '../../rows/sharing.ts';
import type { Result, Statement } from '../connection.ts';

export type Position = Readonly<Pick<HeadRow, 'commit' | 'revision' | 'event' | 'event_hash'>>;

/** What there is to take in; `gone back`: what is known here is not what is in the database, or too much of it is missing. */
export type Fetched = { readonly position: Position; readonly news: News } | 'gone back';

export const NO_NEWS: News = { revisions: [], events: [], touched: new Set() };

export function isSame(one: Position, other: Position): boolean {
  return one.commit === other.commit && one.event === other.event && one.event_hash === other.event_hash;
}

export const HEAD = 'select commit, revision, event, event_hash from head where id = 1';

const COMMITS = 'select number, touched from commits where number > $1 order by number';
const REVISIONS = 'select * from revisions where revision > $1 order by revision';
const CHANGES = 'select * from changes where revision > $1 order by revision, position';
/** With the last one that is known: by its hash it shows whether the database still has it. */
const EVENTS = 'select * from events where number >= $1 order by number';

/** Sends everything at once, and needs statements that see what was committed when each of them begins, or all the same. */
export async function fetchSince(
  run: (statement: Statement) => Promise<Result>,
  known: Position,
  head: Promise<Position>,
): Promise<Fetched> {
  const [commits, revisions, changes, events, newest] = await Promise.all([
    run({ sql: COMMITS, parameters: [known.commit] }),
    run({ sql: REVISIONS, parameters: [known.revision] }),
    run({ sql: CHANGES, parameters: [known.revision] }),
    run({ sql: EVENTS, parameters: [known.event] }),
    head,
  ]);
  return judged(
    known,
    newest,
    commits.rows as readonly Pick<CommitRow, 'number' | 'touched'>[],
    revisions.rows as readonly RevisionRow[],
    changes.rows as readonly ChangeRow[],
    events.rows as readonly EventRow[],
  );
}

function judged(
  known: Position,
  head: Position,
  commits: readonly Pick<CommitRow, 'number' | 'touched'>[],
  revisions: readonly RevisionRow[],
  changes: readonly ChangeRow[],
  events: readonly EventRow[],
): Fetched {
  const isWhole = head.commit - known.commit === commits.length;
  const isKept = known.event === 0 || events[0]?.hash === known.event_hash;
  if (!isWhole || !isKept) return 'gone back';
  return { position: head, news: newsOf(known, commits, revisions, changes, events) };
}

function newsOf(
  known: Position,
  commits: readonly Pick<CommitRow, 'touched'>[],
  revisions: readonly RevisionRow[],
  changes: readonly ChangeRow[],
  events: readonly EventRow[],
): News {
  const byRevision = Map.groupBy(changes, ({ revision }) => revision);
  const written: WrittenRevision[] = revisions.map((one) => ({ ...one, changes: byRevision.get(one.revision) ?? [] }));
  const touched = commits.flatMap((one) => (one.touched === '' ? [] : one.touched.split(' '))) as TableName[];
  return { revisions: written, events: events.filter(({ number }) => number > known.event), touched: new Set(touched) };
}
