import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asWritten, fileAddress, pathsIn } from './local-path.ts';

test('the paths that an address may mean', () => {
  for (const [url, ...paths] of [
    ['/a/b', '/a/b'],
    ['../a', '../a'],
    ['/a%20b', '/a%20b'],
    ['file:///a/b', '/a/b'],
    ['FILE:///a%20b', '/a b'],
    ['file:/a', '/a'],
    ['file:../a', '../a'],
    ['file://localhost/a', '/a', '/localhost/a'],
    ['file://a/b', '/b', '/a/b'],
    ['file://a', '/', '/a'],
    ['file:///%2e%2e%2Fa', '/../a'],
    ['file:///%64/%zz/%00/100%', '/d/%zz/%00/100%'],
    ['file:///%C3%BC', '/ü'],
  ] as const)
    assert.deepEqual(pathsIn(url), paths, url);
  assert.throws(() => pathsIn('file:///%ff'), /UTF-8/);
});

test('the home directory is that of the programs', (t) => {
  const { HOME } = process.env;
  t.after(() => {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  });
  process.env.HOME = '/home/cd';
  for (const [url, path] of [
    ['~', '/home/cd'],
    ['~/x', '/home/cd/x'],
    ['file:~/x', '/home/cd/x'],
    ['file:%7E/x', '/home/cd/x'],
    ['/~/x', '/~/x'],
  ] as const)
    assert.deepEqual(pathsIn(url), [path], url);
  assert.throws(() => pathsIn('~bob/x'), /write the whole path/);
  delete process.env.HOME;
  assert.throws(() => pathsIn('~/x'), /write the whole path/);
});

test('the address of a path means that path only', () => {
  for (const path of ['/a/b', '/a b/%41/ü', '/a#b?c', '/~x/$HOME', '/a:b@c']) assert.deepEqual(pathsIn(fileAddress(path)), [path]);
});

test('messages repeat the address as it was written', () => {
  assert.equal(asWritten('/link/x', '/real/x')("'/real/x' is none"), "'/link/x' is none");
  assert.equal(asWritten('file:///li%6Ek/x', '/real/x')('file:///real/x, /real/x'), 'file:///li%6Ek/x, /link/x');
  assert.equal(asWritten('https://host/x', undefined)('a'), 'a');
  assert.equal(asWritten('//', '/')('/a'), '/a');
});
