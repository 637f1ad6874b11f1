// A client that listens: it gets its messages as fast as it reads, and nothing is kept for it beyond a small buffer.
import { Readable } from 'node:stream';

export const MAX_BUFFERED = 64 * 1024;

export abstract class ReadingClient extends Readable {
  readonly #onGone: () => void;
  readonly #maxCloseMs: number;
  /** Looks at it without any progress. */
  #idleChecks = 0;
  /** Whether the client has read everything that was sent to it. */
  protected isReady = false;
  protected hasEnded = false;

  constructor(onGone: () => void, maxCloseMs: number) {
    super({ highWaterMark: MAX_BUFFERED });
    this.#onGone = onGone;
    this.#maxCloseMs = maxCloseMs;
  }

  /** Sends it the messages that are due, if it is ready for them. */
  abstract pump(): void;

  override _read(): void {
    this.isReady = true;
    this.#idleChecks = 0;
    this.pump();
  }

  override _destroy(failure: Error | null, done: (failure?: Error | null) => void): void {
    this.hasEnded = true;
    this.#onGone();
    done(failure);
  }

  /** Whether it has read nothing since so many checks, although there was something. */
  isStalled(checks: number): boolean {
    return !this.isReady && ++this.#idleChecks > checks;
  }

  /** The last message it gets. */
  closeWith(text: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.push(text);
    this.push(null);
    setTimeout(() => this.destroy(), this.#maxCloseMs).unref();
  }

  /** Where there is room for more it asks again by itself. */
  protected give(bytes: Buffer | string): void {
    this.isReady = false;
    this.push(bytes);
  }
}
