// Reads a configuration file in a thread of its own: a large one takes a second, and a hostile one harms only the thread.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Semaphore } from '../../kit/concurrency/limits/semaphore.ts';
import { startThread } from '../../kit/concurrency/threads/thread.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { ownProgram } from '../../kit/process/own-program.ts';
import { Refusal } from '../../kit/refusal.ts';
import { snakeCase } from '../../shape/json/json.ts';
import type { Kind } from '../../shape/resource.ts';
import type { ConfigFile, FileEntity } from './config-file.ts';
import type { IdNames } from './read-file.ts';

export interface Task {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly idNames: IdNames;
}

/** The answer of the thread to each request for more. */
export interface FilePart {
  readonly entities: readonly FileEntity[];
  /** The rest of the file; sent with the last part. */
  readonly rest?: Omit<ConfigFile, 'entities'>;
}

const MAX_MEGABYTES = 2048;
const BYTES_AT_ONCE = 1024 * 1024;

/** Each takes a processor and much memory; a save reads two files. */
const slots = new Semaphore(2, 20, 120_000);

export function readInWorker(bytes: Uint8Array, kinds: Iterable<Kind>): Promise<ConfigFile> {
  const refusal = () => new Refusal('unavailable', 'Other configuration files are being read now. Try again later.', { retryAfter: 30 });
  return slots.run(() => readInThread(bytes, kinds), refusal);
}

async function readInThread(bytes: Uint8Array, kinds: Iterable<Kind>): Promise<ConfigFile> {
  const idNames = Object.fromEntries([...kinds].flatMap((kind) => (kind.shape === 'collection' ? [[kind.name, snakeCase(kind.id)]] : [])));
  const thread = startThread(ownProgram('document/save/read-thread.ts'), {
    workerData: { bytes: await shared(bytes), idNames } satisfies Task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  });
  try {
    return await partsOf(thread);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw failure;
    const problem = { line: 1, column: 1, message: 'The file is too large to be read.' };
    return { version: 0, entities: [], ignored: [], problems: [problem] };
  } finally {
    await thread.terminate();
  }
}

/** In memory that both threads see: that costs one copy, and handing it over costs several. */
async function shared(bytes: Uint8Array): Promise<Uint8Array<SharedArrayBuffer>> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  for (let start = 0; start < bytes.length; start += BYTES_AT_ONCE) {
    copy.set(bytes.subarray(start, start + BYTES_AT_ONCE), start);
    await pause();
  }
  return copy;
}

/** Part by part: taking over all of a large file at once would block the event loop. */
async function partsOf(thread: Worker): Promise<ConfigFile> {
  const entities: FileEntity[] = [];
  for (;;) {
    thread.postMessage('more');
    const [part] = (await once(thread, 'message')) as [FilePart];
    entities.push(...part.entities);
    if (part.rest) return { ...part.rest, entities };
  }
}
