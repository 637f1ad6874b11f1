// How many events wait for a webhook: those that its filter wants, as far as it is worth counting.
import { pause } from '../../kit/concurrency/time-slices.ts';
import { type EventFilter, matcherOf } from '../event-filter.ts';
import type { EventLog } from '../event-log.ts';

export interface Backlog {
  readonly waiting: number;
  /** The number of further events that were not looked at; some of them may wait, too. */
  readonly uncounted: number;
}

const EVENTS_AT_ONCE = 200;
const MAX_SCANNED = 5000;

/** `position`: all up to this number are delivered, or were not wanted. */
export async function backlogOf(log: Pick<EventLog, 'after' | 'last'>, filter: EventFilter, position: number): Promise<Backlog> {
  const newest = log.last.number;
  const wants = matcherOf(filter);
  if (!wants) return { waiting: Math.max(0, newest - position), uncounted: 0 };
  const end = Math.min(newest, position + MAX_SCANNED);
  let waiting = 0;
  for (let reached = position; reached < end; ) {
    const events = await log.after(reached, Math.min(EVENTS_AT_ONCE, end - reached));
    if (events.length === 0) break;
    for (const event of events) if (wants(event)) waiting++;
    reached = events.at(-1)!.number;
    await pause();
  }
  return { waiting, uncounted: Math.max(0, newest - end) };
}
