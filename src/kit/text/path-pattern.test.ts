import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PathPattern, pathPatterns } from './path-pattern.ts';

describe('patterns of paths', () => {
  for (const [pattern, matching, others] of [
    ['*.x', ['a.x', '.x', '.hidden.x'], ['a/b.x', 'a.X', 'a.xy']],
    ['**/*.x', ['a.x', 'a/b.x', 'a/b/c.x', '.git/c.x'], ['a.y', 'a/x']],
    ['a/**/b', ['a/b', 'a/c/b', 'a/c/d/b'], ['a', 'b', 'xa/b', 'a/bc']],
    ['ci/', ['ci/a', 'ci/a/b', 'ci'], ['a/ci/b', 'cix/a']],
    ['ci\\**\\?.yaml', ['ci/a.yaml', 'ci/x/b.yaml'], ['ci/ab.yaml', 'ci/.yaml']],
    ['a*b*c', ['abc', 'axxbxxc', 'abcbc'], ['ab', 'acb', 'a/bc']],
    ['?', ['a', 'é'], ['', 'ab', '/']],
    ['**', ['a', 'a/b', ''], []],
    ['./a/./b', ['a/b', './a/b', 'a//b'], ['b']],
    ['a**b', ['ab', 'axb'], ['a/b', 'a/x/b']],
    ['**/**/a', ['a', 'x/a', 'x/y/a'], ['a/x']],
    ['.+', ['.+'], ['ab']],
  ] as const) {
    test(`the pattern ${pattern} matches its paths alone`, () => {
      const compiled = new PathPattern(pattern);
      for (const path of matching) assert.ok(compiled.matches(path), `${path} matches`);
      for (const path of others) assert.ok(!compiled.matches(path), `${path} does not match`);
    });
  }

  test('a path may have backslashes', () => assert.ok(new PathPattern('a/*.x').matches('a\\b.x')));

  test('the last part of a pattern matches files that are in no folder', () => {
    assert.ok(new PathPattern('ci/**/*.json').matchesName('a.json'));
    assert.ok(!new PathPattern('ci/**/*.json').matchesName('a.yaml'));
  });

  test('several patterns are separated by commas', () => {
    const patterns = pathPatterns(' *.a ,,  b/*.c,');
    assert.equal(patterns.length, 2);
    assert.ok(patterns[1]!.matches('b/x.c'));
  });

  test('no pattern of paths makes it take for ever', () => {
    assert.ok(!new PathPattern('*a'.repeat(500)).matches('a'.repeat(5000).concat('b')));
    assert.ok(!new PathPattern('**/a/'.repeat(500).concat('b')).matches('a/'.repeat(5000).concat('c')));
  });
});
