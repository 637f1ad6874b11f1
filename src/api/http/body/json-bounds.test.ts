import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excessOf } from './json-bounds.ts';

const BOUNDS = { maxDepth: 3, maxValues: 10 };
const found = (text: string) => excessOf(Buffer.from(text), BOUNDS);

test('as many levels and values as allowed', () => {
  assert.equal(found('{"a":[{"b":1}]}'), undefined);
  assert.equal(found(`[${Array(10).fill(1).join()}]`), undefined);
});

test('a level too many', () => {
  assert.equal(found('[[[[]]]]'), 'too deep');
  assert.equal(found(`${'['.repeat(1000)}`), 'too deep');
});

test('far too many values', () => {
  assert.equal(found(`[${Array(30).fill(1).join()}]`), 'too many values');
  assert.equal(found(`{${Array.from({ length: 11 }, (_, index) => `"${index}":1`).join()}}`), 'too many values');
});

test('brackets and commas in strings do not count', () => {
  assert.equal(found(JSON.stringify({ a: '[[[[,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,', b: '\\"[[[[[', c: 'x\\' })), undefined);
});

test('text that is no JSON is left to the parser', () => {
  assert.equal(found('{"a'), undefined);
  assert.equal(found(']]]]"\\'), undefined);
});
