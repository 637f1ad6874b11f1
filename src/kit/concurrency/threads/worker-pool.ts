// A pool of threads that process one input at a time each. Threads are started when needed, and end when idle.
// An input that takes too long or too much memory costs only its own thread, which is replaced.
import type { Transferable, Worker } from 'node:worker_threads';

export interface WorkerPoolParts {
  startThread(): Worker;
  readonly maxThreads: number;
  /** How long one input may take. */
  readonly limitMs: number;
  /** How long a thread stays with nothing to do. */
  readonly idleMs: number;
}

export type WorkerFailureReason = 'timeout' | 'memory' | 'ended' | 'closed';

/** No output came. The reason states whether the input or the server is the cause. */
export class WorkerFailure extends Error {
  readonly reason: WorkerFailureReason;

  constructor(reason: WorkerFailureReason, cause?: Error) {
    super(`The thread gave no answer (${reason}).`, { cause });
    this.reason = reason;
  }
}

interface Task<Input, Output> {
  readonly input: Input;
  readonly transfer: readonly Transferable[];
  readonly resolve: (output: Output) => void;
  readonly reject: (failure: WorkerFailure) => void;
}

interface Thread<Input, Output> {
  readonly worker: Worker;
  task: Task<Input, Output> | undefined;
  timer: NodeJS.Timeout | undefined;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

export class WorkerPool<Input, Output> {
  readonly #parts: WorkerPoolParts;
  readonly #threads = new Set<Thread<Input, Output>>();
  readonly #queue: Task<Input, Output>[] = [];
  #isClosed = false;

  constructor(parts: WorkerPoolParts) {
    this.#parts = parts;
  }

  /** The objects in `transfer` move to the thread and can be used here no more. */
  run(input: Input, transfer: readonly Transferable[] = []): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new WorkerFailure('closed'));
      this.#queue.push({ input, transfer, resolve, reject });
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
      this.#dispatch(thread, this.#queue.shift()!);
    }
  }

  #freeThread(): Thread<Input, Output> | undefined {
    for (const thread of this.#threads) if (!thread.task) return thread;
    return this.#threads.size < this.#parts.maxThreads ? this.#start() : undefined;
  }

  #start(): Thread<Input, Output> {
    const worker = this.#parts.startThread();
    const thread: Thread<Input, Output> = { worker, task: undefined, timer: undefined };
    this.#threads.add(thread);
    let failure = new WorkerFailure('ended');
    worker.on('message', (output: Output) => this.#finish(thread, output));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      failure = new WorkerFailure(error.code === OUT_OF_MEMORY ? 'memory' : 'ended', error);
    });
    worker.on('exit', () => this.#end(thread, failure));
    return thread;
  }

  #dispatch(thread: Thread<Input, Output>, task: Task<Input, Output>): void {
    clearTimeout(thread.timer);
    thread.task = task;
    thread.timer = setTimeout(() => this.#end(thread, new WorkerFailure('timeout')), this.#parts.limitMs).unref();
    thread.worker.ref(); // the process stays until the output is there
    thread.worker.postMessage(task.input, task.transfer);
  }

  #finish(thread: Thread<Input, Output>, output: Output): void {
    const { task } = thread;
    clearTimeout(thread.timer);
    thread.task = undefined;
    thread.timer = setTimeout(() => this.#end(thread), this.#parts.idleMs).unref();
    thread.worker.unref();
    task?.resolve(output);
    this.#assign();
  }

  #end(thread: Thread<Input, Output>, failure = new WorkerFailure('ended')): void {
    clearTimeout(thread.timer);
    this.#threads.delete(thread);
    thread.task?.reject(failure);
    thread.task = undefined;
    void thread.worker.terminate();
    this.#assign();
  }
}
