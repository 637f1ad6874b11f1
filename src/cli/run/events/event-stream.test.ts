// Tests how a stream of events is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader } from './event-stream.ts';

const STREAM = ': hello\n\nid: 7\nevent: x\ndata: {"a":1}\n\n: still here\n\nid: 8\ndata: one\ndata: two\n\nid: 9\ndata: cut off';
const EVENTS = [
  { id: '7', data: '{"a":1}' },
  { id: '8', data: 'one\ntwo' },
];

test('whole events are read, without comments and without incomplete events', () => {
  assert.deepEqual(new EventReader().take(STREAM), EVENTS);
});

test('events are the same however the stream is cut', () => {
  for (const size of [1, 2, 3, 7]) {
    const reader = new EventReader();
    const pieces = STREAM.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    assert.deepEqual(
      pieces.flatMap((piece) => reader.take(piece)),
      EVENTS,
    );
  }
});
