// A thread that computes bcrypt: in JavaScript, because no native module exists for every platform, and therefore beside the event loop.
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';
import { lowerThreadPriority } from '../../../kit/process/low-priority.ts';

export type BcryptQuestion = { readonly verify: string; readonly hash: string } | { readonly hashOf: string; readonly cost: number };

/** The verdict, the new hash, or undefined for a hash that the library cannot read. */
export type BcryptAnswer = boolean | string | undefined;

/** Users expect a login to take a moment; other requests must not wait for it. */
const STEPS_BEHIND = 5;

lowerThreadPriority(STEPS_BEHIND);
parentPort!.on('message', (question: BcryptQuestion) => parentPort!.postMessage(answerTo(question)));

function answerTo(question: BcryptQuestion): BcryptAnswer {
  if ('hashOf' in question) return hashSync(question.hashOf, question.cost);
  try {
    return compareSync(question.verify, question.hash);
  } catch {
    return undefined;
  }
}
