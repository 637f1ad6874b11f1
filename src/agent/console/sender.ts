// Hands the console of a job to the server: urgent lines at once, all others soon and in large pieces, each byte once and in order.
import { MAX_CONSOLE_CHUNK } from '../../contracts/agent-protocol/messages.ts';
import { BackOff } from '../server/back-off.ts';
import type { Delivery } from './answer.ts';
import type { Spool } from './spool.ts';

const MAX_WAIT_MS = 250;
const ENOUGH_BYTES = 64 * 1024;
/** The most that programs may be ahead of a server that answers. */
const MAX_AHEAD = 8 * 1024 * 1024;
/** The most that the disk keeps for a server that is away: its return must not find a full disk. */
const MAX_AHEAD_UNAVAILABLE = 1024 * 1024 * 1024;

/** Never rejects: a server that cannot be reached is `again`. */
export type Deliver = (offset: number, bytes: Buffer) => Promise<Delivery>;

export class ConsoleSender {
  readonly #spool: Spool;
  readonly #deliver: Deliver;
  readonly #onRefused: () => void;
  readonly #backOff = new BackOff();
  readonly #over = new AbortController();
  #sent = 0;
  #lastSend = 0;
  #isSending = false;
  #isUnavailable = false;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(spool: Spool, deliver: Deliver, onRefused: () => void) {
    this.#spool = spool;
    this.#deliver = deliver;
    this.#onRefused = onRefused;
  }

  /** Something was appended. */
  appended(isUrgent: boolean): void {
    if (this.#isSending || this.#isOver) return;
    const ahead = this.#spool.length - this.#sent;
    const wait = isUrgent || ahead >= ENOUGH_BYTES ? 0 : Math.max(0, this.#lastSend + MAX_WAIT_MS - performance.now());
    if (wait === 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), wait);
  }

  /** Whether programs should wait until the server has taken more. */
  get isFull(): boolean {
    return !this.#isOver && this.#spool.length - this.#sent > (this.#isUnavailable ? MAX_AHEAD_UNAVAILABLE : MAX_AHEAD);
  }

  /** Until there is room again. */
  async room(): Promise<void> {
    while (this.isFull) await this.#progress();
  }

  /** Until the server has all, or wants no more. */
  async delivered(): Promise<void> {
    while (!this.#isOver && this.#sent < this.#spool.length) {
      if (!this.#isSending) this.#send();
      await this.#progress();
    }
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  stop(): void {
    this.#over.abort();
    clearTimeout(this.#timer);
    this.#progressed();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isSending || this.#isOver) return;
    this.#isSending = true;
    // After all other work of this turn: lines that come together go together.
    setImmediate(() => void this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    while (!this.#isOver && this.#sent < this.#spool.length) {
      this.#lastSend = performance.now();
      const bytes = this.#spool.read(this.#sent, MAX_CONSOLE_CHUNK);
      await this.#taken(await this.#deliver(this.#sent, bytes));
      this.#progressed();
      if (!this.#isUnavailable && this.#spool.length - this.#sent < ENOUGH_BYTES) break;
    }
    this.#isSending = false;
    this.#progressed();
    if (this.#sent < this.#spool.length) this.appended(false);
  }

  async #taken(delivery: Delivery): Promise<void> {
    if (this.#isOver) return;
    this.#isUnavailable = delivery.kind === 'again';
    if (delivery.kind === 'sent') {
      this.#sent = Math.min(delivery.length, this.#spool.length);
      this.#backOff.reset();
    } else if (delivery.kind === 'refused') {
      this.stop();
      this.#onRefused();
    } else {
      this.#progressed();
      await this.#backOff.pause(this.#over.signal);
    }
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #progressed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
