// Which paths every user may name: paths that lead straight into an allowed folder.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isGenerallyAllowed } from './generally-allowed.ts';
import { isInFolders } from './local-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-folders-'));
const allowed = join(root, 'git');
const outside = join(root, 'git-secret');
for (const path of [join(allowed, 'app'), join(outside, 'app')]) mkdirSync(path, { recursive: true });
symlinkSync(outside, join(allowed, 'out'));
symlinkSync('app', join(allowed, 'alias'));
symlinkSync(allowed, join(root, 'link'));
after(() => rmSync(root, { recursive: true }));

const open = (url: string, folders: readonly string[] = [allowed], type = 'git') => isGenerallyAllowed(type, url, folders);

test('paths in the allowed folder are allowed, whether anything is there or not', () => {
  for (const url of [
    allowed,
    `${allowed}/`,
    join(allowed, 'app'),
    join(allowed, 'missing', 'app.git'),
    join(allowed, 'alias'),
    `file://${allowed}/app`,
    `file:${allowed}/app`,
    `FILE://${allowed}/%61pp`,
    `file://bob:secret@${allowed}/app`,
  ])
    assert.ok(open(url), url);
  assert.ok(open(`${allowed}/app#branch`, [allowed], 'hg'));
  assert.ok(open(join(root, 'link', 'app'), [join(root, 'link')]), 'the folder is a link itself');
  assert.ok(open(join(allowed, 'app'), [join(root, 'link')]), 'and its path is another one');
  assert.ok(open('/anything', ['/']));
});

test('paths outside the allowed folder are refused, whether anything is there or not', () => {
  for (const url of [
    outside,
    join(outside, 'app'),
    join(root, 'missing'),
    `${allowed}-secret`,
    join(allowed, 'out'),
    join(allowed, 'out', 'app'),
    join(allowed, 'out', 'missing'),
    `${allowed}/../git-secret/app`,
    `${allowed}/app/../app`,
    `${allowed}/out/../git/app`,
    `file://${outside}/app`,
    `file://localhost${outside}/app`,
    `file://${allowed}/%2e%2e/git-secret`,
    `file:${outside}`,
    `file://host${allowed}/app`,
    'app',
    './app',
    '../app',
    'file:app',
    '~/app',
    '~bob/app',
    'C:\\repositories\\app',
    'C:/repositories/app',
    '\\\\host\\share',
    '/proc/self/cwd',
    '/',
    '.',
    ` ${allowed}/app`,
  ])
    assert.ok(!open(url), url);
  for (const url of [allowed, '/', join(allowed, 'app')]) assert.ok(!open(url, []), `${url} without folders`);
});

test('addresses of other machines are always allowed', () => {
  for (const url of ['https://host/x', 'ssh://git@host/x', 'git@host:x', 'svn://host/x', '{{SECRET:[a][b]}}'])
    assert.ok(open(url, []), url);
});

test('a folder is not its neighbour', () => {
  assert.ok(!isInFolders(`${allowed}-secret`, [allowed]));
  assert.ok(isInFolders(join(allowed, 'x'), [`${allowed}/`]));
});
