import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { readJson } from './json.ts';
import type { Tree } from './tree.ts';

const SEED = Number(process.env.TEST_SEED ?? 261_115);

/** Scalars are texts. */
function plain(tree: Tree | null): unknown {
  if (tree === null) return null;
  if (tree.kind === 'text') return tree.text;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Array.from(tree.members, ([name, member]) => [name, plain(member.value)]);
}

function wanted(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(wanted);
  return typeof value === 'object' ? Object.entries(value).map(([name, member]) => [name, wanted(member)]) : String(value);
}

test('any JSON is read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const { tree, faults } = readJson(JSON.stringify(value, null, indent));
      assert.deepEqual(faults, []);
      // The text of a number is that of the file.
      assert.deepEqual(plain(tree), wanted(JSON.parse(JSON.stringify(value), (_, own) => (Object.is(own, -0) ? 0 : own))));
    }),
    { seed: SEED, numRuns: 300 },
  );
});

describe('extensions of JSON, and special cases', () => {
  for (const [title, source, expected] of [
    ['comments', '// a\n# b\n/* c\n */ [1 /* d */, 2] // e', ['1', '2']],
    ['single quotes', "{'a': 'it\\'s \"x\"'}", [['a', 'it\'s "x"']]],
    [
      'unquoted names and words',
      '{a: b, c: null}',
      [
        ['a', 'b'],
        ['c', null],
      ],
    ],
    ['a comma too many', '[1, {a: 2,},]', ['1', [['a', '2']]]],
    ['numbers as they are written', '[1.10, -1.0, 1e5]', ['1.10', '-1.0', '1e5']],
    [
      'the last of equal keys',
      '{"a": 1, "b": 2, "a": 3}',
      [
        ['a', '3'],
        ['b', '2'],
      ],
    ],
    ['escapes', '"\\u0041\\n\\t\\\\\\/\\uD83D\\uDE00"', 'A\n\t\\/😀'],
    ['lines in a text', '"a\nb"', 'a\nb'],
    ['a mark at the beginning', '\uFEFF{}', []],
    ['prototypes', '{"__proto__": 1}', [['__proto__', '1']]],
  ] as const) {
    test(`JSON may have extensions: ${title}`, () => {
      const { tree, faults } = readJson(source);
      assert.deepEqual(faults, []);
      assert.deepEqual(plain(tree), expected);
    });
  }
});
