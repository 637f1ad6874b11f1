// A thread that computes bcrypt: in JavaScript, because no native module exists for every platform, and therefore beside the event loop.
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';
import { lowerThreadPriority } from '../../../kit/process/low-priority.ts';

export type BcryptInput = { readonly verify: string; readonly hash: string } | { readonly hashOf: string; readonly cost: number };

/** Whether the password is right, the new hash, or undefined for a hash that the library cannot read. */
export type BcryptOutput = boolean | string | undefined;

/** Users expect a login to take a moment; other requests must not wait for it. */
const STEPS_BEHIND = 5;

lowerThreadPriority(STEPS_BEHIND);
parentPort!.on('message', (input: BcryptInput) => parentPort!.postMessage(outputFor(input)));

function outputFor(input: BcryptInput): BcryptOutput {
  if ('hashOf' in input) return hashSync(input.hashOf, input.cost);
  try {
    return compareSync(input.verify, input.hash);
  } catch {
    return undefined;
  }
}
