// Hands transactions to the thread that writes to the database, and its answers to the callers.
import type { SQLInputValue } from 'node:sqlite';
import { serialize } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { startThread } from '../../kit/concurrency/threads/thread.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { ownProgram } from '../../kit/process/own-program.ts';
import { toRefusal } from './full-disk.ts';
import { StatementNumbers } from './numbered-statements.ts';
import type { FromWriter, Statement, StatementResult, ToWriter, Transaction } from './writer-messages.ts';

/** Copying more than this to the thread at once would make requests wait. */
const MAX_AT_ONCE = 500;
const LARGE_PART = 20;
const YOUNG_MB = 3;

/** The thread has ended before it has answered: only a restart can show which writes are on disk. */
export class WriterLost extends Error {
  constructor(cause: unknown) {
    super('The thread that writes to the database has ended. It is not known whether this was written.', { cause });
  }
}

interface WaitingWrite {
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (failure: unknown) => void;
}

export type WriteOptions = Pick<Transaction, 'isDurable' | 'wantsResults'>;

export class Writer {
  readonly #thread: Worker;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, WaitingWrite>();
  readonly #numbers = new StatementNumbers((text) => this.#post({ text }));
  #ids = 0;
  /** Why nothing can be written any more. */
  #end: Error | undefined;
  #onIdle = () => {};

  /** `onLost` is called when the thread has ended without `close`. */
  constructor(path: string, onLost: (failure: WriterLost) => void) {
    this.#thread = startThread(ownProgram('store/sqlite/writer-thread.ts'), {
      workerData: path,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#thread.unref();
    let cause: unknown;
    this.#thread.on('message', (answer: FromWriter) => this.#take(answer));
    this.#thread.once('error', (failure) => {
      cause = failure;
    });
    this.#ended = new Promise((resolve) =>
      this.#thread.once('exit', () => {
        resolve();
        if (!this.#end) this.#lose(new WriterLost(cause), onLost);
      }),
    );
  }

  /** Returns the results of the statements, if they are wanted, once all are written; fails if none is. */
  write(statements: readonly CompiledQuery[], options: WriteOptions): Promise<readonly StatementResult[]> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      const id = ++this.#ids;
      if (this.#waiting.size === 0) this.#thread.ref(); // the process stays until the answer is there
      this.#waiting.set(id, { resolve, reject });
      this.#postInParts(id, statements, options).catch((failure: unknown) => this.#settle(id)?.reject(failure));
    });
  }

  /** Until it is released, the log is not moved into the file. */
  holdLog(isLogHeld: boolean): void {
    this.#post({ isLogHeld });
  }

  /** Returns when everything that was handed over is answered. */
  async idle(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async close(): Promise<void> {
    await this.idle();
    this.#end ??= new Error('The database is closed.');
    this.#thread.ref();
    this.#post({ close: true });
    await this.#ended;
  }

  async #postInParts(id: number, statements: readonly CompiledQuery[], options: WriteOptions): Promise<void> {
    let start = 0;
    for (; statements.length - start > MAX_AT_ONCE; start += LARGE_PART) {
      const part = serialize(statements.slice(start, start + LARGE_PART).map(plain));
      this.#thread.postMessage({ id, part } satisfies ToWriter, [part.buffer]);
      await pause();
    }
    const last = start === 0 ? statements : statements.slice(start);
    this.#post({ transaction: { id, statements: last.map((one) => this.#numbers.encode(plain(one))), ...options } });
  }

  #post(message: ToWriter): void {
    this.#thread.postMessage(message);
  }

  #take(answer: FromWriter): void {
    const waiting = this.#settle(answer.id);
    if ('results' in answer) waiting?.resolve(answer.results);
    else waiting?.reject(toRefusal(Object.assign(new Error(answer.failure.message), answer.failure)));
  }

  #settle(id: number): WaitingWrite | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) {
      this.#thread.unref();
      this.#onIdle();
    }
    return waiting;
  }

  #lose(failure: WriterLost, onLost: (failure: WriterLost) => void): void {
    this.#end = failure;
    for (const { reject } of this.#waiting.values()) reject(failure);
    this.#waiting.clear();
    this.#onIdle();
    onLost(failure);
  }
}

function plain({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters: parameters as readonly SQLInputValue[] };
}
