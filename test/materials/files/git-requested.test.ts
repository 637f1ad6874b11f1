// Branches and commits that a user asks for, of real git repositories: without disturbing the clones of polls.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openRequestedFiles } from '../../../src/materials/files/open-files.ts';
import { gitClient } from '../../../src/materials/types/git/git-client.ts';
import type { GitMaterial } from '../../../src/materials/types/git/material.ts';
import { git } from '../../support/git.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { startGitHttp } from '../support/git-http.ts';
import { GitOrigin } from '../support/git-origin.ts';
import { commandLinesDuring, filesHolding, Lab, pollAll } from '../support/polling.ts';
import { readChanges, readOpened } from './support.ts';

const lab = new Lab();
before(() => ensureDebianPackages(['git']));
after(() => lab.remove());

const materialOf = (url: string, more: Partial<GitMaterial> = {}): GitMaterial => ({
  type: 'git',
  fingerprint: 'f',
  url,
  branch: 'main',
  ...more,
});

test('branches, tags and commits are read, with and without a mirror, which stays unchanged', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const base = await origin.commit('base', { 'a.yaml': 'a', 'b.yaml': 'b' });
  await origin.run('checkout', '--quiet', '-b', 'feature/x');
  const feature = await origin.commit('feature', { 'a.yaml': 'A', 'c.yaml': 'c' });
  await origin.run('tag', '-a', '-m', 'tag', 'v1');
  await origin.run('update-ref', 'refs/pull/7/head', feature);
  await origin.run('checkout', '--quiet', 'main');
  const tip = await origin.commit('tip', { 'b.yaml': 'B' });
  const material = materialOf(origin.address);
  const context = lab.context();
  for (const hasMirror of [false, true]) {
    if (hasMirror) await pollAll(gitClient, material, undefined, context);
    const refsBefore = hasMirror ? await git(join(context.directory, 'mirror.git'), 'show-ref') : '';
    for (const asked of ['feature/x', 'refs/tags/v1', 'refs/pull/7/head', feature]) {
      const files = await openRequestedFiles(material, asked, context);
      assert.equal(files.revision, feature, asked);
      assert.deepEqual((await readOpened(files)).texts, { 'a.yaml': 'A', 'b.yaml': 'b', 'c.yaml': 'c' }, asked);
    }
    assert.deepEqual((await readOpened(await openRequestedFiles(material, base, context))).texts, { 'a.yaml': 'a', 'b.yaml': 'b' });
    assert.deepEqual(readdirSync(context.directory), hasMirror ? ['mirror.git'] : [], 'nothing is left');
    if (hasMirror) assert.equal(await git(join(context.directory, 'mirror.git'), 'show-ref'), refsBefore);
  }
  const { cursor } = await readChanges(material, tip, context);
  const different = await readOpened(await openRequestedFiles(material, 'feature/x', context), cursor);
  assert.deepEqual([different.isComplete, different.texts], [false, { 'a.yaml': 'A', 'b.yaml': 'b', 'c.yaml': 'c' }]);
});

test('refs are read with hidden credentials, two at a time, while a poll goes on', async (t) => {
  const root = lab.newPath('served');
  mkdirSync(root);
  const origin = await GitOrigin.make(join(root, 'app'));
  await origin.commit('one', { 'a.yaml': 'a' });
  await origin.run('branch', 'other');
  const login = { username: 'bob', password: 'hunter2 ü%41' };
  const server = await startGitHttp({ root, ...login });
  t.after(() => server.stop());
  const material = materialOf(`${server.url}/app`, login);
  const context = lab.context();
  await pollAll(gitClient, material, undefined, context);
  const known = await origin.tip();
  await origin.commit('two', { 'a.yaml': 'b' });
  const lines = await commandLinesDuring(async () => {
    const [one, two, polled] = await Promise.all([
      openRequestedFiles(material, 'other', context).then((files) => readOpened(files)),
      openRequestedFiles(material, 'main', context).then((files) => readOpened(files)),
      pollAll(gitClient, material, known, context),
    ]);
    assert.deepEqual([one.texts, two.texts, polled.length], [{ 'a.yaml': 'a' }, { 'a.yaml': 'b' }, 1]);
  });
  assert.ok(![...lines].some((line) => line.includes('hunter2')));
  assert.deepEqual(filesHolding(context.directory, 'hunter2'), []);
});

test('missing refs and invalid names are refused', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('one', { 'a.yaml': 'a' });
  const blob = (await origin.run('rev-parse', 'HEAD:a.yaml')).trim();
  await origin.run('update-ref', 'refs/odd/blob', blob);
  const material = materialOf(origin.path);
  const context = lab.context();
  const proof = lab.newPath('proof');
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['none', /^Error: The ref refs\/heads\/none could not be found\.$/],
    ['refs/pull/1/head', /^Error: The ref refs\/pull\/1\/head could not be found\.$/],
    ['d'.repeat(40), /^Error: The commit d{40} is not in the repository\.$/],
    ['refs/odd/blob', /^Error: refs\/odd\/blob is no commit\.$/],
    [`--upload-pack=touch ${proof}`, /is neither the name of a branch nor a whole commit id/],
    ['main:refs/heads/main', /is neither the name of a branch nor a whole commit id/],
    ['../../main', /is neither the name of a branch nor a whole commit id/],
  ];
  for (const [asked, message] of wrong) await assert.rejects(openRequestedFiles(material, asked, context), message, asked);
  assert.deepEqual(readdirSync(context.directory), []);
  assert.ok(!existsSync(proof));
});

test('leftovers of an ended process are removed', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('one', { 'a.yaml': 'a' });
  const context = lab.context();
  mkdirSync(join(context.directory, 'reading-left', 'asked.git'), { recursive: true });
  await readOpened(await openRequestedFiles(materialOf(origin.path), 'main', context));
  assert.deepEqual(readdirSync(context.directory), []);
});

test('a repository that is too large is refused', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('one', { 'a.yaml': 'a' });
  const context = lab.context({ maxBytes: 1000 });
  await assert.rejects(openRequestedFiles(materialOf(origin.path), 'main', context), /The repository is too large/);
  assert.deepEqual(readdirSync(context.directory), []);
});
