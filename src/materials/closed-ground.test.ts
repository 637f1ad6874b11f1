import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { mustBeOpen } from './closed-ground.ts';
import { placesOfRepository } from './git/places.ts';
import { placesOfRepository as placesOfHg } from './hg/places.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-ground-'));
const closedTo = join(root, 'data');
const directory = join(closedTo, 'pipelines', 'one');
const outside = join(root, 'data-outside');
mkdirSync(directory, { recursive: true });
mkdirSync(outside);
symlinkSync(closedTo, join(outside, 'link'));
after(() => rmSync(root, { recursive: true }));

const REFUSED = /^Error: The address leads into the data directory of this server\.$/;

test('no way leads into the directory', () => {
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
  ];
  for (const url of ways) assert.throws(() => mustBeOpen(url, { closedTo, directory }), REFUSED, url);
});

test('other addresses do not matter', () => {
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
    mustBeOpen(url, { closedTo, directory });
  }
  mustBeOpen(closedTo, { directory });
});

test('no repository of git outside borrows from within', () => {
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
    folder('padded', { '.git': `gitdir: ${secret}${'\n'.repeat(100_000)}` }),
  ];
  symlinkSync(join(secret, 'objects'), join(outside, 'objects-elsewhere'));
  for (const url of ways)
    assert.throws(
      () => mustBeOpen(url, { closedTo, directory }, placesOfRepository),
      /^Error: The (?:address leads|repository borrows)/,
      url,
    );
  const circle = folder('circle', { 'objects/info/alternates': `${outside}/circle/objects\n` });
  for (const url of [circle, outside, '/dev/zero', root]) mustBeOpen(url, { closedTo, directory }, placesOfRepository);
});

test('no repository of Mercurial outside shares a store within', () => {
  const sharing = (name: string, path: string) => {
    const repository = join(outside, name);
    mkdirSync(join(repository, '.hg'), { recursive: true });
    writeFileSync(join(repository, '.hg', 'sharedpath'), `${path}\n`);
    return repository;
  };
  for (const url of [sharing('far', join(closedTo, 'x', '.hg')), sharing('near', '../../../data/x/.hg')])
    assert.throws(() => mustBeOpen(url, { closedTo, directory }, placesOfHg), REFUSED, url);
  mustBeOpen(sharing('other', join(outside, 'x', '.hg')), { closedTo, directory }, placesOfHg);
});
