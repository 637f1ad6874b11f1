// Lets others have the processor first.
import { existsSync, readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** This process stands so many steps behind where it stood. */
export function lowerPriority(steps: number): void {
  const priority = Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW);
  setPriority(priority);
  // On Linux that is only one thread, and others have begun already; those that begin later take after this one.
  if (existsSync(THREADS)) for (const thread of readdirSync(THREADS)) setPriorityOf(Number(thread), priority);
}

/** Only this thread does, where the system can tell threads apart. */
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
