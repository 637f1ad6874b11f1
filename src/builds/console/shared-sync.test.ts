import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedSync } from './shared-sync.ts';

test('one sync runs at a time, and callers that ask meanwhile share the next one', async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const sync = new SharedSync(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const [first, second, third] = [sync.request(), sync.request(), sync.request()];
  assert.equal(ends.length, 1);
  ends[0]!.resolve();
  await first;
  const fourth = sync.request();
  await Promise.resolve();
  assert.equal(ends.length, 2);
  ends[1]!.resolve();
  await Promise.all([second, third]);
  await Promise.race([fourth, new Promise((resolve) => setImmediate(resolve)).then(() => ends[2]?.resolve())]);
  await fourth;
});

test('a failure is reported only to the callers of that sync', async () => {
  let count = 0;
  const sync = new SharedSync(async () => {
    if (++count === 1) throw new Error('no disk');
  });
  const [first, second] = [sync.request(), sync.request()];
  await assert.rejects(first, /no disk/);
  await second;
  assert.equal(count, 2);
});
