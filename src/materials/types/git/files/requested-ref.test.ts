import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestedRef } from './requested-ref.ts';

test('branches, refs and commits can be requested', () => {
  assert.deepEqual(requestedRef('main'), { ref: 'refs/heads/main' });
  assert.deepEqual(requestedRef('feature/ü-x@1'), { ref: 'refs/heads/feature/ü-x@1' });
  assert.deepEqual(requestedRef('refs/pull/7/head'), { ref: 'refs/pull/7/head' });
  assert.deepEqual(requestedRef('A'.repeat(40)), { commit: 'a'.repeat(40) });
  assert.deepEqual(requestedRef('0'.repeat(64)), { commit: '0'.repeat(64) });
  assert.deepEqual(requestedRef('+main'), { ref: 'refs/heads/+main' });
  assert.deepEqual(requestedRef('abc1234'), { ref: 'refs/heads/abc1234' });
});

test('texts that git could take for something else are refused', () => {
  const tricks = [
    '',
    '@',
    '-x',
    '--upload-pack=touch x',
    'a/-b',
    'a..b',
    '../a',
    'main:refs/heads/other',
    '*',
    'a*',
    'a b',
    'a\nb',
    'a\0b',
    'main^',
    'main~1',
    'main@{1}',
    'a\\b',
    'a[b',
    'a?',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a.lock',
    'a.lock/b',
    'x'.repeat(251),
  ];
  for (const trick of tricks) assert.equal(requestedRef(trick), undefined, JSON.stringify(trick));
});
