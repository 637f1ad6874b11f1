// How differences are shown: which lines stand beside each other, which are folded, and the texts for places and values.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entityText, jsonText, pathText } from '../../../pages/kit/diff/change-text.ts';
import { type DifferenceRow, lineDifference, sectionsOf } from '../../../pages/kit/diff/line-difference.ts';

const shown = (rows: readonly DifferenceRow[]) =>
  rows.map(({ kind, before, after }) => `${kind} ${before?.text ?? ''}|${after?.text ?? ''}`);

describe('lines', () => {
  it('are the same, changed, added or removed', () => {
    const before = 'one\ntwo\nthree\nfive';
    const after = 'one\n2\nthree\nfour\nfive';
    assert.deepEqual(shown(lineDifference(before, after)), [
      'same one|one',
      'changed two|2',
      'same three|three',
      'added |four',
      'same five|five',
    ]);
    assert.deepEqual(shown(lineDifference(after, before)), [
      'same one|one',
      'changed 2|two',
      'same three|three',
      'removed four|',
      'same five|five',
    ]);
  });

  it('are numbered in their own text', () => {
    const [, second, third] = lineDifference('a\nc', 'a\nb\nc');
    assert.deepEqual(second, { kind: 'added', before: undefined, after: { number: 2, text: 'b' } });
    assert.deepEqual(third, { kind: 'same', before: { number: 2, text: 'c' }, after: { number: 3, text: 'c' } });
  });

  it('can all be new, all be gone, or be none', () => {
    assert.deepEqual(shown(lineDifference('', 'a\nb')), ['added |a', 'added |b']);
    assert.deepEqual(shown(lineDifference('a\nb', '')), ['removed a|', 'removed b|']);
    assert.deepEqual(lineDifference('', ''), []);
    assert.deepEqual(shown(lineDifference('a', 'a')), ['same a|a']);
  });

  it('lines that repeat are matched once each', () => {
    assert.deepEqual(shown(lineDifference('a\na\na', 'a\na')), ['same a|a', 'same a|a', 'removed a|']);
    assert.deepEqual(shown(lineDifference('x\na\nb\ny', 'x\nb\na\ny')), ['same x|x', 'removed a|', 'same b|b', 'added |a', 'same y|y']);
  });

  it('give back both texts unchanged', () => {
    const text = (length: number, seed: number) => Array.from({ length }, (_, at) => String((at * seed) % 7)).join('\n');
    for (const [before, after] of [
      [text(40, 3), text(35, 5)],
      [text(9, 2), text(60, 4)],
      [text(0, 1), text(3, 1)],
    ] as const) {
      const rows = lineDifference(before, after);
      assert.equal(rows.flatMap((row) => row.before?.text ?? []).join('\n'), before);
      assert.equal(rows.flatMap((row) => row.after?.text ?? []).join('\n'), after);
    }
  });

  it('lines of very large texts are replaced as a whole, in little time', () => {
    const lines = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`).join('\n');
    const rows = lineDifference(`same\n${lines('a')}`, `same\n${lines('b')}`);
    assert.equal(rows.length, 5_001);
    assert.equal(rows[1]!.kind, 'changed');
  });
});

describe('sections', () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at)).join('\n');

  it('fold lines far from a change', () => {
    const sections = sectionsOf(lineDifference(numbers(1, 30), numbers(1, 30).replace('\n15\n', '\nnew\n')));
    assert.deepEqual(
      sections.map(({ isFolded, rows }) => [isFolded, rows.length]),
      [
        [true, 11],
        [false, 7],
        [true, 12],
      ],
    );
  });

  it('leave single lines, and fold all where nothing changed', () => {
    const single = sectionsOf(lineDifference(numbers(1, 9), numbers(1, 9).replace('5', 'new')));
    assert.deepEqual(
      single.map(({ isFolded, rows }) => [isFolded, rows.length]),
      [
        [false, 1],
        [false, 7],
        [false, 1],
      ],
    );
    assert.deepEqual(
      sectionsOf(lineDifference('a\nb', 'a\nb')).map(({ isFolded }) => isFolded),
      [true],
    );
  });
});

it('entities, places and values are written for people', () => {
  assert.equal(entityText({ resource: 'environments', id: 'preview' }), 'environments preview');
  assert.equal(entityText({ resource: 'default_job_timeout', id: '' }), 'default job timeout');
  assert.equal(pathText({ path: '/environment_variables/0/a~1b~0c' }), 'environment_variables / 0 / a/b~c');
  assert.equal(pathText({ path: '' }), '');
  assert.equal(jsonText({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(jsonText(undefined), '');
});
