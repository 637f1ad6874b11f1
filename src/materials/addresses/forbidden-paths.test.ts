import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { followGit } from '../types/git/followed-paths.ts';
import { followHg } from '../types/hg/followed-paths.ts';
import { allowedPath } from './forbidden-paths.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-ground-'));
const closedTo = join(root, 'data');
const localFolders: readonly string[] = [];
const directory = join(closedTo, 'pipelines', 'one');
const outside = join(root, 'data-outside');
mkdirSync(directory, { recursive: true });
mkdirSync(outside);
symlinkSync(closedTo, join(outside, 'link'));
mkdirSync(join(root, 'a', 'b', 'c'), { recursive: true });
symlinkSync(join(root, 'a', 'b', 'c'), join(outside, 'far'));
symlinkSync('far', join(outside, 'farther'));
symlinkSync('/proc/self/cwd', join(outside, 'process'));
after(() => rmSync(root, { recursive: true }));

const REFUSED = /^Error: The address leads into the data directory of this server\.$/;
const PER_PROCESS = /^Error: The address leads through a folder like \/proc\/self, which is different for every program\.$/;

test('every address that leads into the data directory is refused', () => {
  const ways = [
    closedTo,
    `${closedTo}/`,
    join(closedTo, 'history.git'),
    join(outside, 'link', 'pipelines'),
    `${outside}/../data/x`,
    '../two/mirror.git',
    'mirror.git',
    `file://${closedTo}/x`,
    `file:${closedTo}/x`,
    `FILE://localhost${closedTo}/x`,
    `file://${closedTo.replace(basename(closedTo), '%64ata')}/x`,
    `file://${closedTo.slice(1)}/x`,
    `${outside}/far/../../../data/x`,
    `${outside}/farther/../../../data/x`,
    `file://${outside}/far/%2e%2e/..%2F../data/x`,
    `file://${root}/%64ata/%zz`,
    `${outside}/link/../a`,
    'file:../two/mirror.hg',
    'file:mirror.hg',
    './~/x',
  ];
  for (const url of ways) assert.throws(() => allowedPath(url, { closedTo, localFolders, directory }), REFUSED, url);
});

test('no path leads through folders that every process has for itself', () => {
  for (const path of [
    '/proc',
    '/proc/self/cwd/../../../history.git',
    '/proc/1/root',
    '/dev/fd/3',
    '/dev/stdin',
    '/dev/../proc/self/root/x',
  ])
    for (const url of [path, `file://${path}`, `FILE://localhost${path}`, `file:${path}`, `../../../../../../../../../../../..${path}`])
      assert.throws(() => allowedPath(url, { closedTo, localFolders, directory }), PER_PROCESS, url);
  for (const url of [join(outside, 'process'), `${outside}/process/../x`, `file://${outside}/%70rocess/../x`])
    assert.throws(() => allowedPath(url, { closedTo, localFolders, directory }), PER_PROCESS, url);
});

test('the path that an address really leads to is returned', () => {
  const real = (url: string) => allowedPath(url, { closedTo, localFolders, directory });
  assert.equal(real(`${outside}/farther/../x/`), join(root, 'a', 'b', 'x'));
  assert.equal(real(`file://localhost${outside}/f%61r`), join(root, 'a', 'b', 'c'));
  assert.equal(real('../../../a/b'), join(root, 'a', 'b'));
  assert.equal(
    allowedPath('../../../a/b', { closedTo, localFolders, directory: join(closedTo, 'pipelines', 'new') }),
    join(root, 'a', 'b'),
    'not there yet',
  );
  assert.equal(real('https://host/x'), undefined);
  assert.throws(() => real(`${outside}/missing/../x`), /uses \.\./);
});

test('addresses that lead elsewhere are allowed', () => {
  for (const url of [
    outside,
    `${outside}/x`,
    `file://${outside}`,
    `file://localhost${outside}`,
    `${root}/..data`,
    `https://host${closedTo}`,
    `git@host:${closedTo}`,
    'file://%zz',
  ]) {
    allowedPath(url, { closedTo, localFolders, directory });
  }
  allowedPath(closedTo, { localFolders, directory });
});

