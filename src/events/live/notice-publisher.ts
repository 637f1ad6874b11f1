// Takes in changes, and sends them as notices: at most one in a quarter of a second for each subject, however often it changes.
import { randomBytes } from 'node:crypto';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Notice } from './notice.ts';
import { NoticeLog } from './notice-log.ts';

export interface NoticePublisherParts {
  /** Returns when all decisions until now are written: a client that reads because of a notice must find them. */
  written(): Promise<void>;
  onFailure(failure: unknown): void;
  readonly paceMs?: number;
}

/** Made when it is sent, from the state at that time; undefined: there is nothing to publish any more. */
export type MakeNotice = () => Notice | undefined;

const PACE_MS = 250;
/** The first change after some rest does not wait long. */
const FIRST_MS = 10;
const MAX_WAITING = 20_000;
const AT_ONCE = 200;

export class NoticePublisher {
  readonly #parts: NoticePublisherParts;
  readonly #paceMs: number;
  readonly #listeners: (() => void)[] = [];
  #log: NoticeLog | undefined;
  #waiting = new Map<string, MakeNotice>();
  /** There were too many to remember. */
  #isMissing = false;
  #timer: NodeJS.Timeout | undefined;
  #isPublishing = false;
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: NoticePublisherParts) {
    this.#parts = parts;
    this.#paceMs = parts.paceMs ?? PACE_MS;
  }

  /** Undefined: this server is not the one that publishes. */
  get log(): NoticeLog | undefined {
    return this.#log;
  }

  begin(): void {
    this.#log = new NoticeLog(randomBytes(4).toString('hex'));
  }

  end(): void {
    this.#log = undefined;
    this.#waiting.clear();
    this.#isMissing = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Called when there is something new in the log. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** `key` names the thing: of several notices about it the last one counts. */
  publish(key: string, make: MakeNotice): void {
    if (!this.#log) return;
    if (this.#waiting.size >= MAX_WAITING) {
      this.#waiting.clear();
      this.#isMissing = true;
    }
    if (!this.#isMissing) this.#waiting.set(key, make);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer || this.#isPublishing) return;
    const due = this.#publishedAt + this.#paceMs - performance.now();
    this.#timer = setTimeout(() => this.#publishNow(), Math.max(FIRST_MS, due)).unref();
  }

  #publishNow(): void {
    this.#timer = undefined;
    this.#isPublishing = true;
    this.#publishWaiting()
      .catch((failure: unknown) => this.#parts.onFailure(failure))
      .finally(() => {
        this.#isPublishing = false;
        if (this.#log && (this.#waiting.size > 0 || this.#isMissing)) this.#schedule();
      });
  }

  async #publishWaiting(): Promise<void> {
    const log = this.#log;
    const due = this.#waiting;
    const isMissing = this.#isMissing;
    this.#waiting = new Map();
    this.#isMissing = false;
    // After a failed write the engine reads the state again, and reports all of it.
    await this.#parts.written().catch(() => {});
    // From here on: later changes get later notices.
    this.#publishedAt = performance.now();
    if (!log || log !== this.#log) return;
    if (isMissing) log.forgetAll();
    let count = 0;
    for (const [key, make] of due) {
      const notice = make();
      if (notice) log.add(key, notice);
      if (++count % AT_ONCE === 0) await pause();
    }
    for (const listener of this.#listeners) listener();
  }
}
