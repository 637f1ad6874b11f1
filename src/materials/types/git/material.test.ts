import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from './material.ts';

test('a material follows the ref of its branch, or the source of its refspec', () => {
  const refs: Readonly<Record<string, string>> = {
    main: 'refs/heads/main',
    ' ': 'refs/heads/master',
    'feature/ü#1': 'refs/heads/feature/ü#1',
    '-x': 'refs/heads/-x',
    'v1.2': 'refs/heads/v1.2',
    'a@b': 'refs/heads/a@b',
    'refs/pull/12/head:pr': 'refs/pull/12/head',
    'refs/tags/v1:--anything': 'refs/tags/v1',
  };
  for (const [branch, ref] of Object.entries(refs)) assert.equal(refOf(branch), ref);
});

test('a text that git would take for something else is refused', () => {
  const texts = [
    '--upload-pack=touch x:y',
    '--output=/tmp/x:y',
    ':x',
    'heads/main:x',
    'a b',
    'a\nb',
    'a\0b',
    '*',
    'refs/heads/*:refs/heads/*',
    'a..b',
    'a^',
    'a~1',
    'a?',
    'a[b]',
    'a\\b',
    'a@{1}',
    'a//b',
    '/a',
    'a/',
    'a.',
    'a/.b',
    'a.lock',
    'a.lock/b',
  ];
  for (const text of texts) assert.throws(() => refOf(text), /names neither a branch nor a ref\.$/, text);
});
