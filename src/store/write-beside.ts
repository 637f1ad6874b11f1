// Writes very many statements through a thread with a connection of its own: the server goes on meanwhile.
import type { Worker } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { ownProgram } from '../kit/own-program.ts';
import { pause } from '../kit/slices.ts';
import { startThread } from '../kit/thread.ts';

export type Batch = readonly { readonly sql: string; readonly parameters: readonly unknown[] }[];
export type ToWriter = { readonly batch: Batch } | { readonly commit: true };

export interface WriteBeside {
  /** All of them are on disk then, or none. Until then no other connection can write. */
  readonly written: Promise<void>;
  /** The thread has closed its connection, too. */
  readonly ended: Promise<void>;
}

const STATEMENTS_AT_ONCE = 20;

export function writeBeside(path: string, statements: readonly CompiledQuery[]): WriteBeside {
  const thread = startThread(ownProgram('store/write-thread.ts'), { workerData: path });
  const written = new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread that writes to the database ended before it was done.')));
    feed(thread, statements).catch(reject);
  });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  return { written, ended };
}

async function feed(thread: Worker, statements: readonly CompiledQuery[]): Promise<void> {
  for (let start = 0; start < statements.length; start += STATEMENTS_AT_ONCE) {
    const batch = statements.slice(start, start + STATEMENTS_AT_ONCE).map(({ sql, parameters }) => ({ sql, parameters }));
    thread.postMessage({ batch } satisfies ToWriter);
    await pause();
  }
  thread.postMessage({ commit: true } satisfies ToWriter);
}