test('a git repository outside may not borrow objects from the data directory', () => {
  const secret = join(closedTo, 'history.git');
  const folder = (name: string, files: Readonly<Record<string, string>>) => {
    const path = join(outside, name);
    mkdirSync(join(path, 'objects', 'info'), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    return path;
  };
  mkdirSync(join(secret, 'objects'), { recursive: true });
  const borrowing = folder('borrowing', { 'objects/info/alternates': `# a word\n\n${secret}/objects\n` });
  const ways = [
    folder('file', { '.git': `gitdir: ${secret}\n` }),
    folder('relative', { '.git': 'gitdir: ../../data/history.git' }),
    folder('worktree', { commondir: secret }),
    borrowing,
    `file://${borrowing}`,
    folder('twice', { 'objects/info/alternates': '../../borrowing/objects\n' }),
    join(folder('bare.git', { commondir: `${secret}\n` }), '..', 'bare'),
    folder('long', { 'objects/info/alternates': '#'.repeat(2_000_000) }),
    folder('quoted', { 'objects/info/alternates': `"${secret}/objects"\n` }),
    folder('linked', { 'objects/info/alternates': `${outside}/objects-elsewhere\n` }),
    folder('by-link', { '.git': `gitdir: ${outside}/far/../../../data/history.git` }),
    folder('by-process', { '.git': 'gitdir: /proc/self/cwd/../x' }),
    folder('worktree-by-process', { commondir: '/proc/self/cwd' }),
    folder('borrowing-by-process', { 'objects/info/alternates': '/proc/self/cwd/../x\n' }),
    folder('borrowing-by-link', { 'objects/info/alternates': `${outside}/far/../../../data/x\n` }),
    folder('of-another-name', { 'objects/info/alternates': `${outside}/store\n` }),
    folder('padded', { '.git': `gitdir: ${secret}${'\n'.repeat(100_000)}` }),
  ];
  symlinkSync(join(secret, 'objects'), join(outside, 'objects-elsewhere'));
  mkdirSync(join(outside, 'store', 'info'), { recursive: true });
  writeFileSync(join(outside, 'store', 'info', 'alternates'), `${secret}/objects\n`);
  for (const url of ways)
    assert.throws(
      () => allowedPath(url, { closedTo, localFolders, directory }, followGit),
      /^Error: The (?:address leads|repository borrows)/,
      url,
    );
  const circle = folder('circle', { 'objects/info/alternates': `${outside}/circle/objects\n` });
  const dangling = folder('dangling', { 'objects/info/alternates': `${outside}/gone/objects\n` });
  for (const url of [circle, dangling, outside, '/dev/zero', root]) allowedPath(url, { closedTo, localFolders, directory }, followGit);
});

test('nothing that programs read of a repository is a link into the data directory', () => {
  const linking = (link: string) => {
    const repository = join(outside, `linking-${link.replaceAll('/', '-')}`);
    mkdirSync(dirname(join(repository, link)), { recursive: true });
    symlinkSync(join(closedTo, 'cipher.key'), join(repository, link));
    return repository;
  };
  for (const link of ['.hg/hgrc', '.hg/requires', '.hg/store/requires', '.hg/sharedpath', '.hg/store/00changelog.i', '.hg/store/data'])
    assert.throws(() => allowedPath(linking(link), { closedTo, localFolders, directory }, followHg), REFUSED, link);
  for (const link of ['config', '.git/config', 'objects/info/alternates', 'objects/pack/pack-1.pack', 'refs/heads', '.git/shallow'])
    assert.throws(() => allowedPath(linking(link), { closedTo, localFolders, directory }, followGit), REFUSED, link);
});

test('a Mercurial repository outside may not share a store in the data directory', () => {
  const sharing = (name: string, path: string) => {
    const repository = join(outside, name);
    mkdirSync(join(repository, '.hg'), { recursive: true });
    writeFileSync(join(repository, '.hg', 'sharedpath'), `${path}\n`);
    return repository;
  };
  for (const url of [
    sharing('far', join(closedTo, 'x', '.hg')),
    sharing('near', '../../../data/x/.hg'),
    sharing('by-link', `${outside}/far/../../../data/x`),
  ])
    assert.throws(() => allowedPath(url, { closedTo, localFolders, directory }, followHg), REFUSED, url);
  allowedPath(sharing('other', join(outside, 'x', '.hg')), { closedTo, localFolders, directory }, followHg);
  assert.throws(
    () => allowedPath(sharing('through-process', '/proc/self/cwd/.hg'), { closedTo, localFolders, directory }, followHg),
    PER_PROCESS,
  );
  const linked = sharing('store', join(outside, 'shared', '.hg'));
  mkdirSync(join(outside, 'shared', '.hg'), { recursive: true });
  symlinkSync(join(closedTo, 'x'), join(outside, 'shared', '.hg', 'store'));
  assert.throws(() => allowedPath(linked, { closedTo, localFolders, directory }, followHg), REFUSED);
});

test('a path in an allowed folder does not lead out of it', () => {
  const folder = join(root, 'allowed');
  const elsewhere = join(root, 'elsewhere.git');
  const rules = { localFolders: [folder], directory };
  const repository = (path: string) => {
    for (const part of ['objects/info', 'refs/heads']) mkdirSync(join(path, part), { recursive: true });
    writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
    return path;
  };
  const whole = repository(join(folder, 'whole.git'));
  repository(elsewhere);
  symlinkSync(elsewhere, join(folder, 'linked.git'));
  writeFileSync(join(repository(join(folder, 'borrowing.git')), 'objects', 'info', 'alternates'), `${elsewhere}/objects\n`);
  writeFileSync(join(repository(join(folder, 'sharing.git')), 'objects', 'info', 'alternates'), `${whole}/objects\n`);
  const OUTSIDE = /^Error: The address does not lead into a folder of SLIPWAY_LOCAL_REPOSITORIES/;
  const allowed = (path: string, more: object = {}) => allowedPath(path, { ...rules, ...more }, followGit);
  for (const name of ['whole.git', 'whole', 'sharing.git', 'missing.git']) allowed(join(folder, name));
  for (const name of ['linked.git', 'borrowing.git']) {
    assert.throws(() => allowed(join(folder, name)), OUTSIDE, name);
    assert.throws(() => allowed(`file://${folder}/${name}`), OUTSIDE, name);
  }
  // Only users who may name any path can name these.
  for (const path of [elsewhere, join(root, 'nothing')]) {
    allowed(path);
    assert.throws(() => allowed(path, { isLimitedToFolders: true }), OUTSIDE, path);
  }
  allowed(whole, { isLimitedToFolders: true });
  allowedPath(whole, { ...rules, localFolders: [whole], isLimitedToFolders: true }, followGit);
});
