// A login leads only to pages of this server, for every return address in the link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_PAGE, returnPath } from './return-address.ts';

test('a path of this server is kept with its query and its fragment', () => {
  for (const path of ['/agents', '/agents?q=linux&x=1', '/pipelines/a/1/b/2#log', '/a%2Fb']) assert.equal(returnPath(path), path);
});

test('any other return address is replaced by the first page', () => {
  const external = [
    null,
    '',
    'agents',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    `/${'a'.repeat(2000)}`,
  ];
  for (const text of external) assert.equal(returnPath(text), FIRST_PAGE, String(text));
});
