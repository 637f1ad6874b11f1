// A thread that reads many small files: with calls that wait, which take a fraction of those through the threads that all share.
import { parentPort } from 'node:worker_threads';
import { type FilesRead, type FilesToRead, readFiles } from './disk-work.ts';

/** A failure by its parts: its code would be lost on the way. */
export type DiskAnswer =
  | { readonly done: FilesRead }
  | { readonly failure: { readonly message: string; readonly code?: string | undefined; readonly syscall?: string | undefined } };

parentPort!.on('message', (work: FilesToRead) => {
  const answer = answerTo(work);
  const moved = 'done' in answer ? [answer.done.bytes.buffer] : [];
  parentPort!.postMessage(answer, moved);
});

function answerTo(work: FilesToRead): DiskAnswer {
  try {
    return { done: readFiles(work) };
  } catch (failure) {
    const { message, code, syscall } = failure as NodeJS.ErrnoException;
    return { failure: { message, code, syscall } };
  }
}
