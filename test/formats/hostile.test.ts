// Files that want to do harm are refused with a clear word, and quickly: nothing grows, nothing overflows, nothing is thrown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonFormat, yamlFormat } from './support/formats.ts';
import { type Format, parseText } from './support/pipelines.ts';

const PIPELINE = 'p:\n    group: g\n    materials: {m: {git: u}}\n    stages: [{s: {tasks: []}}]\n';

/** Lines of aliases, each of which stands for ten times the one before. */
function laughs(levels: number, use: string, separator = ','): string {
  const lines = ['  a0: &a0 [rake: ]'];
  for (let level = 1; level <= levels; level++) {
    lines.push(
      `  a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(separator)}]`,
    );
  }
  return `common:\n${lines.join('\n')}\npipelines:\n  p:\n    group: g\n    materials: {m: {git: u}}\n    stages: [{s: {tasks: ${use}}}]\n`;
}

const chain = Array.from({ length: 300 }, (_, index) => `  a${index + 1}: &a${index + 1} [*a${index}]`).join('\n');
const long = 'x'.repeat(100_000);
const keys = Array.from({ length: 2000 }, (_, index) => `k${index}: v`).join(', ');

const YAML: readonly (readonly [title: string, source: string | Uint8Array, message: RegExp | undefined])[] = [
  ['a billion laughs', laughs(9, '*a9'), /^Too much is repeated by aliases$/],
  ['a billion laughs that nobody uses', laughs(9, '[]'), undefined],
  ['some laughs are fine', laughs(3, '*a3'), undefined],
  [
    'one long text, thousands of times',
    `common: &t ${long}\npipelines:\n  p:\n    group: g\n    environment_variables: {${Array.from({ length: 20_000 }, (_, index) => `k${index}: *t`).join(', ')}}\n`,
    /^Too much is repeated by aliases$/,
  ],
  ['a chain of aliases', `common:\n  a0: &a0 []\n${chain}\npipelines:\n`, /Nested deeper than 100 levels/],
  [
    'merges of many keys',
    `common:\n  a: &a {${keys}}\n${Array.from({ length: 2000 }, (_, index) => `  b${index}: {<<: *a}`).join('\n')}\npipelines:\n`,
    /More than 500000 keys are merged/,
  ],
  ['deep lists', `pipelines: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, /Nested deeper than 100 levels/],
  ['deep maps', `pipelines: ${'{a: '.repeat(10_000)}${'}'.repeat(10_000)}`, /Nested deeper than 100 levels/],
  ['deep dashes', '- '.repeat(10_000), /Nested deeper than 100 levels/],
  ['deep keys', '? '.repeat(10_000), /Nested deeper than 100 levels/],
  ['deep indents', Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), /Nested deeper than 100 levels/],
  ['50 MB', Buffer.alloc(50 * 1024 * 1024, 'a'), /^File is too large: 50\.0 MB$/],
  ['very many tokens', `[${'a,'.repeat(600_000)}]`, /More than 1000000 tokens/],
  ['a NUL', 'pipelines:\n  a\0b:\n', /^File has a NUL character in it$/],
  ['invalid UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]), /^File is not in UTF-8$/],
  ['UTF-16', Buffer.from(`\uFEFFpipelines:\n  ${PIPELINE}`, 'utf16le'), /^File is not in UTF-8$/],
  ['a mark at the beginning', `\uFEFFpipelines:\n  ${PIPELINE}`, undefined],
  ['lines that end as on Windows', `pipelines:\n  ${PIPELINE}`.replaceAll('\n', '\r\n'), undefined],
  ['tags that make objects', `common: !!js/function "function () { throw 1 }"\npipelines:\n  ${PIPELINE}`, undefined],
  [
    'a key of prototypes',
    `pipelines:\n  __proto__: {isAdmin: yes}\n  ${PIPELINE}`,
    /^Failed to parse pipeline __proto__; expected a hash of pipeline materials$/,
  ],
  ['an unknown key as long as a file', `${'k'.repeat(1_000_000)}: v\n`, /^k{1000}…$/],
];

describe('YAML', () => {
  for (const [title, source, message] of YAML)
    test(`hostile YAML does no harm: ${title}`, () => judged(yamlFormat, 'a.gocd.yaml', source, message));
});

describe('JSON', () => {
  for (const [title, source, message] of [
    ['deep lists', '['.repeat(100_000), /Nested deeper than 100 levels/],
    ['deep objects', '{"a":'.repeat(100_000), /Nested deeper than 100 levels/],
    ['50 MB', Buffer.alloc(50 * 1024 * 1024, ' '), /^File is too large: 50\.0 MB$/],
    ['a million blanks', ' '.repeat(1_000_000), /^File is empty$/],
    ['a million comments', '//\n'.repeat(300_000), /^File is empty$/],
    ['a NUL', '{"a": "\0"}', /^File has a NUL character in it$/],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff]), /^File is not in UTF-8$/],
    ['prototypes', '{"__proto__": {"name": "x", "group": "g"}, "constructor": 1}', /^Missing field 'name'\.$/],
  ] as const) {
    test(`hostile JSON does no harm: ${title}`, () => judged(jsonFormat, 'a.gopipeline.json', source, message));
  }
});

test('thousands of mistakes are reported in part', () => {
  const source = `pipelines:\n${Array.from({ length: 5000 }, (_, index) => `  p${index}:`).join('\n')}\n`;
  assert.equal(parseText(yamlFormat, 'a.gocd.yaml', source).problems.length, 200);
});

test('no property has been added to Object.prototype', () => {
  assert.equal(({} as { isAdmin?: unknown }).isAdmin, undefined);
  assert.equal(({} as { group?: unknown }).group, undefined);
});

function judged(format: Format, name: string, source: string | Uint8Array, message: RegExp | undefined): void {
  const file = parseText(format, name, source);
  const [problem] = file.problems;
  if (message) assert.match(problem?.message ?? 'no problem', message);
  else assert.deepEqual([file.problems, file.pipelines.map((pipeline) => pipeline.name)], [[], ['p']]);
  assert.ok(JSON.stringify(file).length < 1_000_000);
}
