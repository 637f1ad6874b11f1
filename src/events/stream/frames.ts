// The bytes of events for clients of the stream: clients that are equally far get the same ones.
import type { EventMatcher } from '../event-filter.ts';
import type { StoredEvent } from '../stored-event.ts';

export interface ParsedArguments {
  readonly bytes: Buffer;
  /** The number of the last event that was looked at. */
  readonly last: number;
}

interface Remembered extends ParsedArguments {
  readonly first: number;
  readonly count: number;
}

export class Frames {
  /** The last frames for clients that want all events. */
  #remembered: Remembered | undefined;

  /** The frames of the wanted events, up to a size, but one at least. */
  of(events: readonly StoredEvent[], wants: EventMatcher | undefined, maxBytes: number): ParsedArguments {
    if (wants) return joined(events, wants, maxBytes);
    const first = events[0]!.number;
    const known = this.#remembered;
    if (known?.first === first && known.count === events.length) return known;
    const made = { ...joined(events, undefined, maxBytes), first, count: events.length };
    this.#remembered = made;
    return made;
  }
}

function joined(events: readonly StoredEvent[], wants: EventMatcher | undefined, maxBytes: number): ParsedArguments {
  const frames: Buffer[] = [];
  let size = 0;
  let last = 0;
  for (const event of events) {
    last = event.number;
    if (wants && !wants(event)) continue;
    frames.push(event.frame);
    size += event.frame.length;
    if (size >= maxBytes) break;
  }
  return { bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames, size), last };
}
