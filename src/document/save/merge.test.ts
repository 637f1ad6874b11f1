// Tests the merge of an entity that the sender and others have changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MergeResult, merge, type State } from './merge.ts';

const CASES: readonly (readonly [title: string, base: State, wanted: State, now: State, result: MergeResult])[] = [
  ['nobody has changed it', 'a', 'a', 'a', 'keep'],
  ['only others have changed it', 'a', 'a', 'b', 'keep'],
  ['only others have removed it', 'a', 'a', undefined, 'keep'],
  ['only the sender has changed it', 'a', 'b', 'a', 'take'],
  ['only the sender has removed it', 'a', undefined, 'a', 'take'],
  ['only the sender has created it', undefined, 'b', undefined, 'take'],
  ['only others have created it', undefined, undefined, 'b', 'keep'],
  ['both have changed it alike', 'a', 'b', 'b', 'keep'],
  ['both have removed it', 'a', undefined, undefined, 'keep'],
  ['both have created it alike', undefined, 'b', 'b', 'keep'],
  ['both have changed it differently', 'a', 'b', 'c', 'collide'],
  ['both have created it differently', undefined, 'b', 'c', 'collide'],
  ['the sender has changed and others have removed it', 'a', 'b', undefined, 'collide'],
  ['the sender has removed and others have changed it', 'a', undefined, 'b', 'collide'],
];

for (const [title, base, wanted, now, result] of CASES)
  test(`an entity is merged: ${title}`, () => assert.equal(merge(base, wanted, now), result));
