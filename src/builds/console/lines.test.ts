import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { linesIn, readLine, writeNotice } from './lines.ts';

describe('a line', () => {
  const TABLE: Readonly<Record<string, readonly [time: string | null, tag: string | null, text: string]>> = {
    '&1|12:34:56.789 hello world': ['12:34:56.789', '&1', 'hello world'],
    '##|00:00:00.000 [Slipway] Start': ['00:00:00.000', '##', '[Slipway] Start'],
    '!!|12:34:56.789  indented': ['12:34:56.789', '!!', ' indented'],
    '^C|12:34:56.789 ': ['12:34:56.789', '^C', ''],
    '?0|12:34:56.789': ['12:34:56.789', '?0', ''],
    '&2|12:34:56.789 windows\r': ['12:34:56.789', '&2', 'windows'],
    '&1|12:34:56.789 a|b|12:34:56.789 c': ['12:34:56.789', '&1', 'a|b|12:34:56.789 c'],
    'no beginning': [null, null, 'no beginning'],
    '': [null, null, ''],
    'ab|not a time': [null, null, 'ab|not a time'],
    '&1|12:34:56.789no blank': [null, null, '&1|12:34:56.789no blank'],
    '|||12:34:56.789 a bar is no tag': [null, null, '|||12:34:56.789 a bar is no tag'],
    'é1|12:34:56.789 nor is this': [null, null, 'é1|12:34:56.789 nor is this'],
  };
  for (const [raw, [time, tag, text]] of Object.entries(TABLE)) {
    test(`the line ${JSON.stringify(raw)} is read`, () => assert.deepEqual(readLine(7, raw), { line: 7, time, tag, text }));
  }
});

test('the lines of a block are numbered from its first one on', () => {
  const bytes = Buffer.from('&1|12:34:56.789 ä\n\nend');
  assert.deepEqual(linesIn({ first: 5, last: 7, bytes, offset: 0, isCut: false }), [
    { line: 5, time: '12:34:56.789', tag: '&1', text: 'ä' },
    { line: 6, time: null, tag: null, text: '' },
    { line: 7, time: null, tag: null, text: 'end' },
  ]);
});

test('a line that is cut says so', () => {
  assert.deepEqual(linesIn({ first: 5, last: 5, bytes: Buffer.from('long'), offset: 0, isCut: true }), [
    { line: 5, time: null, tag: null, text: 'long', is_cut: true },
  ]);
});

test('a notice can be read as a line again, each line of it', () => {
  const text = writeNotice('first\nsecond', new Date(2026, 0, 2, 3, 4, 5, 6));
  assert.equal(text, '##|03:04:05.006 first\n##|03:04:05.006 second\n');
  assert.deepEqual(readLine(0, text.split('\n')[1]!), { line: 0, time: '03:04:05.006', tag: '##', text: 'second' });
});
