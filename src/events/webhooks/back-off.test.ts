import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitAfter } from './back-off.ts';

test('the wait grows with each failure, up to five minutes', () => {
  assert.deepEqual(
    [1, 2, 3, 9, 10, 11, 5000].map((failures) => waitAfter(failures) / 1000),
    [1, 2, 4, 256, 300, 300, 300],
  );
});
