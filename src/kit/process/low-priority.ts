// Lowers the priority of this process, or of one thread, for the processor.
import { existsSync, readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** By so many steps of niceness, for all threads of the process. */
export function lowerPriority(steps: number): void {
  const priority = Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW);
  setPriority(priority);
  // On Linux this sets one thread only. Threads that start later inherit it.
  if (existsSync(THREADS)) for (const thread of readdirSync(THREADS)) setPriorityOf(Number(thread), priority);
}

/** For this thread alone, where the system distinguishes threads. */
export function lowerThreadPriority(steps: number): void {
  if (existsSync(THREADS)) setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
}

function setPriorityOf(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException & { info?: { code?: string } }).info?.code !== 'ESRCH') throw failure; // it has ended
  }
}
