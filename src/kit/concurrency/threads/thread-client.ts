// Asks a thread that answers each message with one message, in order. The thread is started by the first question.
import type { Transferable, Worker } from 'node:worker_threads';

export interface ThreadClientParts {
  startThread(): Worker;
  /** Of all questions without an answer, when the thread has ended. */
  failureOf(reason: string): Error;
  /** How long the thread stays with nothing to do; absent: until `close`. */
  readonly idleMs?: number;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: Error) => void;
}

interface Thread<Answer> {
  readonly worker: Worker;
  readonly waiting: Waiting<Answer>[];
}

export class ThreadClient<Question, Answer> {
  readonly #parts: ThreadClientParts;
  #thread: Thread<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: ThreadClientParts) {
    this.#parts = parts;
  }

  /** The objects in `transfer` move to the thread and can be used here no more. */
  ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#thread ??= this.#start();
      const { worker, waiting } = this.#thread;
      worker.postMessage(question, transfer);
      clearTimeout(this.#idle);
      if (waiting.length === 0) worker.ref(); // the process stays until the answer is there
      waiting.push({ resolve, reject });
    });
  }

  /** Ends the thread; questions without an answer fail. The next question starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }

  #start(): Thread<Answer> {
    const thread: Thread<Answer> = { worker: this.#parts.startThread(), waiting: [] };
    const { worker, waiting } = thread;
    worker.unref();
    worker.on('message', (answer: Answer) => {
      waiting.shift()?.resolve(answer);
      if (waiting.length === 0) this.#rest(thread);
    });
    const fail = (reason: string) => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const { reject } of waiting.splice(0)) reject(this.#parts.failureOf(reason));
    };
    worker.on('error', ({ message }) => fail(message)).on('exit', (code) => fail(`exit code ${code}.`));
    return thread;
  }

  #rest(thread: Thread<Answer>): void {
    thread.worker.unref();
    if (this.#parts.idleMs === undefined || this.#thread !== thread) return;
    this.#idle = setTimeout(() => void this.close(), this.#parts.idleMs).unref();
  }
}
