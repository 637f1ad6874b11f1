// The chain of events: each holds the hash of the one before it, so that none can be changed, left out or moved unnoticed.
import { sha256 } from '../kit/bytes/hash.ts';
import type { NewEvent } from '../store/write-with-events.ts';
import { type EventContent, StoredEvent } from './stored-event.ts';

export type Link = Pick<StoredEvent, 'number' | 'hash'>;

/** The link before the first event. */
export const BEGINNING: Link = { number: 0, hash: '0'.repeat(64) };

export function nextEvent(previous: Link, { type, actor, about, data, time }: NewEvent, now: () => string): StoredEvent {
  const number = previous.number + 1;
  const content: EventContent = { number, time: time ?? now(), type, actor, about, data, previous_hash: previous.hash };
  const body = JSON.stringify(content);
  return new StoredEvent({ number, body, hash: sha256(body) }, content);
}
