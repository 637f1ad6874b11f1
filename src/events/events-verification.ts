// Checks all events of the running server, in a thread of its own: hashing many of them would hold up requests.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../kit/concurrency/threads/thread.ts';
import { ownProgram } from '../kit/process/own-program.ts';
import { Refusal } from '../kit/refusal.ts';
import type { DatabaseSource } from '../store/source.ts';
import type { VerificationResult } from './verify-events.ts';

const AWAY = 'The database cannot be reached, so the events cannot be checked. Try again in a moment.';
const STOPPING = 'The server is stopping. Check the events again in a moment.';

export class EventsVerification {
  readonly #source: DatabaseSource;
  #thread: Worker | undefined;
  #result: Promise<VerificationResult> | undefined;

  constructor(source: DatabaseSource) {
    this.#source = source;
  }

  /** Calls during a check get its result. */
  run(): Promise<VerificationResult> {
    this.#result ??= this.#verify().finally(() => {
      this.#result = undefined;
    });
    return this.#result;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #verify(): Promise<VerificationResult> {
    const thread = startThread(ownProgram('events/verify-thread.ts'), { workerData: this.#source });
    this.#thread = thread.on('exit', () => {
      this.#thread = undefined;
    });
    thread.unref();
    const ended = once(thread, 'exit').then(() => Promise.reject(new Refusal('unavailable', STOPPING, { retryAfter: 1 })));
    const [result] = await Promise.race([once(thread, 'message') as Promise<[VerificationResult | 'unavailable']>, ended]);
    // It ends by itself afterwards.
    ended.catch(() => {});
    if (result === 'unavailable') throw new Refusal('unavailable', AWAY, { retryAfter: 1 });
    return result;
  }
}
