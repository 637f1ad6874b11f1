// A thread that computes MD5: of all that is done with a large file it takes longest, and it can be done beside the rest.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** Bytes in shared memory, of which it says when it has seen them; or the end. */
export type Md5Question = Uint8Array | 'end';
export type Md5Answer = 'seen' | { readonly md5: string };

let hash = createHash('md5');

parentPort!.on('message', (question: Md5Question) => parentPort!.postMessage(answerTo(question)));

function answerTo(question: Md5Question): Md5Answer {
  if (question !== 'end') {
    hash.update(question);
    return 'seen';
  }
  const md5 = hash.digest('hex');
  hash = createHash('md5');
  return { md5 };
}
