// Finding a text in lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineBlock } from './lines.ts';
import { LineSearch } from './search.ts';

const TEXT = '&1|09:30:01.000 Error: one\nplain\n&2|09:30:02.000 an ERROR and an error\nÜber error\n';

function block(text = TEXT, first = 5, offset = 100): LineBlock {
  const bytes = Buffer.from(text);
  return { first, last: first + text.split('\n').length - 2, bytes, offset, isCut: false };
}

const found = (text: string, isCaseSensitive = false, limit = 10) =>
  new LineSearch({ text, isCaseSensitive }).matchesIn(block(), limit).map(({ line, column, offset }) => [line, column, offset]);

test('a search finds each line once, with its number and its place', () => {
  assert.deepEqual(found('error'), [
    [5, 0, 100],
    [7, 3, 133],
    [8, 5, 171],
  ]);
  assert.deepEqual(found('error', true), [
    [7, 16, 133],
    [8, 5, 171],
  ]);
  assert.deepEqual(found('nothing'), []);
});

test('a search finds no more lines than asked for', () => {
  assert.deepEqual(found('error', false, 1), [[5, 0, 100]]);
});

test('a search finds nothing in tags and times', () => {
  assert.deepEqual(found('&1|'), []);
  assert.deepEqual(found('09:30', true), []);
});

test('a search ignores the letter case of other alphabets, too', () => {
  assert.deepEqual(found('über'), [[8, 0, 171]]);
  assert.deepEqual(found('über', true), []);
  assert.deepEqual(found('Über', true), [[8, 0, 171]]);
});

test('a search gives only the part of a long line around the match', () => {
  const long = `${'a'.repeat(10_000)}needle${'b'.repeat(10_000)}\n`;
  const [match] = new LineSearch({ text: 'NEEDLE', isCaseSensitive: false }).matchesIn(block(long, 0, 0), 1);
  assert.equal(match!.column, 10_000);
  assert.equal(match!.text.length, 2000);
  assert.ok(match!.text.includes('needle'));
  assert.equal(match!.is_cut, true);
});
