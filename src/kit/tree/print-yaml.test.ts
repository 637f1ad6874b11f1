import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { printYaml, type YamlMap, type YamlValue } from './print-yaml.ts';
import type { Tree } from './tree.ts';
import { readYaml } from './yaml.ts';

const SEED = Number(process.env.TEST_SEED ?? 261_115);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc
    .array(
      fc.constantFrom(
        ...['\n', '\r', ' ', '\t', ':', ': ', ' #', '#', '-', '- ', '?', '? ', '|', '>', '"', "'", '\\', '{', '}', '[', ']', ',', '%', '@'],
        ...['&a', '*a', '!t', '<<', '~', 'null', 'true', '1.5', '---', '...', '\u0000', '\u0085', '\u2028', '\uFEFF', '\uD83D', '\uDE00'],
      ),
      { maxLength: 5 },
    )
    .map((pieces) => pieces.join('')),
);
/** `<<` as a key has a meaning of its own. */
const key = text.filter((one) => one !== '<<');

const { value } = fc.letrec<{ value: YamlValue; map: YamlMap }>((tie) => ({
  map: fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs.map(([name, own]) => [name, { value: own }]))),
  value: fc.oneof({ maxDepth: 4 }, text, fc.constant(null), fc.array(tie('value'), { maxLength: 3 }), tie('map')),
}));

function plain(tree: Tree | null): unknown {
  if (tree === null) return null;
  if (tree.kind === 'text') return tree.text;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Array.from(tree.members, ([name, member]) => [name, plain(member.value)]);
}

function wanted(own: YamlValue): unknown {
  if (own instanceof Map) return Array.from(own as YamlMap, ([name, entry]) => [name, wanted(entry.value)]);
  return Array.isArray(own) ? own.map(wanted) : own;
}

describe('printed YAML', () => {
  test('is read as the value that was printed', () => {
    fc.assert(
      fc.property(value, (own) => {
        const printed = printYaml(new Map([['root', { value: own, comment: 'a comment' }]]));
        const { tree, faults, ignored } = readYaml(printed);
        assert.deepEqual([faults, ignored], [[], []], printed);
        assert.deepEqual(plain(tree), [['root', wanted(own)]], printed);
      }),
      { seed: SEED, numRuns: 500, interruptAfterTimeLimit: 5000 },
    );
  });

  test('is the same text to parsers that guess types', () => {
    fc.assert(
      fc.property(text, (own) => {
        assert.deepEqual(parse(printYaml(new Map([['root', { value: own }]]))), { root: own });
      }),
      { seed: SEED, numRuns: 500, interruptAfterTimeLimit: 5000 },
    );
  });

  test('numbers and flags are no texts', () => {
    const printed = printYaml(
      new Map<string, { value: YamlValue }>([
        ['a', { value: -1 }],
        ['b', { value: true }],
        ['c', { value: [] }],
        ['d', { value: new Map() }],
      ]),
    );
    assert.equal(printed, 'a: -1\nb: true\nc: []\nd: {}\n');
  });

  test('very long texts', () => {
    for (const long of ['a'.repeat(10_000_000), 'a b'.repeat(1_000_000), 'line\n'.repeat(100_000)]) {
      assert.ok(parse(printYaml(new Map([['root', { value: long }]]))).root === long);
    }
  });

  test('lines stay lines', () => {
    const printed = printYaml(new Map([['a', { value: ['one\ntwo', 'one\n\ntwo\n', 'one\n\n\n'] }]]));
    assert.equal(printed, 'a:\n- |-\n  one\n  two\n- |\n  one\n\n  two\n- |+\n  one\n\n\n');
  });
});
