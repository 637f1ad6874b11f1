// A pool of threads that answer one question at a time each. Threads are started when needed, and end when idle.
// A question that takes too long or too much memory costs only its own thread, which is replaced.
import type { Transferable, Worker } from 'node:worker_threads';

export interface WorkerPoolParts {
  startThread(): Worker;
  readonly mostThreads: number;
  /** How long one question may take. */
  readonly limitMs: number;
  /** How long a thread stays with nothing to do. */
  readonly idleMs: number;
}

export type WorkerFailureReason = 'timeout' | 'memory' | 'ended' | 'closed';

/** No answer came. The reason tells whether the question or the server is the cause. */
export class WorkerFailure extends Error {
  readonly reason: WorkerFailureReason;

  constructor(reason: WorkerFailureReason, cause?: Error) {
    super(`The thread gave no answer (${reason}).`, { cause });
    this.reason = reason;
  }
}

interface Task<Question, Answer> {
  readonly question: Question;
  readonly transfer: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: WorkerFailure) => void;
}

interface Thread<Question, Answer> {
  readonly worker: Worker;
  task: Task<Question, Answer> | undefined;
  timer: NodeJS.Timeout | undefined;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

export class WorkerPool<Question, Answer> {
  readonly #parts: WorkerPoolParts;
  readonly #threads = new Set<Thread<Question, Answer>>();
  readonly #queue: Task<Question, Answer>[] = [];
  #isClosed = false;

  constructor(parts: WorkerPoolParts) {
    this.#parts = parts;
  }

  /** The objects in `transfer` move to the thread and can be used here no more. */
  run(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkerFailure('closed'));
      this.#queue.push({ question, transfer, resolve, reject });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new WorkerFailure('closed'));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #assign(): void {
    if (this.#isClosed) return;
    while (this.#queue.length > 0) {
      const thread = this.#freeThread();
      if (!thread) return;
      this.#give(thread, this.#queue.shift()!);
    }
  }

  #freeThread(): Thread<Question, Answer> | undefined {
    for (const thread of this.#threads) if (!thread.task) return thread;
    return this.#threads.size < this.#parts.mostThreads ? this.#start() : undefined;
  }

  #start(): Thread<Question, Answer> {
    const worker = this.#parts.startThread();
    const thread: Thread<Question, Answer> = { worker, task: undefined, timer: undefined };
    this.#threads.add(thread);
    let failure = new WorkerFailure('ended');
    worker.on('message', (answer: Answer) => this.#finish(thread, answer));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      failure = new WorkerFailure(error.code === OUT_OF_MEMORY ? 'memory' : 'ended', error);
    });
    worker.on('exit', () => this.#end(thread, failure));
    return thread;
  }

  #give(thread: Thread<Question, Answer>, task: Task<Question, Answer>): void {
    clearTimeout(thread.timer);
    thread.task = task;
    thread.timer = setTimeout(() => this.#end(thread, new WorkerFailure('timeout')), this.#parts.limitMs).unref();
    thread.worker.ref(); // the process stays until the answer is there
    thread.worker.postMessage(task.question, task.transfer);
  }

  #finish(thread: Thread<Question, Answer>, answer: Answer): void {
    const { task } = thread;
    clearTimeout(thread.timer);
    thread.task = undefined;
    thread.timer = setTimeout(() => this.#end(thread), this.#parts.idleMs).unref();
    thread.worker.unref();
    task?.resolve(answer);
    this.#assign();
  }

  #end(thread: Thread<Question, Answer>, failure = new WorkerFailure('ended')): void {
    clearTimeout(thread.timer);
    this.#threads.delete(thread);
    thread.task?.reject(failure);
    thread.task = undefined;
    void thread.worker.terminate();
    this.#assign();
  }
}
