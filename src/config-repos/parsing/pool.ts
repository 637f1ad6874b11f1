// Reads files in threads of their own: a hostile one harms only its thread, which is ended and replaced.
import type { Worker } from 'node:worker_threads';
import type { ChosenFile } from '../../contracts/plugins/config-repo.ts';
import type { PackedFile } from './packed.ts';
import type { FromParser, ToParser } from './thread.ts';

export interface PoolParts {
  startThread(): Worker;
  readonly mostThreads: number;
  /** How long one file may take. */
  readonly limitMs: number;
  /** How long a thread stays with nothing to do. */
  readonly idleMs: number;
}

/** A file that could not be read by fault of the server or of its limits, and might be another time. The message is for the author of the file. */
export class Unparsed extends Error {}

interface Task {
  readonly message: ToParser;
  readonly resolve: (packed: PackedFile) => void;
  readonly reject: (failure: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

export class ParserPool {
  readonly #parts: PoolParts;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];
  #isClosed = false;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  parse(plugin: string, file: ChosenFile, bytes: Uint8Array): Promise<PackedFile> {
    return new Promise((resolve, reject) => {
      // A copy of its own: what stands beside it in memory would go along.
      this.#waiting.push({ message: { plugin, file, bytes: Uint8Array.from(bytes) }, resolve, reject });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new Unparsed('The server is being stopped.'));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #assign(): void {
    if (this.#isClosed) return;
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      if (!thread) return;
      this.#give(thread, this.#waiting.shift()!);
    }
  }

  #freeThread(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.task) return thread;
    return this.#threads.size < this.#parts.mostThreads ? this.#start() : undefined;
  }

  #start(): Thread {
    const worker = this.#parts.startThread();
    const thread: Thread = { worker, task: undefined, timer: undefined };
    this.#threads.add(thread);
    let failure = new Unparsed('The thread that reads files has ended. Ask for an update to try again.');
    worker.on('message', (answer: FromParser) => this.#hear(thread, answer));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === OUT_OF_MEMORY;
      failure = new Unparsed(isMemory ? 'Reading the file takes more memory than a file may.' : failure.message, { cause: error });
    });
    worker.on('exit', () => this.#end(thread, failure));
    return thread;
  }

  #give(thread: Thread, task: Task): void {
    const { limitMs } = this.#parts;
    clearTimeout(thread.timer);
    thread.task = task;
    thread.timer = setTimeout(() => {
      this.#end(thread, new Unparsed(`Reading the file takes longer than ${limitMs / 1000} seconds.`));
    }, limitMs).unref();
    thread.worker.postMessage(task.message, [task.message.bytes.buffer as ArrayBuffer]);
  }

  #hear(thread: Thread, answer: FromParser): void {
    const { task } = thread;
    clearTimeout(thread.timer);
    thread.task = undefined;
    thread.timer = setTimeout(() => this.#end(thread), this.#parts.idleMs).unref();
    if ('packed' in answer) task?.resolve(answer.packed);
    else task?.reject(new Unparsed('The plugin could not cope with this file.', { cause: new Error(answer.failure) }));
    this.#assign();
  }

  /** It gets no other file, and who waits for its answer is told. */
  #end(thread: Thread, failure?: Unparsed): void {
    clearTimeout(thread.timer);
    this.#threads.delete(thread);
    thread.task?.reject(failure);
    thread.task = undefined;
    void thread.worker.terminate();
    this.#assign();
  }
}
