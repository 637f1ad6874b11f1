// Tests that problems have room, however long and however many they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_MESSAGE_LENGTH } from '../../kit/text/truncate.ts';
import { annotate } from './problem.ts';
import { NO_ROOM, RoomForMessages } from './short-problems.ts';

const LONG = 'x'.repeat(1_000_000);
const quoting = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ at: [`f${index}`], message: `${index} in '${LONG}' is wrong.` }));

test('long messages are made short, and others are left alone', () => {
  const short = { at: ['a'], message: 'wrong' };
  const [first, second] = new RoomForMessages().shorten([short, ...quoting(1)]);
  assert.equal(first, short);
  assert.equal(second!.message.length, MAX_MESSAGE_LENGTH);
  assert.match(second!.message, /^0 in 'x+…x+' is wrong\.$/);
});

test('when there is no room for more, no problem is lost', () => {
  const room = new RoomForMessages();
  const shortened = [...room.shorten(quoting(5_000)), ...room.shorten(quoting(5_000))];
  assert.equal(shortened.length, 10_000);
  assert.ok(shortened.reduce((sum, { message }) => sum + message.length, 0) < 2_000_000);
  assert.equal(shortened.at(-1)!.message, NO_ROOM);
});

test('problems beside fields have limited room, too', () => {
  const text = JSON.stringify(annotate({}, quoting(10_000)));
  assert.ok(text.length < 3_000_000, String(text.length));
});
