// Checks all events of the running server, in a thread of its own: hashing many of them would hold up requests.
import { OneAnswerThread } from '../kit/concurrency/threads/one-answer-thread.ts';
import { startThread } from '../kit/concurrency/threads/thread.ts';
import { ownProgram } from '../kit/process/own-program.ts';
import { Refusal } from '../kit/refusal.ts';
import type { DatabaseSource } from '../store/source.ts';
import type { VerificationResult } from './verify-events.ts';

const AWAY = 'The database cannot be reached, so the events cannot be checked. Try again in a moment.';
const STOPPING = 'The server is stopping. Check the events again in a moment.';

export class EventsVerification {
  readonly #check: OneAnswerThread<VerificationResult | 'unavailable'>;
  #result: Promise<VerificationResult> | undefined;

  constructor(source: DatabaseSource) {
    this.#check = new OneAnswerThread(() => startThread(ownProgram('events/verify-thread.ts'), { workerData: source }));
  }

  /** Calls during a check get its result. */
  run(): Promise<VerificationResult> {
    this.#result ??= this.#verify().finally(() => {
      this.#result = undefined;
    });
    return this.#result;
  }

  async stop(): Promise<void> {
    await this.#check.stop();
  }

  async #verify(): Promise<VerificationResult> {
    const result = await this.#check.run();
    if (result === undefined) throw new Refusal('unavailable', STOPPING, { retryAfter: 1 });
    if (result === 'unavailable') throw new Refusal('unavailable', AWAY, { retryAfter: 1 });
    return result;
  }
}
