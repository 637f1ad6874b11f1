import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstThatFit, MAX_MESSAGE_LENGTH, truncate } from './truncate.ts';

test('a short text stays as it is, and of a long one the beginning and the end are left', () => {
  assert.equal(truncate('x'.repeat(MAX_MESSAGE_LENGTH)).length, MAX_MESSAGE_LENGTH);
  const message = truncate(`Invalid name '${'x'.repeat(1_000_000)}'. It is too long.`);
  assert.equal(message.length, MAX_MESSAGE_LENGTH);
  assert.match(message, /^Invalid name 'x+…x+'\. It is too long\.$/);
  assert.equal(truncate('abcdefghij', 7), 'abcd…ij');
});

test('no character is cut in two', () => {
  for (const maxLength of [5, 6, 7, 8]) assert.ok(truncate('😀'.repeat(10), maxLength).isWellFormed());
});

test('the first items that have room are kept, and at least one', () => {
  const fit = (limits: Parameters<typeof firstThatFit>[2]) => firstThatFit(['aa', 'bb', 'cc'], ({ length }) => length, limits);
  assert.deepEqual(fit({ characters: 6 }), ['aa', 'bb', 'cc']);
  assert.deepEqual(fit({ characters: 5 }), ['aa', 'bb']);
  assert.deepEqual(fit({ characters: 1 }), ['aa']);
  assert.deepEqual(fit({ characters: 6, maxItems: 1 }), ['aa']);
});
