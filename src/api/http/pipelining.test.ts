import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_UNDER_WAY, Pipelining } from './pipelining.ts';

test('a connection may have so many requests under way and no more, whatever others have', () => {
  const pipelining = new Pipelining();
  const [one, other] = [{}, {}];
  for (let count = 0; count < MOST_UNDER_WAY; count++) assert.ok(pipelining.begin(one));
  assert.ok(!pipelining.begin(one));
  assert.ok(pipelining.begin(other));
  pipelining.end(one);
  pipelining.end(one);
  assert.ok(pipelining.begin(one));
  assert.ok(!pipelining.begin(one));
});
