import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteRangeOf } from './byte-range.ts';

for (const [header, bytes, expected] of [
  [undefined, 10, undefined],
  ['bytes=0-3', 10, { start: 0, end: 3 }],
  ['bytes=4-', 10, { start: 4, end: 9 }],
  ['bytes=4-100', 10, { start: 4, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-30', 10, { start: 0, end: 9 }],
  ['bytes=9-9', 10, { start: 9, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'unsatisfiable'],
  ['bytes=3-1', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=0-1,4-5', 10, undefined],
  ['lines=0-1', 10, undefined],
  ['bytes=a-b', 10, undefined],
] as const) {
  test(`${header} of ${bytes} bytes`, () => assert.deepEqual(byteRangeOf(header, bytes), expected));
}
