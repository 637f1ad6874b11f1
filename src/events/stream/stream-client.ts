// One client of the event stream: gets the events it wants as fast as it reads, and nothing is kept for it beyond a small buffer.
import type { EventMatcher } from '../event-filter.ts';
import type { EventLog } from '../event-log.ts';
import { MAX_BUFFERED, ReadingClient } from '../reading-client.ts';
import type { StoredEvent } from '../stored-event.ts';
import type { Frames } from './frames.ts';

export interface ClientParts {
  readonly log: Pick<EventLog, 'after' | 'cachedAfter'>;
  readonly frames: Frames;
  /** The number of the last event that it has. */
  readonly position: number;
  readonly wants: EventMatcher | undefined;
  /** Asked before each delivery: rights may have been taken away since the client came. */
  isStillAllowed(): boolean;
  onGone(client: StreamClient): void;
}

const EVENTS_AT_ONCE = 100;
const MAX_LAST_WRITE_MS = 10_000;
export const NOT_ALLOWED = 'cut off: this client may not see events any more.';
export const SLOW = 'cut off: this client reads more slowly than events come. It can go on after the last id that it has.';

/** A line that is no event. */
export function commentOf(text: string): string {
  return `: ${text}\n\n`;
}

export class StreamClient extends ReadingClient {
  readonly #parts: ClientParts;
  #position: number;
  /** It has once had everything: since then it must keep up. */
  #hasCaughtUp = false;
  #isLoading = false;

  constructor(parts: ClientParts) {
    super(() => parts.onGone(this), MAX_LAST_WRITE_MS);
    this.#parts = parts;
    this.#position = parts.position;
  }

  override pump(): void {
    if (this.hasEnded || this.#isLoading) return;
    const events = this.#parts.log.cachedAfter(this.#position, EVENTS_AT_ONCE);
    if (events === undefined && this.#hasCaughtUp) this.closeWith(commentOf(SLOW));
    else if (!this.isReady) return;
    else if (events === undefined) this.#load();
    else this.#sendEvents(events);
  }

  /** Sends a comment, which is no event; a client with unread data needs no heartbeat. */
  comment(text: string): void {
    if (this.isReady && !this.hasEnded) this.push(commentOf(text));
  }

  #sendEvents(events: readonly StoredEvent[]): void {
    if (events.length === 0) {
      this.#hasCaughtUp = true;
      return;
    }
    const { wants, frames } = this.#parts;
    const { bytes, last } = frames.of(events, wants, MAX_BUFFERED);
    this.#position = last;
    if (bytes.length === 0) this.pump();
    else if (this.#parts.isStillAllowed()) this.give(bytes);
    else this.closeWith(commentOf(NOT_ALLOWED));
  }

  #load(): void {
    this.#isLoading = true;
    this.#parts.log
      .after(this.#position, EVENTS_AT_ONCE)
      .finally(() => {
        this.#isLoading = false;
      })
      .then((events) => (this.hasEnded ? undefined : this.#sendEvents(events)))
      .catch((failure: Error) => this.destroy(failure));
  }
}
