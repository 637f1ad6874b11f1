import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOf, treeOf } from './listing.ts';

const AT = 'http://x/files/p/1/s/1/j';

test('folders hold their files, and each has its address', () => {
  assert.deepEqual(treeOf(['a b.txt', 'dist/', 'lib/ü.jar', 'lib/x/y'], AT, new Map([['lib/x/y', 7]])), [
    { name: 'a b.txt', url: `${AT}/a%20b.txt`, type: 'file' },
    { name: 'dist', url: `${AT}/dist`, type: 'folder', files: [] },
    {
      name: 'lib',
      url: `${AT}/lib`,
      type: 'folder',
      files: [
        { name: 'ü.jar', url: `${AT}/lib/%C3%BC.jar`, type: 'file' },
        { name: 'x', url: `${AT}/lib/x`, type: 'folder', files: [{ name: 'y', url: `${AT}/lib/x/y`, type: 'file', size: 7 }] },
      ],
    },
  ]);
});

test('a folder is listed once, also when another name sorts between its files', () => {
  const tree = treeOf(['a-b', 'a/1', 'a/2'], AT);
  assert.deepEqual(
    tree.map(({ name }) => name),
    ['a-b', 'a'],
  );
});

test('names of objects are names like all others', () => {
  assert.deepEqual(
    treeOf(['__proto__/constructor'], AT).map(({ name, type }) => [name, type]),
    [['__proto__', 'folder']],
  );
});

test('a list ends before the addresses of its folders take too much room', () => {
  const deep = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(4, '0')}/${'a/'.repeat(90)}x`);
  const maxBytes = 1024 * 1024;
  const first = firstOf(deep, AT, maxBytes);
  assert.ok(first.length > 10 && first.length < 100, String(first.length));
  assert.deepEqual(first, deep.slice(0, first.length));
  assert.ok(JSON.stringify(treeOf(first, AT)).length < 2 * maxBytes);
  // Many files in one folder are a list like any other, and a page has at least one path: otherwise a client would never get to the next.
  const flat = deep.map((_, index) => `${'a/'.repeat(90)}${String(index).padStart(4, '0')}`);
  assert.equal(firstOf(flat, AT, maxBytes).length, flat.length);
  assert.deepEqual(firstOf(deep, AT, 1), deep.slice(0, 1));
  assert.deepEqual(firstOf([], AT), []);
});
