// Whether events are as they were written: each unchanged, none missing, in order, and one for every change of the configuration.
import { sha256 } from '../kit/bytes/hash.ts';
import type { RevisionRow } from '../store/rows/configuration.ts';
import { BEGINNING, type Link } from './chain.ts';
import type { LoggedEntity } from './change-digest.ts';
import type { EventContent } from './stored-event.ts';
import { LoggedChanges } from './verify-changes.ts';
import { type NamesAtEvent, ReportedNames } from './verify-names.ts';

export interface Row extends Link {
  readonly body: string;
}

/** A revision as the change log has it. */
export type LoggedRevision = Readonly<Pick<RevisionRow, 'time' | 'actor' | 'token' | 'address' | 'reason'>>;

export interface ChainParts {
  /** In the order of their numbers, in pages. */
  readonly rows: AsyncIterable<readonly Row[]>;
  revisionAt(revision: number): Promise<LoggedRevision | undefined>;
  /** The changes of a revision, in their order. */
  entitiesOf(revision: number): Promise<readonly LoggedEntity[]>;
  /** The newest revision of the configuration, read before the rows were. */
  readonly newestRevision: number;
  /** The names of revisions, read before the rows were, too. */
  readonly names: NamesAtEvent;
  /** An event that an administrator has noted elsewhere. */
  readonly expected?: Link | undefined;
}

export type ChainReport =
  | {
      readonly isWhole: true;
      readonly last: Link;
      readonly from: string;
      readonly to: string;
      /** The faults in the names of revisions, though all events are intact. */
      readonly nameFaults: readonly string[];
    }
  | { readonly isWhole: false; readonly number: number; readonly reason: string };

export async function verifyChain({ rows, revisionAt, entitiesOf, newestRevision, names, expected }: ChainParts): Promise<ChainReport> {
  const changes = new LoggedChanges();
  const reportedNames = new ReportedNames();
  let last: Link = BEGINNING;
  let [from, to] = ['', ''];
  let revision: number | undefined;
  for await (const page of rows) {
    for (const row of page) {
      const content = readContent(row);
      const reason = faultIn(row, content, last) ?? strayFrom(row, expected);
      if (reason !== undefined) return bad(Math.min(last.number + 1, row.number), reason);
      const reported = revisionIn(content!);
      if (reported !== undefined) {
        const fault = reported.isFirst
          ? undefined
          : (revisionFault(content!, reported.revision, revision, await revisionAt(reported.revision)) ??
            changes.fault(content!, reported.revision, await entitiesOf(reported.revision)));
        if (fault !== undefined) return bad(row.number, fault);
        revision = reported.revision;
      }
      if (row.number <= names.asOf) reportedNames.add(content!);
      from ||= content!.time;
      to = content!.time;
      last = row;
    }
  }
  if (last.number === 0) return bad(1, 'There are no events at all, not even the first.');
  if (expected && expected.number > last.number) return bad(last.number + 1, `It is missing, and with it all up to ${expected.number}.`);
  if (revision !== undefined && revision < newestRevision)
    return bad(
      last.number + 1,
      `It is missing: the configuration has revision ${newestRevision}, and the last one reported is ${revision}.`,
    );
  return { isWhole: true, last, from, to, nameFaults: reportedNames.faults(names.rows) };
}

function faultIn({ number, body, hash }: Row, content: EventContent | undefined, last: Link): string | undefined {
  if (number > last.number + 1) return 'It is missing.';
  if (sha256(body) !== hash) return 'Its text is not the one that was hashed.';
  if (!content) return 'Its text cannot be read.';
  if (content.number !== number) return `Its text is that of event ${content.number}.`;
  if (content.previous_hash !== last.hash) return `It does not follow event ${last.number} as that is now: one of the two was replaced.`;
  return undefined;
}

function strayFrom({ number, hash }: Row, expected: Link | undefined): string | undefined {
  return expected?.number === number && expected.hash !== hash ? 'It is not the event that is expected.' : undefined;
}

/** An attacker who computes all hashes anew must still make events and change log agree. */
function revisionFault(
  { time, actor, data }: EventContent,
  revision: number,
  before: number | undefined,
  logged: LoggedRevision | undefined,
): string | undefined {
  if (before !== undefined && revision !== before + 1) return `It reports revision ${revision}, and the one before reports ${before}.`;
  if (!logged) return `It reports revision ${revision}, which the change log does not have.`;
  const isSame =
    logged.time === time &&
    logged.actor === actor &&
    logged.token === data.token &&
    logged.address === data.address &&
    logged.reason === data.reason;
  return isSame ? undefined : `The change log says other things of revision ${revision}.`;
}

function revisionIn({ type, data }: EventContent): { readonly revision: number; readonly isFirst: boolean } | undefined {
  if (type === 'events.begun') return { revision: Number(data.revision), isFirst: true };
  return type === 'configuration.changed' ? { revision: Number(data.revision), isFirst: false } : undefined;
}

function readContent({ body }: Row): EventContent | undefined {
  try {
    const content = JSON.parse(body) as Partial<EventContent> | null;
    return typeof content?.data === 'object' && content.data !== null ? (content as EventContent) : undefined;
  } catch {
    return undefined; // reported as a fault of the event
  }
}

function bad(number: number, reason: string): ChainReport {
  return { isWhole: false, number, reason };
}
