// One client of the event stream: gets what it wants as fast as it reads, and nothing is kept for it beyond a small buffer.
import { Readable } from 'node:stream';
import type { Wants } from '../event-filter.ts';
import type { EventLog } from '../event-log.ts';
import type { StoredEvent } from '../kept-event.ts';
import type { Frames } from './frames.ts';

export interface ClientParts {
  readonly log: Pick<EventLog, 'after' | 'atHandAfter'>;
  readonly frames: Frames;
  /** The number of the last event that it has. */
  readonly position: number;
  readonly wants: Wants | undefined;
  onGone(client: StreamClient): void;
}

const MAX_BUFFERED = 64 * 1024;
const EVENTS_AT_ONCE = 100;
const LONGEST_FAREWELL_MS = 10_000;
export const SLOW = 'cut off: this client reads more slowly than events come. It can go on after the last id that it has.';

export class StreamClient extends Readable {
  readonly #parts: ClientParts;
  #position: number;
  /** It has read what it was given. */
  #isReady = false;
  /** It has once had everything: since then it must keep up. */
  #hasCaughtUp = false;
  #isLoading = false;
  #hasEnded = false;
  /** Looks at it without any progress. */
  #idleLooks = 0;

  constructor(parts: ClientParts) {
    super({ highWaterMark: MAX_BUFFERED });
    this.#parts = parts;
    this.#position = parts.position;
  }

  override _read(): void {
    this.#isReady = true;
    this.#idleLooks = 0;
    this.pump();
  }

  override _destroy(failure: Error | null, done: (failure?: Error | null) => void): void {
    this.#hasEnded = true;
    this.#parts.onGone(this);
    done(failure);
  }

  /** Gives it what there is, if it is ready for it. */
  pump(): void {
    if (this.#hasEnded || this.#isLoading) return;
    const events = this.#parts.log.atHandAfter(this.#position, EVENTS_AT_ONCE);
    if (events === undefined && this.#hasCaughtUp) this.closeWith(SLOW);
    else if (!this.#isReady) return;
    else if (events === undefined) this.#load();
    else this.#give(events);
  }

  /** Says something that is no event; a client that has not read what it was given before needs no sign of life. */
  comment(text: string): void {
    if (this.#isReady && !this.#hasEnded) this.push(`: ${text}\n\n`);
  }

  /** Whether it has read nothing since so many looks, although there was something. */
  isStuckAt(looks: number): boolean {
    return !this.#isReady && ++this.#idleLooks > looks;
  }

  /** The last thing it hears. */
  closeWith(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(`: ${reason}\n\n`);
    this.push(null);
    setTimeout(() => this.destroy(), LONGEST_FAREWELL_MS).unref();
  }

  #give(events: readonly StoredEvent[]): void {
    if (events.length === 0) {
      this.#hasCaughtUp = true;
      return;
    }
    const { wants, frames } = this.#parts;
    const { bytes, last } = frames.of(events, wants, MAX_BUFFERED);
    this.#position = last;
    if (bytes.length === 0) {
      this.pump();
    } else {
      this.#isReady = false;
      this.push(bytes);
    }
  }

  #load(): void {
    this.#isLoading = true;
    this.#parts.log
      .after(this.#position, EVENTS_AT_ONCE)
      .finally(() => {
        this.#isLoading = false;
      })
      .then((events) => (this.#hasEnded ? undefined : this.#give(events)))
      .catch((failure: Error) => this.destroy(failure));
  }
}
