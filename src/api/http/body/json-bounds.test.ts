import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../../test/support/patience.ts';
import { exceededBound } from './json-bounds.ts';

const BOUNDS = { maxDepth: 3, maxValues: 10, maxNames: 4 };
const found = (text: string) => exceededBound(Buffer.from(text), BOUNDS);

test('a body with as many levels and values as allowed passes', () => {
  assert.equal(found('{"a":[{"b":1}]}'), undefined);
  assert.equal(found(`[${Array(10).fill(1).join()}]`), undefined);
});

test('a body with one level too many is found', () => {
  assert.equal(found('[[[[]]]]'), 'too deep');
  assert.equal(found(`${'['.repeat(1000)}`), 'too deep');
});

test('a body with too many values is found', () => {
  assert.equal(found(`[${Array(30).fill(1).join()}]`), 'too many values');
  assert.equal(found(`{${Array.from({ length: 11 }, (_, index) => `"${index % 3}":1`).join()}}`), 'too many values');
});

test('a body with too many different names is found, at any level', () => {
  const named = (...names: readonly string[]) => `{${names.map((name) => `"${name}" : 1`).join()}}`;
  assert.equal(found(named('a', 'b', 'c', 'd')), undefined);
  assert.equal(found(`[${named('a', 'b', 'c')},${named('c', 'b', 'a')}]`), undefined, 'the same names');
  assert.equal(found(named('a', 'b', 'c', 'd', 'e')), 'too many names');
  assert.equal(found(`[${named('a', 'b', 'c')},${named('d', 'e')}]`), 'too many names');
  assert.equal(found('{"a":"b","c":"d","e":"f"}'), undefined, 'values are no names');
});

test('brackets and commas in strings do not count', () => {
  assert.equal(found(JSON.stringify({ a: '[[[[,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,', b: '\\"[[[[[', c: 'x\\' })), undefined);
});

for (const piece of [':', '"', '\\', '{"a":'])
  test(`no text takes long, such as a long one with many ${piece} behind it`, () => {
    const none = { maxDepth: 1e9, maxValues: 1e9, maxNames: 1e9 };
    return assertLinear(piece, (times) => exceededBound(Buffer.from(`"${'x'.repeat(times)}"${piece.repeat(times)}`), none), 100_000);
  });

test('text that is no JSON is left to the parser', () => {
  assert.equal(found('{"a'), undefined);
  assert.equal(found(']]]]"\\'), undefined);
});
