// One page that listens: gets the notices it wants as fast as it reads. Unread notices are not kept for it.
import { ReadingClient } from '../reading-client.ts';
import type { NoticeBatch, NoticeLog } from './notice-log.ts';

export interface LiveClientParts {
  readonly log: NoticeLog;
  /** The number of the last notice that the client has; undefined: its missed notices are unknown. */
  readonly position: number | undefined;
  readonly retryMs: number;
  take(position: number): NoticeBatch | undefined;
  onGone(client: LiveClient): void;
}

const MAX_LAST_WRITE_MS = 500;

export class LiveClient extends ReadingClient {
  readonly #parts: LiveClientParts;
  #position: number;
  /** It has to read everything again, and was not notified yet. */
  #isToReload = false;

  constructor(parts: LiveClientParts) {
    super(() => parts.onGone(this), MAX_LAST_WRITE_MS);
    this.#parts = parts;
    const { log } = parts;
    this.#position = parts.position ?? log.last;
    this.#isToReload = parts.position === undefined;
    this.push(`retry: ${parts.retryMs}\n\n`);
    if (!this.#isToReload) this.push(`event: ready\nid: ${log.idOf(this.#position)}\ndata: {}\n\n`);
  }

  /** The rights of its user have changed: the page has to read everything again. */
  reload(): void {
    this.#isToReload = true;
    this.pump();
  }

  override pump(): void {
    if (this.hasEnded || !this.isReady) return;
    const taken = this.#isToReload ? undefined : this.#parts.take(this.#position);
    if (!taken) this.#sayReload();
    else {
      this.#position = taken.position;
      if (taken.bytes.length > 0) this.give(taken.bytes);
    }
  }

  /** A heartbeat. It carries the id, so that a client that gets few notices has a new one, too. */
  sendHeartbeat(): void {
    if (this.isReady && !this.hasEnded) this.give(`: still here\nid: ${this.#parts.log.idOf(this.#position)}\n\n`);
  }

  #sayReload(): void {
    const { log } = this.#parts;
    this.#isToReload = false;
    this.#position = log.last;
    this.give(`event: reload\nid: ${log.idOf(this.#position)}\ndata: {}\n\n`);
  }
}
