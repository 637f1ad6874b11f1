import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setNewest } from './newest-entries.ts';

test('the entry that was set longest ago goes when there are too many', () => {
  const map = new Map<string, number>();
  const set = (key: string, value: number) => setNewest(map, key, value, 2);
  set('one', 1);
  set('two', 2);
  set('one', 11);
  assert.deepEqual(
    [...map],
    [
      ['two', 2],
      ['one', 11],
    ],
  );
  set('three', 3);
  assert.deepEqual(
    [...map],
    [
      ['one', 11],
      ['three', 3],
    ],
  );
});
