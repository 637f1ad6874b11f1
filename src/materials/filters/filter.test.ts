import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { assertLinear } from '../../../test/support/patience.ts';
import { type FilteredType, isIgnored } from './filter.ts';

const matchesPattern = (pattern: string, name: string, type: FilteredType) =>
  isIgnored([name], { patterns: [pattern], isInverted: false }, type);

/** The algorithm of the reference to the letter, with a regular expression. */
function regexOf(pattern: string, type: FilteredType): RegExp {
  const parts = pattern.replaceAll('\\', '/').split('/');
  while (parts.at(-1) === '') parts.pop();
  let source = '';
  for (const part of parts) {
    const escaped = part.replace(/[!-)+-/:-@[-`{-~]/g, '\\$&');
    if (part === '**') source += '([^/]*/)*';
    else if (part.includes('*')) source += `${escaped.replaceAll('*', '[^/]*')}/`;
    else source += `${escaped}/`;
  }
  if (source.endsWith('/')) source = source.slice(0, -1);
  if (type === 'svn') source = source.startsWith('/') ? source : `/${source}`;
  else if (source.startsWith('/')) source = source.slice(1);
  return new RegExp(`^(?:${source})$`);
}

describe('patterns', () => {
  /** pattern, names that match, names that do not: the table of GoCD. */
  const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['*.doc', ['a.doc'], ['x/a.doc', 'a.doc1', 'aXdoc']],
    ['**/*.doc', ['a.doc', 'x/y/a.doc'], ['a.pdf']],
    ['doc/**/*', ['doc/a', 'doc/x/a.txt'], ['doc', 'xdoc/a']],
    ['doc/*', ['doc/a'], ['doc/x/a']],
    ['doc/**', ['doc/', 'doc/x/'], ['doc/a.txt', 'doc/x/a.txt']],
    ['**', ['', 'x/'], ['a.txt']],
    ['**.doc', ['a.doc'], ['x/a.doc']],
    ['a?.txt', ['a?.txt'], ['ab.txt']],
    ['/doc/*', ['doc/a'], ['/doc/a']],
    ['doc', ['doc'], ['doc/a']],
    ['doc/', ['doc'], ['doc/a']],
    ['Test/**/*.*', ['Test/a/foo.txt'], ['Test/a/foo', 'test/a/foo.txt']],
    ['a\\b\\*.c', ['a/b/x.c', 'a\\b\\x.c'], ['a/x.c']],
    ['[ab]{1}+^$|(x).txt', ['[ab]{1}+^$|(x).txt'], ['a.txt']],
    ['**/über näme/*', ['über näme/a', 'x/über näme/日本'], ['uber name/a']],
    ['*/x', ['\n/x'], ['x']],
  ];

  test('patterns match what they match in GoCD', () => {
    for (const [pattern, matching, others] of TABLE) {
      for (const name of matching) assert.ok(matchesPattern(pattern, name, 'git'), `${pattern} matches ${JSON.stringify(name)}`);
      for (const name of others) assert.ok(!matchesPattern(pattern, name, 'git'), `${pattern} does not match ${JSON.stringify(name)}`);
    }
  });

  test('patterns match names with a slash at the beginning for svn', () => {
    for (const pattern of ['trunk/doc/**/*', '/trunk/doc/**/*']) {
      assert.ok(matchesPattern(pattern, '/trunk/doc/x/a.txt', 'svn'));
      assert.ok(!matchesPattern(pattern, 'trunk/doc/x/a.txt', 'svn'));
    }
    assert.ok(matchesPattern('**/*.doc', '/a.doc', 'svn'));
    assert.ok(matchesPattern('**/*.doc', '/x/y/a.doc', 'svn'));
    assert.ok(matchesPattern('*.doc', '/a.doc', 'svn'));
    assert.ok(!matchesPattern('*.doc', '/x/a.doc', 'svn'));
  });

  test('patterns match names without a slash at the beginning for every type but svn', () => {
    for (const type of ['git', 'hg', 'p4', 'tfs', 'plugin'] as const) assert.ok(matchesPattern('/doc/*', 'doc/a', type), type);
  });

  test('patterns match what the regular expression of GoCD matches, for any pattern and name', () => {
    const text = (letters: string) => fc.array(fc.constantFrom(...letters), { maxLength: 9 }).map((all) => all.join(''));
    const type = fc.constantFrom<FilteredType>('git', 'svn');
    fc.assert(
      fc.property(text('ab**//.?\\'), text('ab//.?\\'), type, (pattern, name, kind) => {
        assert.equal(matchesPattern(pattern, name, kind), regexOf(pattern, kind).test(name.replaceAll('\\', '/')), `${pattern} ${name}`);
      }),
      { numRuns: 20_000 },
    );
  });

  test('no pattern makes a name slow', async () => {
    const mismatch = (pattern: string, name: string) => assert.ok(!matchesPattern(pattern, name, 'git'));
    await assertLinear('stars', (length) => mismatch(`${'*a'.repeat(30)}b`, 'a'.repeat(length)), 4000);
    await assertLinear('folders', (length) => mismatch(`${'**/a*/'.repeat(30)}b`, 'a/'.repeat(length / 2)), 4000);
  });
});

describe('the decision', () => {
  const normal = (...patterns: string[]) => ({ patterns, isInverted: false });
  const inverted = (...patterns: string[]) => ({ patterns, isInverted: true });

  test('a change is ignored if every file matches', () => {
    assert.ok(isIgnored(['a.doc', 'b.doc'], normal('*.doc'), 'git'));
    assert.ok(isIgnored(['a.doc', 'b.txt'], normal('*.doc', '*.txt'), 'git'));
    assert.ok(!isIgnored(['a.doc', 'b.c'], normal('*.doc', '*.txt'), 'git'));
    assert.ok(!isIgnored(['a.doc'], normal(), 'git'));
  });

  test('inverted: ignored when no file matches; always with an empty filter', () => {
    assert.ok(isIgnored(['a.doc', 'b.doc'], inverted('src/**/*'), 'git'));
    assert.ok(!isIgnored(['a.doc', 'src/b.c'], inverted('src/**/*'), 'git'));
    assert.ok(isIgnored(['a.doc'], inverted(), 'git'));
  });

  test('a change without files sets off nothing, in both modes', () => {
    for (const filter of [normal(), normal('*'), inverted(), inverted('*')]) assert.ok(isIgnored([], filter, 'git'));
  });

  test('runs of other pipelines and packages are never ignored', () => {
    for (const type of ['dependency', 'package'] as const) assert.ok(!isIgnored([], normal('**/*'), type));
  });

  test('names of svn are matched', () => {
    assert.ok(isIgnored(['/trunk/a.doc'], normal('trunk/*.doc'), 'svn'));
  });
});
