// A position in the order of writes, and the writes since.
import type { RemoteWrites, TableName, WrittenChange, WrittenRevision } from '../../remote-writes.ts';
import type { RevisionRow } from '../../rows/configuration.ts';
import type { EventRow } from '../../rows/events.ts';
import type { CommitRow, HeadRow } from '../../rows/sharing.ts';
import { command, type Result, type Statement } from '../statement-batch.ts';

export type Position = Readonly<Pick<HeadRow, 'commit' | 'revision' | 'event' | 'event_hash'>>;

/** The writes to take in; `gone back`: memory has events that the database has not, or some commits are missing. */
export type FetchedWrites = { readonly position: Position; readonly writes: RemoteWrites } | 'gone back';

type LoggedCommit = Pick<CommitRow, 'number' | 'touched'>;

export const NO_REMOTE_WRITES: RemoteWrites = { revisions: [], events: [], touched: new Set() };

export function isSame(one: Position, other: Position): boolean {
  return one.commit === other.commit && one.event === other.event && one.event_hash === other.event_hash;
}

export const HEAD = command('select commit, revision, event, event_hash from head where id = 1');

const COMMITS = 'select number, touched from commits where number > $1 order by number';
const REVISIONS = 'select * from revisions where revision > $1 order by revision';
const CHANGES = `select revision, position, operation, kind, key, after, created, owner, former_owner, label from changes
  where revision > $1 order by revision, position`;
/** With the last one that is known: by its hash it shows whether the database still has it. */
const EVENTS = 'select * from events where number >= $1 order by number';

/** Asks for all that was written since. It is sent after a statement that reads the head. */
export function remoteWritesSince(known: Position): Statement[] {
  return [
    { sql: COMMITS, parameters: [known.commit] },
    { sql: REVISIONS, parameters: [known.revision] },
    { sql: CHANGES, parameters: [known.revision] },
    { sql: EVENTS, parameters: [known.event] },
  ];
}

/** The answers to `remoteWritesSince`. Commits after the head was read are left for the next time. */
export function readRemoteWrites(known: Position, head: Position, answers: readonly Result[]): FetchedWrites {
  const [commits, revisions, changes, events] = answers.map(({ rows }) => rows);
  return classifyWrites(
    known,
    head,
    (commits as readonly LoggedCommit[]).filter(({ number }) => number <= head.commit),
    (revisions as readonly RevisionRow[]).filter(({ revision }) => revision <= head.revision),
    (changes as readonly WrittenChange[]).filter(({ revision }) => revision <= head.revision),
    (events as readonly EventRow[]).filter(({ number }) => number <= head.event),
  );
}

function classifyWrites(
  known: Position,
  head: Position,
  commits: readonly LoggedCommit[],
  revisions: readonly RevisionRow[],
  changes: readonly WrittenChange[],
  events: readonly EventRow[],
): FetchedWrites {
  const isWhole = head.commit - known.commit === commits.length;
  const isKept = known.event === 0 || events[0]?.hash === known.event_hash;
  if (!isWhole || !isKept) return 'gone back';
  return { position: head, writes: remoteWritesOf(known, commits, revisions, changes, events) };
}

function remoteWritesOf(
  known: Position,
  commits: readonly LoggedCommit[],
  revisions: readonly RevisionRow[],
  changes: readonly WrittenChange[],
  events: readonly EventRow[],
): RemoteWrites {
  const byRevision = Map.groupBy(changes, ({ revision }) => revision);
  const written: WrittenRevision[] = revisions.map((one) => ({ ...one, changes: byRevision.get(one.revision) ?? [] }));
  const touched = commits.flatMap((one) => (one.touched === '' ? [] : one.touched.split(' '))) as TableName[];
  return { revisions: written, events: events.filter(({ number }) => number > known.event), touched: new Set(touched) };
}
