// One page of events: looks through as many as it may, so that a filter which leaves little through cannot keep others waiting.
import type { EventMatcher } from '../../../events/event-filter.ts';
import type { EventLog } from '../../../events/event-log.ts';
import type { StoredEvent } from '../../../events/stored-event.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';

export interface PageRequest {
  readonly from: { readonly after: number } | { readonly before: number };
  readonly size: number;
  readonly wants: EventMatcher | undefined;
}

export interface Page {
  readonly events: readonly StoredEvent[];
  /** Where the next one begins; undefined: there is none. */
  readonly next: number | undefined;
}

const ROWS_AT_ONCE = 200;
const MAX_LOOKED_AT = 5000;

export async function pageOf(log: Pick<EventLog, 'after' | 'before'>, { from, size, wants }: PageRequest): Promise<Page> {
  const found: StoredEvent[] = [];
  let position = 'after' in from ? from.after : from.before;
  for (let examined = 0; examined < MAX_LOOKED_AT; ) {
    const limit = wants ? ROWS_AT_ONCE : Math.min(ROWS_AT_ONCE, size + 1 - found.length);
    const rows = await ('after' in from ? log.after(position, limit) : log.before(position, limit));
    for (const event of rows) {
      if (found.length === size) return { events: found, next: position };
      if (wants?.(event) ?? true) found.push(event);
      position = event.number;
    }
    if (rows.length < limit) return { events: found, next: undefined };
    examined += rows.length;
    await pause();
  }
  return { events: found, next: position };
}
