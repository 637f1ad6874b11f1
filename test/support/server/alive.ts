// Whether a process of another program still runs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../patience.ts';

/** A zombie, whose parent has not waited for it yet, counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A signal takes its time on a busy machine. */
export async function untilDead(pid: number, when = ''): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; isAlive(pid); await delay(10))
    assert.ok(performance.now() < end, `${when} ${pid} still runs`);
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
}
