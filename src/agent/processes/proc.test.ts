// Which processes may have been started after another one, by their numbers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { allProcesses, processesFrom, startedProcessCount } from './proc.ts';

const skip = process.platform !== 'linux' && 'only Linux reports how many were started';

test('only processes with higher numbers are looked at, until the numbers may have begun again', { skip }, async () => {
  const first = spawn('sleep', ['60']);
  const then = startedProcessCount()!;
  const second = spawn('sleep', ['60']);
  try {
    const pids = (startedThen: number | undefined) => processesFrom(first.pid!, startedThen).map(({ pid }) => pid);
    const late = pids(then);
    assert.ok(late.includes(first.pid!));
    // Where the numbers have begun again just now, all are looked at.
    assert.ok(late.includes(second.pid!));
    if (second.pid! > first.pid!) assert.ok(!late.includes(process.pid) || process.pid > first.pid!);
    for (const unsure of [then - 2 ** 30, undefined]) {
      const all = new Set(pids(unsure));
      assert.ok(all.has(process.pid) && all.has(second.pid!));
    }
    assert.ok(allProcesses().length >= late.length);
  } finally {
    for (const child of [first, second]) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});
