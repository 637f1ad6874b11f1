import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteRangeOf } from './byte-range.ts';

const CASES: readonly (readonly [header: string | undefined, size: number, range: ReturnType<typeof byteRangeOf>])[] = [
  [undefined, 10, undefined],
  ['', 10, undefined],
  ['bytes=0-', 10, { start: 0, end: 9 }],
  ['bytes=3-', 10, { start: 3, end: 9 }],
  ['Bytes = 3 - 5', 10, { start: 3, end: 5 }],
  ['bytes=9-9', 10, { start: 9, end: 9 }],
  ['bytes=3-100', 10, { start: 3, end: 9 }],
  ['bytes=-4', 10, { start: 6, end: 9 }],
  ['bytes=-40', 10, { start: 0, end: 9 }],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'unsatisfiable'],
  ['bytes=5-3', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=0-1,3-4', 10, undefined],
  ['lines=0-1', 10, undefined],
  ['bytes=a-b', 10, undefined],
];

for (const [header, size, range] of CASES) test(`${header} of ${size} bytes`, () => assert.deepEqual(byteRangeOf(header, size), range));
