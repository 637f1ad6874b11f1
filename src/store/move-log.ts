// Moves the write-ahead log into the file through a thread with a connection of its own: it takes long, and the server goes on meanwhile.
import { ownProgram } from '../kit/own-program.ts';
import { startThread } from '../kit/thread.ts';

/** Never fails: what is written is written, and what stays in the log is moved the next time. */
export function moveLogBeside(path: string): Promise<void> {
  const thread = startThread(ownProgram('store/move-log-thread.ts'), { workerData: path });
  return new Promise((resolve) => {
    thread.once('error', () => resolve());
    thread.once('exit', () => resolve());
  });
}
