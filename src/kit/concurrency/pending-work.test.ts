import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from './fake-clock.ts';
import { PendingWork } from './pending-work.ts';

test('ended() waits for all work under way, also for work that fails or is added meanwhile', async () => {
  const pending = new PendingWork();
  await pending.ended();
  const [one, other, last] = [Promise.withResolvers<number>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const mine = pending.add(one.promise);
  pending.add(other.promise).catch(() => {});
  let isEnded = false;
  const ended = pending.ended().then(() => (isEnded = true));
  one.resolve(7);
  assert.equal(await mine, 7);
  pending.add(last.promise);
  other.reject(new Error('no'));
  await settled();
  assert.equal(isEnded, false);
  last.resolve();
  await ended;
});
