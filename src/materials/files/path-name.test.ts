import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameProblem } from './path-name.ts';

test('usual and unusual names of files are allowed', () => {
  for (const path of ['a', 'a/b c/ü 日本.yaml', '.hidden/..a', '-x', 'a"b\'c', 'a\\b']) assert.equal(nameProblem(path), undefined, path);
});

test('paths that are no names of files are refused with the reason', () => {
  for (const path of ['', '/a', 'a/', 'a//b', '.', 'a/./b', '..', 'a/../b', '../a'])
    assert.match(nameProblem(path)!, /does not lead straight to a file/);
  for (const path of ['a\0b', 'a\nb', 'a\rb', '\x7f']) assert.match(nameProblem(path)!, /control character/);
  assert.match(nameProblem('a\uFFFD')!, /not written in UTF-8/);
  assert.match(nameProblem('x'.repeat(5000))!, /more than 4096 characters/);
});
