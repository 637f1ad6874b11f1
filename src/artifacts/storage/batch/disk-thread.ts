// A thread that reads, writes and renames many small files: with calls that wait, which take a fraction of those through the threads
// that all share.
import { parentPort } from 'node:worker_threads';
import { type FilesRead, type FilesToRead, readFiles } from './read-files.ts';
import { type FilesToWrite, type FileToRename, renameFiles, writeFiles } from './write-files.ts';

export type DiskWork = { readonly read: FilesToRead } | { readonly write: FilesToWrite } | { readonly rename: readonly FileToRename[] };

/** A failure by its parts: its code would be lost on the way. */
export type DiskAnswer =
  | { readonly done: FilesRead | undefined }
  | { readonly failure: { readonly message: string; readonly code?: string | undefined; readonly syscall?: string | undefined } };

parentPort!.on('message', (work: DiskWork) => {
  const answer = answerTo(work);
  const moved = 'done' in answer && answer.done ? [answer.done.bytes.buffer] : [];
  parentPort!.postMessage(answer, moved);
});

function answerTo(work: DiskWork): DiskAnswer {
  try {
    return { done: doneOf(work) };
  } catch (failure) {
    const { message, code, syscall } = failure as NodeJS.ErrnoException;
    return { failure: { message, code, syscall } };
  }
}

function doneOf(work: DiskWork): FilesRead | undefined {
  if ('read' in work) return readFiles(work.read);
  if ('write' in work) writeFiles(work.write);
  else renameFiles(work.rename);
  return undefined;
}
