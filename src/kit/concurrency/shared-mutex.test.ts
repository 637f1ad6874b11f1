// A mutex that many hold together, or one alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SharedMutex } from './shared-mutex.ts';

test('many share the mutex; an exclusive caller waits for them, and keeps later ones out', async () => {
  const mutex = new SharedMutex();
  const steps: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    steps.push(`+${name}`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    steps.push(`-${name}`);
  };
  const all = [
    mutex.together('k', work('a')),
    mutex.together('k', work('b')),
    mutex.alone('k', work('C')),
    mutex.together('k', work('d')),
    mutex.alone('k', work('E')),
    mutex.alone('other', work('O')),
  ];
  await turn();
  assert.deepEqual(steps, ['+a', '+b', '+O']);
  for (const name of ['O', 'a', 'b', 'C', 'd', 'E']) {
    ends.get(name)!();
    await turn();
  }
  await Promise.all(all);
  assert.deepEqual(steps.slice(3), ['-O', '-a', '-b', '+C', '-C', '+d', '-d', '+E', '-E']);
});

test('a failure rejects the call that failed, and releases the mutex', async () => {
  const mutex = new SharedMutex();
  const fail = async () => {
    throw new Error('broken');
  };
  await assert.rejects(mutex.together('k', fail), /broken/);
  await assert.rejects(mutex.alone('k', fail), /broken/);
  assert.equal(await mutex.together('k', async () => 1), 1);
  assert.equal(await mutex.alone('k', async () => 2), 2);
});
