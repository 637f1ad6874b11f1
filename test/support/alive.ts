// Whether a process of another program still runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const MOST_TURNS = 300;

/** One that nobody has asked for its end yet is dead, too. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A signal takes its time on a busy machine. */
export async function untilDead(pid: number, when = ''): Promise<void> {
  for (let turn = 0; isAlive(pid); turn++) {
    assert.ok(turn < MOST_TURNS, `${when} ${pid} still runs`);
    await delay(10);
  }
}
