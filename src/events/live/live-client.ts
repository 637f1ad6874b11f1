// One page that listens: gets what it wants as fast as it reads. What it does not read is not kept for it.
import { Readable } from 'node:stream';
import type { NoticeLog, Taken } from './notice-log.ts';

export interface LiveClientParts {
  readonly log: NoticeLog;
  /** The number of the last notice that it has; undefined: nobody knows what it has missed. */
  readonly position: number | undefined;
  readonly retryMs: number;
  take(position: number): Taken | undefined;
  onGone(client: LiveClient): void;
}

const MAX_BUFFERED = 64 * 1024;
const LONGEST_FAREWELL_MS = 500;

export class LiveClient extends Readable {
  readonly #parts: LiveClientParts;
  #position: number;
  /** It has to read everything again, and was not told yet. */
  #isToReload = false;
  #isReady = false;
  #hasEnded = false;
  /** Looks at it without any progress. */
  #idleLooks = 0;

  constructor(parts: LiveClientParts) {
    super({ highWaterMark: MAX_BUFFERED });
    this.#parts = parts;
    const { log } = parts;
    this.#position = parts.position ?? log.last;
    this.#isToReload = parts.position === undefined;
    this.push(`retry: ${parts.retryMs}\n\n`);
    if (!this.#isToReload) this.push(`event: ready\nid: ${log.idOf(this.#position)}\ndata: {}\n\n`);
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

  /** What it shows may be another thing for it now. */
  reload(): void {
    this.#isToReload = true;
    this.pump();
  }

  /** Gives it what there is, if it is ready for it. */
  pump(): void {
    if (this.#hasEnded || !this.#isReady) return;
    const taken = this.#isToReload ? undefined : this.#parts.take(this.#position);
    if (!taken) this.#sayReload();
    else {
      this.#position = taken.position;
      if (taken.bytes.length > 0) this.#give(taken.bytes);
    }
  }

  /** A sign of life. It carries the id, so that who wants little has a new one, too. */
  beat(): void {
    if (this.#isReady && !this.#hasEnded) this.#give(`: still here\nid: ${this.#parts.log.idOf(this.#position)}\n\n`);
  }

  /** Whether it has read nothing since so many looks. */
  isStuckAt(looks: number): boolean {
    return !this.#isReady && ++this.#idleLooks > looks;
  }

  /** The last thing it hears. */
  closeWith(text: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(text);
    this.push(null);
    setTimeout(() => this.destroy(), LONGEST_FAREWELL_MS).unref();
  }

  #sayReload(): void {
    const { log } = this.#parts;
    this.#isToReload = false;
    this.#position = log.last;
    this.#give(`event: reload\nid: ${log.idOf(this.#position)}\ndata: {}\n\n`);
  }

  #give(bytes: Buffer | string): void {
    this.#isReady = false;
    // Where there is room for more it asks again by itself.
    this.push(bytes);
  }
}
