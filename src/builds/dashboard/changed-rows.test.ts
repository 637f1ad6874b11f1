import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangedRows } from './changed-rows.ts';

const change = (version: number) => ({ version, key: `p${version}`, name: `P${version}`, from: undefined });
const versions = (changes: ChangedRows, since: number) => changes.since(since)?.map(({ version }) => version);

test('the changes since a version are remembered', () => {
  const changes = new ChangedRows(10);
  for (const version of [1, 2, 3]) changes.add(change(version));
  assert.deepEqual(versions(changes, 0), [1, 2, 3]);
  assert.deepEqual(versions(changes, 2), [3]);
  assert.deepEqual(versions(changes, 3), []);
});

test('changes too long ago are forgotten, and the answer is undefined', () => {
  const changes = new ChangedRows(4);
  for (const version of [1, 2, 3, 4, 5]) changes.add(change(version));
  assert.equal(versions(changes, 1), undefined);
  assert.deepEqual(versions(changes, 2), [3, 4, 5]);
  changes.beginAt(5);
  assert.equal(versions(changes, 4), undefined);
  assert.deepEqual(versions(changes, 5), []);
});
