// Which folders of materials overlap.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlapping } from './shared-folders.ts';

const of = (...destinations: readonly (string | null)[]) =>
  overlapping(destinations.map((destination) => ({ destination })))?.map(({ destination }) => destination);

test('folders that lie apart are no problem', () => {
  for (const apart of [[], [null], ['a', 'b'], ['a', 'ab', 'a-b'], ['a/b', 'a/c', 'b/a']]) assert.equal(of(...apart), undefined);
});

test('folders that overlap are found in pairs', () => {
  assert.deepEqual(of('b', 'a', 'b/'), ['b', 'b/']);
  assert.deepEqual(of('./a', 'a'), ['./a', 'a']);
  assert.deepEqual(of('x/y', 'a', 'x'), ['x', 'x/y']);
  assert.deepEqual(of('x/y', null), [null, 'x/y']);
  assert.deepEqual(of('.', 'a'), ['.', 'a']);
});
