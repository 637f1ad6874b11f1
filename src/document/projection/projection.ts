// The document as the server sees it: made in a thread of its own, with every change that was acknowledged before the request.
import type { Worker } from 'node:worker_threads';
import { backOffMs } from '../../kit/concurrency/retry/exponential-back-off.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Answers, CurrentDocument, FromThread, Question, ToThread } from './messages.ts';

interface Parts {
  readonly startThread: () => Worker;
  /** The revision of the last acknowledged change. */
  readonly revision: () => number;
  /** The last revision in the history, as it is on disk. */
  readonly recorded: () => number;
  readonly onTrouble: (failure: unknown) => void;
  readonly onRecovery: () => void;
}

interface PendingQuestion {
  readonly question: Question;
  readonly resolve: (answer: never) => void;
  readonly reject: (failure: unknown) => void;
}

const START_PAUSE_MS = 1000;
const RESTART_BACK_OFF = { firstMs: 500, maxMs: 30_000 };
const IDLE_MS = 60_000;

export class Projection {
  readonly #parts: Parts;
  readonly #idleMs: number;
  readonly #pending = new Map<number, PendingQuestion>();
  #thread: Worker | undefined;
  #starting: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #recorded = 0;
  /** The thread was woken, or will be, and has sent nothing since: to wake it costs more than most that a change costs here. */
  #isWoken = false;
  #failuresInARow = 0;
  #isEndingIdle = false;
  #isStopped = false;

  constructor(parts: Parts, idleMs = IDLE_MS) {
    this.#parts = parts;
    this.#idleMs = idleMs;
    this.#recorded = parts.recorded();
  }

  /** Whether the history has everything, and no thread holds the document in memory. */
  get isIdle(): boolean {
    return this.#thread === undefined && this.#recorded === this.#parts.revision();
  }

  /** Records the revisions that were not recorded before the server stopped. */
  start(): void {
    if (!this.isIdle) this.#startIn(START_PAUSE_MS);
  }

  /** The change log has grown. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setImmediate(() => {
      if (this.#thread) this.#post({ wake: true });
      // In a moment: one change is often followed by more.
      else this.#startIn(START_PAUSE_MS);
    });
  }

  /** The document with every change acknowledged before this call. */
  document(): Promise<CurrentDocument> {
    return this.#ask({ ask: 'document', minRevision: this.#parts.revision() });
  }

  /** Returns when every change acknowledged before this call is in the history. */
  async upToDate(): Promise<void> {
    const revision = this.#parts.revision();
    if (this.#recorded < revision) await this.#ask({ ask: 'recorded', minRevision: revision });
  }

  /** Writes the whole history anew; returns when that has begun. */
  async rewrite(): Promise<void> {
    this.#recorded = 0;
    await this.#ask({ ask: 'rewrite' });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#starting);
    clearTimeout(this.#idle);
    const thread = this.#thread;
    if (!thread) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.#post({ stop: true });
    await ended;
  }

  #startIn(milliseconds: number): void {
    if (this.#isStopped || this.#thread || this.#starting) return;
    this.#starting = setTimeout(() => this.#launch(), milliseconds).unref();
  }

  #launch(): void {
    clearTimeout(this.#starting);
    this.#starting = undefined;
    const thread = this.#parts.startThread();
    this.#thread = thread;
    let failure: unknown = new Error('The thread that keeps the configuration document ended.');
    thread.on('message', (message: FromThread) => this.#receive(message));
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => this.#ended(failure));
    for (const [id, { question }] of this.#pending) this.#post({ id, question });
  }

  #ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped || (!this.#thread && this.#failuresInARow > 0)) {
        reject(unavailable());
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { question, resolve, reject });
      if (!this.#thread) this.#launch();
      // One that is about to rest does not receive it; the next one gets it when it starts.
      else this.#post({ id, question });
    });
  }

  #post(message: ToThread): void {
    this.#thread?.postMessage(message);
  }

  #receive(message: FromThread): void {
    this.#endWhenIdle();
    if ('recorded' in message) {
      this.#recorded = message.recorded;
      this.#isWoken = false;
      if (this.#recorded < this.#parts.revision()) this.wake();
      if (this.#failuresInARow > 0) this.#parts.onRecovery();
      this.#failuresInARow = 0;
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('failure' in message) pending?.reject(new Error(message.failure));
    else pending?.resolve(message.answer as never);
  }

  /** A configuration without changes needs no second copy in memory. */
  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#pending.size > 0 || this.#recorded < this.#parts.revision()) return;
      this.#isEndingIdle = true;
      this.#post({ stop: true });
    }, this.#idleMs).unref();
  }

  #ended(failure: unknown): void {
    this.#thread = undefined;
    this.#isWoken = false;
    clearTimeout(this.#idle);
    if (this.#isEndingIdle && !this.#isStopped) {
      this.#isEndingIdle = false;
      if (this.#pending.size > 0) this.#launch();
      else this.start();
      return;
    }
    for (const { reject } of this.#pending.values()) reject(unavailable());
    this.#pending.clear();
    if (this.#isStopped) return;
    this.#failuresInARow++;
    this.#parts.onTrouble(failure);
    this.#startIn(backOffMs(RESTART_BACK_OFF, this.#failuresInARow));
  }
}

function unavailable(): Refusal {
  return new Refusal('unavailable', 'The configuration document is being rebuilt. Try again in a moment.', { retryAfter: 5 });
}
