import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavesOf, unchangedFields } from './trace.ts';

const state = (value: string) => ({
  name: 'p',
  variables: [
    { name: 'A', value },
    { name: 'B', value: 'b' },
  ],
});

test('the fields of a state come one by one', () => {
  const leaves = leavesOf(state('a'));
  assert.equal(leaves.next().value?.path, '/name');
  assert.deepEqual(
    [...leaves].map(({ path }) => path),
    ['/variables/0/name', '/variables/0/value', '/variables/1/name', '/variables/1/value'],
  );
});

test('the unchanged fields come one by one, with their places in the earlier state', () => {
  const { name, variables } = state('new');
  const unchanged = unchangedFields(state('a'), { name, variables: variables.toReversed() });
  assert.deepEqual(unchanged.next().value, ['/name', '/name']);
  assert.deepEqual(
    [...unchanged],
    [
      ['/variables/0/name', '/variables/1/name'],
      ['/variables/0/value', '/variables/1/value'],
      ['/variables/1/name', '/variables/0/name'],
    ],
  );
});
