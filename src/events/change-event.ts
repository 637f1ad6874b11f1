// The event of a change of the configuration: actor, time, reason and entities; the values themselves are in the change log.
import type { EventType } from '../shape/event-types.ts';
import type { RevisionToWrite } from '../store/revisions/changes.ts';
import type { NewEvent, Subject } from '../store/write-with-events.ts';
import { digestOf } from './change-digest.ts';

/** An event must not grow with the change: every listener gets it. */
export const MAX_LISTED = 100;

/** `resourceOf` gives the name of a kind as addresses have it. */
export function changeEvent({ revision, touched }: RevisionToWrite, resourceOf: (kind: string) => string): NewEvent {
  const { revision: number, time, actor, token, address, reason } = revision;
  const counts: Record<string, number> = {};
  for (const { kind } of touched) counts[resourceOf(kind)] = (counts[resourceOf(kind)] ?? 0) + 1;
  const about = touched
    .slice(0, MAX_LISTED)
    .map(({ kind, id, operation, after }): Subject => ({ resource: resourceOf(kind), id, operation, ...(after && { etag: after.etag }) }));
  const changes_digest = digestOf(touched.map(({ after, ...rest }) => ({ ...rest, etag: after?.etag ?? null })));
  return {
    type: 'configuration.changed' satisfies EventType,
    time,
    actor,
    about,
    data: { revision: number, reason, token, address, touched: counts, changes_digest },
  };
}
