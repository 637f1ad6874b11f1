// The sections of a console.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineBlock } from './lines.ts';
import { Sections } from './sections.ts';

const at = (second: number) => `09:30:0${second}.000`;

function block(lines: readonly string[], first = 0, offset = 0): LineBlock {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return { first, last: first + lines.length - 1, bytes, offset, isCut: false };
}

const LINES = [
  `##|${at(0)} Start`,
  `pr|${at(0)} Checking out`,
  `pr|${at(1)} Done`,
  `##|${at(1)} Start to build`,
  `!!|${at(1)} Task: make`,
  `&1|${at(2)} hello`,
  'without a tag',
  `?0|${at(3)} Task status: passed`,
  `!!|${at(3)} Task: make test`,
  `&2|${at(4)} !!|not the beginning of anything`,
  `!x|${at(5)} On cancel: clean`,
  `&1|${at(5)} cleaning`,
  `x1|${at(6)} failed`,
  `^C|${at(7)} Task status: cancelled`,
  `ar|${at(8)} Uploading`,
  `ae|${at(8)} No such file`,
  `j1|${at(9)} failed`,
];
const SHOWN = [
  ['preparation', 1, 2, null, at(0), at(1)],
  ['task', 4, 7, 'passed', at(1), at(3)],
  ['task', 8, 13, 'cancelled', at(3), at(7)],
  ['on_cancel', 10, 12, 'failed', at(5), at(6)],
  ['artifacts', 14, 15, null, at(8), at(8)],
];
const shown = ({ list }: Sections) => list.map(({ kind, line, end, result, time }) => [kind, line, end?.line, result, time, end?.time]);

test('tasks, their on-cancel tasks and the sections around them are found', () => {
  const sections = new Sections();
  sections.take(block(LINES));
  assert.deepEqual(shown(sections), SHOWN);
  assert.deepEqual([sections.lines, sections.isCut], [LINES.length, false]);
  const text = `${LINES.join('\n')}\n`;
  for (const { line, offset } of sections.list) assert.ok(text.slice(offset).startsWith(LINES[line]!));
  assert.equal(sections.list[1]!.text, 'Task: make');
});

test('the sections are the same however the lines are split', () => {
  for (const size of [1, 2, 3, 5]) {
    const sections = new Sections();
    let offset = 0;
    for (let first = 0; first < LINES.length; first += size) {
      const part = block(LINES.slice(first, first + size), first, offset);
      offset += part.bytes.length;
      sections.take(part);
    }
    assert.deepEqual(shown(sections), SHOWN, `in parts of ${size}`);
    assert.equal(sections.bytes, offset);
  }
});

test('a running task has no end yet; an unfinished one ends where the next begins', () => {
  const sections = new Sections();
  sections.take(block([`!!|${at(1)} one`, `&1|${at(2)} x`, `!!|${at(3)} two`, `&1|${at(4)} y`]));
  assert.deepEqual(
    sections.list.map(({ end, result }) => [end?.line, result]),
    [
      [1, null],
      [undefined, null],
    ],
  );
});

test('no more than 10,000 sections are kept', () => {
  const sections = new Sections();
  sections.take(block(Array.from({ length: 10_001 }, () => `!!|${at(1)} again`)));
  assert.deepEqual([sections.list.length, sections.isCut], [10_000, true]);
});
