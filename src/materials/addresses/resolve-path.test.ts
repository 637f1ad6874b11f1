import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isOfProcesses, resolvePath } from './resolve-path.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-way-')));
mkdirSync(join(root, 'a', 'b'), { recursive: true });
mkdirSync(join(root, 'links'));
writeFileSync(join(root, 'file'), '');
symlinkSync('../a/b', join(root, 'links', 'near'));
symlinkSync('near/..', join(root, 'links', 'back'));
symlinkSync('circle', join(root, 'links', 'circle'));
symlinkSync('missing', join(root, 'links', 'dangling'));
after(() => rmSync(root, { recursive: true }));

const leads = (path: string, from = root) => resolvePath(path, from, () => {});

test('the way is that of the system', () => {
  for (const path of ['a/../a/b', 'links/near', 'links/near/..', 'links/back/b', './/links//near/../b/.', '../../../../../../..', 'file'])
    assert.equal(leads(path), realpathSync.native(`${root}/${path}`), path);
  assert.equal(leads(`${root}/links/near`, '/'), join(root, 'a', 'b'));
});

test('a missing path leads to itself, and nowhere back', () => {
  assert.equal(leads('a/new/x'), join(root, 'a', 'new', 'x'));
  assert.equal(leads('links/dangling/x'), join(root, 'links', 'missing', 'x'));
  assert.equal(leads('file/x'), join(root, 'file', 'x'));
  for (const path of ['a/new/..', 'a/new/x/../../b', 'links/dangling/..', 'file/..']) assert.throws(() => leads(path), /uses \.\./, path);
});

test('characters that no path can have, and circles of links', () => {
  assert.throws(() => leads('links/circle'), /too many links/);
  assert.throws(() => leads('a\0b'), /no path can have/);
});

test('each place that is entered is reported, and none after the first that is refused', () => {
  const entered: string[] = [];
  resolvePath('links/near/..', root, (path) => entered.push(path.slice(root.length)));
  assert.deepEqual(entered, ['/links', '/links/near', '/a', '/a/b']);
  const refuse = (path: string) => {
    if (path.endsWith('/a')) throw new Error('closed');
  };
  assert.throws(() => resolvePath('links/near/x', root, refuse), /closed/);
});

test('the files of processes are known wherever they are mounted', { skip: process.platform !== 'linux' }, () => {
  assert.ok(isOfProcesses('/proc'));
  assert.ok(!isOfProcesses(root));
});
