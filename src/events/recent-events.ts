// The newest events, kept in memory for clients that follow them: bounded by number and by size.
import type { StoredEvent } from './stored-event.ts';

const MAX_EVENTS = 5000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

export class RecentEvents {
  readonly #maxEvents: number;
  readonly #maxCharacters: number;
  /** In order and without gaps. */
  #events: StoredEvent[] = [];
  /** The number of events, from the first on, that are not at hand any more; they go when they are as many as the others. */
  #gone = 0;
  #characters = 0;

  constructor(maxEvents = MAX_EVENTS, maxCharacters = MAX_CHARACTERS) {
    this.#maxEvents = maxEvents;
    this.#maxCharacters = maxCharacters;
  }

  add(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#characters += event.body.length;
    }
    while (this.#size > 0 && (this.#size > this.#maxEvents || this.#characters > this.#maxCharacters)) {
      this.#characters -= this.#events[this.#gone]!.body.length;
      this.#gone++;
    }
    if (this.#gone > this.#size) {
      this.#events = this.#events.slice(this.#gone);
      this.#gone = 0;
    }
  }

  clear(): void {
    this.#events = [];
    this.#gone = 0;
    this.#characters = 0;
  }

  /** The events after a number; undefined: some of them are not at hand. */
  after(number: number, limit: number): readonly StoredEvent[] | undefined {
    const first = this.#events[this.#gone]?.number;
    if (first === undefined || number + 1 < first) return undefined;
    const start = this.#gone + number + 1 - first;
    return this.#events.slice(start, start + limit);
  }

  get #size(): number {
    return this.#events.length - this.#gone;
  }
}
