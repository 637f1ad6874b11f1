// Symbolic links in real git repositories: followed where they stay inside, and never on a disk.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openFiles } from '../../../src/materials/files/open-files.ts';
import { gitClient } from '../../../src/materials/types/git/git-client.ts';
import type { GitMaterial } from '../../../src/materials/types/git/material.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { GitOrigin } from '../support/git-origin.ts';
import { Lab, pollAll } from '../support/polling.ts';
import { idsOf, pathsOf, readChanges, yamlFiles } from './support.ts';

const lab = new Lab();
before(() => ensureDebianPackages(['git']));
after(() => lab.remove());

const materialOf = (url: string): GitMaterial => ({ type: 'git', fingerprint: 'f', url, branch: 'main' });

function link(origin: GitOrigin, links: Readonly<Record<string, string>>): void {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(origin.path, path)), { recursive: true });
    rmSync(join(origin.path, path), { force: true });
    symlinkSync(target, join(origin.path, path));
  }
}

test('files and folders behind links are read, except links that must not be followed', async () => {
  const secret = lab.newPath('secret.yaml');
  writeFileSync(secret, 'of this machine');
  const origin = await GitOrigin.make(lab.newPath('origin'));
  link(origin, {
    'link.yaml': 'a.yaml',
    'deep/er/up.yaml': '../../a.yaml',
    folder: 'real/ü folder',
    'stolen.yaml': secret,
    'climb.yaml': `../../../../../../../../..${secret}`,
    'config.yaml': '.git/config',
    'circle.yaml': 'circle2.yaml',
    'circle2.yaml': 'circle.yaml',
    'real/back': '..',
    outside: lab.directory,
  });
  const tip = await origin.commit('one', { 'a.yaml': 'a', 'real/ü folder/b.yaml': 'b', 'real/ü folder/c.txt': 'c' });
  const changes = await readChanges(materialOf(origin.path), tip, lab.context());
  assert.deepEqual(changes.texts, {
    'a.yaml': 'a',
    'deep/er/up.yaml': 'a',
    'folder/b.yaml': 'b',
    'link.yaml': 'a',
    'real/ü folder/b.yaml': 'b',
  });
  assert.deepEqual(changes.problems.map(({ message }) => message).toSorted(), [
    'circle.yaml is a symbolic link that leads back to itself.',
    'circle2.yaml is a symbolic link that leads back to itself.',
    'climb.yaml is a symbolic link that leads out of the repository.',
    'config.yaml is a symbolic link that leads to nothing in the repository.',
    'stolen.yaml is a symbolic link that leads out of the repository.',
  ]);
  assert.deepEqual(changes.notes, [{ path: 'outside', message: 'outside is a symbolic link that leads out of the repository.' }]);
});

test('a change of the target of a link is a change of the link, and only of that', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const material = materialOf(origin.path);
  const context = lab.context();
  const one = await origin.commit('one', { 'real.txt': 'one', 'other.yaml': 'o' });
  const plain = await readChanges(material, one, context);
  link(origin, { 'link.yaml': 'real.txt' });
  const first = await readChanges(material, await origin.commit('link'), context, plain.cursor);
  assert.equal(first.isComplete, true, 'a link came');
  assert.deepEqual(first.texts, { 'link.yaml': 'one', 'other.yaml': 'o' });
  const second = await readChanges(material, await origin.commit('two', { 'real.txt': 'two' }), context, first.cursor);
  assert.equal(second.isComplete, true);
  assert.equal(second.texts['link.yaml'], 'two');
  const changed = Object.keys(idsOf(second)).filter((path) => idsOf(second)[path] !== idsOf(first)[path]);
  assert.deepEqual(changed, ['link.yaml'], 'the ids show what need not be read again');
  rmSync(join(origin.path, 'link.yaml'));
  const third = await readChanges(material, await origin.commit('no link'), context, second.cursor);
  assert.deepEqual([third.isComplete, pathsOf(third.changed)], [true, ['other.yaml']]);
  const more = await origin.commit('more', { 'other.yaml': 'O' });
  await pollAll(gitClient, material, undefined, context);
  const fourth = await readChanges(material, more, context, third.cursor);
  assert.deepEqual([fourth.isComplete, fourth.texts], [false, { 'other.yaml': 'O' }]);
});

test('the bytes of a file that two links lead to can be transferred twice', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  link(origin, { 'link.yaml': 'a.yaml', 'link2.yaml': 'a.yaml' });
  const tip = await origin.commit('one', { 'a.yaml': 'same', 'b.yaml': 'same' });
  const files = await openFiles(materialOf(origin.path), tip, lab.context());
  const { changed } = await files.changes(undefined, yamlFiles);
  const contents: string[] = [];
  for await (const file of files.read(changed)) {
    assert.ok('bytes' in file);
    contents.push(Buffer.from(structuredClone(file.bytes, { transfer: [file.bytes.buffer as ArrayBuffer] })).toString());
  }
  assert.deepEqual(contents, ['same', 'same', 'same', 'same']);
});

test('links that make too many paths are refused', async () => {
  for (const [name, message] of [
    ['a.yaml', /More than 20,000 files match/],
    ['a.txt', /Symbolic links lead to more than 500,000 files\./],
  ] as const) {
    const origin = await GitOrigin.make(lab.newPath('origin'));
    for (let level = 0; level < 24; level++) link(origin, { [`d${level}/x`]: `../d${level + 1}`, [`d${level}/y`]: `../d${level + 1}` });
    const tip = await origin.commit('bomb', { [`d24/${name}`]: 'a' });
    await assert.rejects(readChanges(materialOf(origin.path), tip, lab.context()), message);
  }
});

test('a link whose target is too long for a path is a problem', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const long = 'x'.repeat(10_000);
  origin.fastImport(
    `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\nM 120000 inline long.yaml\ndata ${long.length}\n${long}\n\n`,
  );
  const { problems } = await readChanges(materialOf(origin.path), await origin.tip('main'), lab.context());
  assert.deepEqual(problems, [{ path: 'long.yaml', message: 'long.yaml is a symbolic link that leads to nothing in the repository.' }]);
});
