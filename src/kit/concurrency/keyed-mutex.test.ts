import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyedMutex } from './keyed-mutex.ts';

test('work on one key is done one by one, in order, also after a failure', async () => {
  const mutex = new KeyedMutex();
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.run('a', async () => {
    steps.push('first begins');
    await gate.promise;
    steps.push('first ends');
    throw new Error('on purpose');
  });
  const second = mutex.run('a', async () => steps.push('second'));
  await mutex.run('b', async () => steps.push('other thing'));
  gate.resolve();
  await assert.rejects(first, /on purpose/);
  await second;
  await mutex.run('a', async () => steps.push('third'));
  assert.deepEqual(steps, ['first begins', 'other thing', 'first ends', 'second', 'third']);
});

test('an aborted call stops waiting at once, and does not keep the calls behind it', async () => {
  const mutex = new KeyedMutex();
  const gate = Promise.withResolvers<void>();
  const first = mutex.run('a', () => gate.promise);
  const calling = new AbortController();
  const second = mutex.run('a', async () => assert.fail('it was called away'), calling.signal);
  const third = mutex.run('a', async () => 'third');
  calling.abort(new Error('called away'));
  await assert.rejects(second, /called away/);
  gate.resolve();
  await first;
  assert.equal(await third, 'third');
  await assert.rejects(
    mutex.run('a', async () => assert.fail('it never came'), calling.signal),
    /called away/,
  );
});
