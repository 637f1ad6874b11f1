// bcrypt beside the event loop: a small pool of threads, started by the first login and ended when there are no logins.
import { availableParallelism } from 'node:os';
import { startThread } from '../../../kit/concurrency/threads/thread.ts';
import { WorkerPool } from '../../../kit/concurrency/threads/worker-pool.ts';
import { ownProgram } from '../../../kit/process/own-program.ts';
import type { BcryptInput, BcryptOutput } from './bcrypt-thread.ts';

const PROGRAM = ownProgram('plugins/bundled/authorization/bcrypt-thread.ts');
const HEAP_MB = 32;

const pool = new WorkerPool<BcryptInput, BcryptOutput>({
  startThread: () => startThread(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 4 } }),
  maxThreads: Math.min(4, Math.max(2, availableParallelism())),
  limitMs: 60_000,
  idleMs: 30_000,
});

export async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  return (await pool.run({ verify: password, hash })) === true;
}

export async function hashBcrypt(password: string, cost: number): Promise<string> {
  const hash = await pool.run({ hashOf: password, cost });
  if (typeof hash !== 'string') throw new Error('The thread for passwords made no hash.');
  return hash;
}
