import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { MAX_QUEUED, Pipelining } from './pipelining.ts';

function connection() {
  const one = { isOpen: true, destroy: () => (one.isOpen = false) };
  return one;
}

test('a connection may have so many responses waiting and no more, independent of other connections', () => {
  const pipelining = new Pipelining();
  const [one, other] = [connection(), connection()];
  const responses = Array.from({ length: MAX_QUEUED }, () => new EventEmitter());
  for (const response of responses) assert.ok(pipelining.queue(one, response));
  responses[0]!.emit('close');
  assert.ok(pipelining.queue(one, new EventEmitter()));
  assert.ok(one.isOpen);
  assert.ok(!pipelining.queue(one, new EventEmitter()));
  assert.ok(!one.isOpen);
  assert.ok(pipelining.queue(other, new EventEmitter()));
  assert.ok(other.isOpen);
});
