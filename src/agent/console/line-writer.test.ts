import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LineEnds, LineWriter, linePrefix, linesOf } from './line-writer.ts';

const TIME = new Date(2026, 0, 31, 7, 8, 9, 5);
const PREFIX = '&1|07:08:09.005 ';

function through(pieces: readonly (string | Buffer)[]): string {
  const [ends, writer] = [new LineEnds(), new LineWriter('&1')];
  const written = [...pieces.map((piece) => writer.write(ends.write(Buffer.from(piece)), TIME)), writer.end(TIME)];
  return written.map((one) => one?.toString() ?? '').join('');
}

test('a line begins with the tag and the time', () => assert.equal(linePrefix('&1', TIME), PREFIX));

describe('lines', () => {
  for (const [name, pieces, lines] of [
    ['one line', ['a\n'], ['a']],
    ['several lines in one piece', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one line in several pieces', ['a', 'b', 'c\nd', '\n'], ['abc', 'd']],
    ['a last line without an end', ['a\nb'], ['a', 'b']],
    ['no line', [''], []],
    ['line breaks of Windows', ['a\r\nb\r', '\nc\r\n'], ['a', 'b', 'c']],
    ['the steps of a progress bar', ['10%\r20%\r', '30%\n'], ['10%', '20%', '30%']],
    ['a character in two pieces', [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], ['ä']],
    ['bytes that are no text', [Buffer.from([0x61, 0xff, 0x62, 0x0a])], ['a\uFFFDb']],
  ] as const) {
    test(`lines are written: ${name}`, () => assert.equal(through(pieces), lines.map((line) => `${PREFIX}${line}\n`).join('')));
  }

  test('a line without an end is broken into parts, but never within a character', () => {
    const text = 'ä'.repeat(400_000);
    const lines = through([`x${text}`.slice(0, 200_001), text.slice(200_000)]).split('\n');
    assert.ok(lines.length > 2);
    assert.ok(lines.every((line) => !line.includes('\uFFFD') && line.length < 300_000));
    assert.equal(lines.map((line) => line.slice(PREFIX.length)).join(''), `x${text}`);
  });
});

test('every line of a text of the agent has the prefix', () => {
  assert.equal(linesOf('##', 'a\nb\n', TIME).toString(), '##|07:08:09.005 a\n##|07:08:09.005 b\n');
});
