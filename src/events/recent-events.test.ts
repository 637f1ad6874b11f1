import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentEvents } from './recent-events.ts';
import { StoredEvent } from './stored-event.ts';

const event = (number: number, size = 10) => new StoredEvent({ number, body: 'x'.repeat(size), hash: '' });
const numbers = (events: readonly StoredEvent[] | undefined) => events?.map(({ number }) => number);

test('events after a number are given as long as all of them are in memory', () => {
  const recent = new RecentEvents(5, 1000);
  assert.equal(recent.after(0, 10), undefined);
  recent.add([4, 5, 6].map((number) => event(number)));
  assert.equal(recent.after(2, 10), undefined);
  assert.deepEqual(numbers(recent.after(3, 10)), [4, 5, 6]);
  assert.deepEqual(numbers(recent.after(4, 1)), [5]);
  assert.deepEqual(numbers(recent.after(6, 10)), []);
  recent.add([7, 8, 9, 10].map((number) => event(number)));
  assert.equal(recent.after(4, 10), undefined);
  assert.deepEqual(numbers(recent.after(5, 10)), [6, 7, 8, 9, 10]);
});

test('memory is bounded by size, too, and the newest events stay right', () => {
  const recent = new RecentEvents(1000, 100);
  for (let number = 1; number <= 5000; number++) {
    recent.add([event(number)]);
    const at = recent.after(number - 1, 10);
    assert.deepEqual(numbers(at), [number]);
  }
  assert.equal(recent.after(4989, 10), undefined);
  assert.equal(recent.after(4990, 100)?.length, 10);
  recent.add([event(5001, 200)]);
  assert.equal(recent.after(5000, 10), undefined);
});
