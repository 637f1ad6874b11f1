// The checks of a database: that its events are as they were written, and that its configuration matches them and the change log.

import type { EventRows } from '../store/readers/event-rows.ts';
import { verifyChain } from './verify-chain.ts';
import { stateFaults } from './verify-state.ts';

/** Of the rows that are not as they were written. */
const MAX_ROWS = 20;
const NOT_THE_STATE = 'The configuration is not what the change log and the events say.';

export interface NotedEvent {
  readonly number: number;
  readonly hash: string;
}

export interface VerificationResult {
  /** A summary of the events; undefined: one of them is not as it was written. */
  readonly events: string | undefined;
  /** A sentence for each line; none: all is well. */
  readonly faults: readonly string[];
}

/** `expected` is an event that an administrator has noted elsewhere. */
export async function verifyEvents(rows: EventRows, expected?: NotedEvent): Promise<VerificationResult> {
  // First: a revision that is committed while the events are read must not look as if its event were missing.
  const newestRevision = await rows.newestRevision();
  const names = await rows.names();
  const report = await verifyChain({
    rows: rows.all(),
    revisionAt: (revision) => rows.revision(revision),
    entitiesOf: (revision) => rows.changes(revision),
    newestRevision,
    names,
    expected,
  });
  if (!report.isWhole) return { events: undefined, faults: [`Event ${report.number} is not as it was written. ${report.reason}`] };
  const { last, from, to, nameFaults } = report;
  return {
    events: `All ${last.number} events are as they were written, from ${from} to ${to}.\nThe last one is ${last.number}:${last.hash}`,
    faults: listed([...nameFaults, ...(await firstOf(stateFaults(rows.states()), MAX_ROWS + 1))]),
  };
}

function listed(faults: readonly string[]): readonly string[] {
  if (faults.length === 0) return [];
  const more = faults.length > MAX_ROWS ? ['There are more such rows.'] : [];
  return [NOT_THE_STATE, ...faults.slice(0, MAX_ROWS), ...more];
}

async function firstOf<T>(all: AsyncIterable<T>, limit: number): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of all) if (found.push(one) >= limit) break;
  return found;
}
