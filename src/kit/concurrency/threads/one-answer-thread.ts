// A thread that gives one answer and ends.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

export class OneAnswerThread<Answer> {
  readonly #startThread: () => Worker;
  #thread: Worker | undefined;

  constructor(startThread: () => Worker) {
    this.#startThread = startThread;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** undefined: it was stopped, or has ended without an answer. Fails when the thread does. */
  async run(): Promise<Answer | undefined> {
    const thread = this.#startThread();
    this.#thread = thread.on('exit', () => {
      this.#thread = undefined;
    });
    thread.unref();
    const answered = once(thread, 'message') as Promise<[Answer]>;
    const [answer] = await Promise.race([answered, once(thread, 'exit').then(() => [undefined] as const)]);
    return answer;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }
}
