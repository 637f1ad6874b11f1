import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExternals } from './externals-text.ts';

const base = { directoryUrl: 'https://svn.example.org/repos/app/trunk/sub', rootUrl: 'https://svn.example.org/repos/app' };
const urlsOf = (text: string) => readExternals(text, base).map(({ url, folder }) => `${folder} → ${url}`);

test('addresses of every form are resolved', () => {
  assert.deepEqual(urlsOf('^/lib one'), ['one → https://svn.example.org/repos/app/lib']);
  assert.deepEqual(urlsOf('^/../tools/trunk two'), ['two → https://svn.example.org/repos/tools/trunk']);
  assert.deepEqual(urlsOf('//other.example.org/x three'), ['three → https://other.example.org/x']);
  assert.deepEqual(urlsOf('/repos/tools four'), ['four → https://svn.example.org/repos/tools']);
  assert.deepEqual(urlsOf('../../branches/b five/deep'), ['five/deep → https://svn.example.org/repos/app/branches/b']);
  assert.deepEqual(urlsOf('svn://host/x six'), ['six → svn://host/x']);
  assert.deepEqual(urlsOf('seven https://host/x'), ['seven → https://host/x']);
});

test('quotes, escapes, comments and blank lines are read', () => {
  const text = '# comment\r\n\r\n"^/with blank" "my folder"\n^/esc\\ aped fol\\ der\n  ^/lib  indented  ';
  assert.deepEqual(urlsOf(text), [
    'my folder → https://svn.example.org/repos/app/with blank',
    'fol der → https://svn.example.org/repos/app/esc aped',
    'indented → https://svn.example.org/repos/app/lib',
  ]);
});

test('externals that stay at one revision are left out', () => {
  for (const line of ['-r 12 ^/lib one', '-r12 ^/lib one', '^/lib@12 one', 'one -r12 https://host/x', 'one -r 12 https://host/x'])
    assert.deepEqual(urlsOf(line), [], line);
  assert.deepEqual(urlsOf('^/lib@HEAD one'), ['one → https://svn.example.org/repos/app/lib']);
});

test('lines that cannot be read are left out', () => {
  for (const line of ['', 'alone', '^/lib']) assert.deepEqual(urlsOf(line), [], line);
});
