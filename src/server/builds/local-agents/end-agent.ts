// Ends a local agent and everything that it runs.
import { setTimeout as pause } from 'node:timers/promises';
import { endAll } from '../../../agent/processes/end-processes.ts';
import { markedProcesses } from '../../../agent/processes/process-tree.ts';
import { type Holder, isRunning } from '../../../agent/work-dir/lock.ts';

const MAY_WAIT_MS = 15_000;
/** A process that the system cannot end must not hold the server for ever. */
const GIVE_UP_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** `markers`: of the processes of its jobs, in case that it could not end them itself. */
export async function endAgent(holder: Holder | undefined, markers: readonly string[], graceMs = MAY_WAIT_MS): Promise<void> {
  if (holder && !(await hasEnded(holder, 'SIGTERM', graceMs))) await hasEnded(holder, 'SIGKILL', GIVE_UP_MS);
  for (const marker of markers) await endAll(() => markedProcesses(marker), 0);
}

async function hasEnded(holder: Holder, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  const began = performance.now();
  if (isRunning(holder)) sendSignal(holder.pid, signal);
  while (isRunning(holder)) {
    if (performance.now() - began > withinMs) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure; // it has just ended
  }
}
