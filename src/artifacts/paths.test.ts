import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersAbove, pathProblem } from './paths.ts';

const ALLOWED = [
  'a',
  'a/b.txt',
  'with blank/ and more',
  'größe/日本語/🚢.txt',
  '...',
  '.hidden/..b',
  'a:b=c?*',
  'cruise-output/other.log',
  'sub/cruise-output/console.log',
  'pluggable-artifact-metadata/docker.json',
  'x'.repeat(255),
  'ü'.repeat(127),
  `${'a/'.repeat(99)}b`,
  Array.from({ length: 16 }, () => 'x'.repeat(255)).join('/'),
];

const REFUSED: readonly (readonly [path: string, why: RegExp])[] = [
  ['', /is empty/],
  ['/etc/passwd', /relative/],
  ['a//b', /empty/],
  ['a/', /empty/],
  ['.', /parts/],
  ['./a', /parts/],
  ['a/./b', /parts/],
  ['..', /parts/],
  ['../a', /parts/],
  ['a/../b', /parts/],
  ['a/..', /parts/],
  ['a\\b', /backslash/],
  ['..\\a', /backslash/],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\u007f', /control/],
  ['a\u0085', /control/],
  ['\ud800', /Unicode/],
  ['x'.repeat(256), /255 bytes/],
  ['ü'.repeat(128), /255 bytes/],
  [`${Array.from({ length: 16 }, () => 'x'.repeat(255)).join('/')}/x`, /4096 bytes/],
  [`${'a/'.repeat(100)}b`, /more than 100 parts/],
  ['cruise-output/console.log', /the server itself/],
  ['cruise-output/console.state', /the server itself/],
  ['cruise-output/md5.checksum', /the server itself/],
  ['cruise-output/md5.checksum/x', /the server itself/],
  ['cruise-output/console.log/x/y', /the server itself/],
  ['CRUISE-OUTPUT/Console.LOG', /the server itself/],
];

for (const path of ALLOWED) test(`${JSON.stringify(path.slice(0, 40))} is allowed`, () => assert.equal(pathProblem(path), undefined));

for (const [path, why] of REFUSED)
  test(`${JSON.stringify(path.slice(0, 40))} is refused`, () => {
    const problem = pathProblem(path);
    assert.match(problem!, why);
    assert.ok(problem!.length < 400);
  });

test('the folders above a path are those that it lies in', () => {
  assert.deepEqual([...foldersAbove(['a/b/c.txt'])], ['a/b', 'a']);
  assert.deepEqual([...foldersAbove(['a'])], []);
  assert.deepEqual([...foldersAbove(['a/b/c', 'a/b/d', 'a/e/f'])], ['a/b', 'a', 'a/e']);
});

test('on Windows, names that lead to other files are refused', () => {
  const names = [
    'cruise-output/console.log::$DATA',
    'cruise-output./console.log',
    'cruise-output/console.log.',
    'cruise-output /md5.checksum',
  ];
  for (const path of [...names, 'a:b', 'x/NUL', 'con.txt', 'a/COM1', 'what?', 'a*']) {
    assert.match(pathProblem(path, 'win32') ?? '', /runs on Windows/, path);
    assert.equal(pathProblem(path, 'linux'), undefined, path);
  }
  for (const path of ['a b/c.d', 'console', 'com10', 'nullable.txt']) assert.equal(pathProblem(path, 'win32'), undefined, path);
});
