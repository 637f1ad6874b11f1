// Ends processes: asks them first, and after a while does not ask any more.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { factsOf, type ProcessFacts } from './proc.ts';
import { type Origin, processTreeOf } from './process-tree.ts';

const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 100;
/** A process that the system cannot end, because a disk does not answer, must not hold the agent for ever. */
const GIVE_UP_MS = 30_000;

/** Until none of them runs. `graceMs`: how long they have after TERM; `killSignal`: they have no longer than that. */
export async function endProcessTree(origin: Origin, graceMs: number, killSignal?: AbortSignal): Promise<void> {
  if (origin.started === undefined) return endGroup(origin.pid, graceMs, killSignal);
  await endAll(() => processTreeOf(origin), graceMs, killSignal);
}

/** Looks again and again, because processes may start others meanwhile. */
export async function endAll(listProcesses: () => readonly ProcessFacts[], graceMs: number, killSignal?: AbortSignal): Promise<void> {
  const terminated = new Set<number>();
  const began = performance.now();
  for (let wait = MIN_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    const left = listProcesses();
    const passed = performance.now() - began;
    if (left.length === 0 || passed > graceMs + GIVE_UP_MS) return;
    const isOver = passed >= graceMs || killSignal?.aborted === true;
    for (const one of left) {
      if (isOver) signalTo(one, 'SIGKILL');
      else if (!terminated.has(one.pid)) signalTo(one, 'SIGTERM');
      terminated.add(one.pid);
    }
    await pause(isOver ? MIN_PAUSE_MS : Math.min(wait, Math.max(1, graceMs - passed)), undefined, {
      signal: isOver ? undefined : killSignal,
    }).catch(
      () => undefined, // there is no more time
    );
  }
}

function signalTo({ pid, started }: ProcessFacts, signal: NodeJS.Signals): void {
  // The number may be another process by now.
  if (factsOf(pid)?.started !== started) return;
  sendSignal(pid, signal);
  // A process that is stopped hears nothing until it goes on.
  if (signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
}

/** Without /proc only the group is known. */
async function endGroup(pid: number, graceMs: number, killSignal?: AbortSignal): Promise<void> {
  if (process.platform === 'win32') return endTreeOnWindows(pid);
  const began = performance.now();
  if (graceMs > 0) sendSignal(-pid, 'SIGTERM');
  while (performance.now() - began < graceMs && killSignal?.aborted !== true && sendSignal(-pid, 0)) await pause(MAX_PAUSE_MS);
  sendSignal(-pid, 'SIGKILL');
}

function endTreeOnWindows(pid: number): Promise<void> {
  return new Promise((resolve) => void execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => resolve()));
}

/** Whether there was a process to take the signal. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has ended, or became another user's
  }
}
