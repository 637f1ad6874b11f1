// Submodules of real git repositories: read like the rest, but only from where submodules may come from.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openRequestedFiles } from '../../../src/materials/files/open-files.ts';
import { gitClient } from '../../../src/materials/types/git/git-client.ts';
import type { GitMaterial } from '../../../src/materials/types/git/material.ts';
import { git } from '../../support/git.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { type GitHttp, startGitHttp } from '../support/git-http.ts';
import { GitOrigin } from '../support/git-origin.ts';
import { commandLinesDuring, filesHolding, Lab, pollAll } from '../support/polling.ts';
import { Counted, readChanges, readOpened } from './support.ts';

const lab = new Lab();
const root = lab.newPath('served');
const LOGIN = { username: 'bob', password: 'hunter2-%41' };
const ALLOW = ['-c', 'protocol.file.allow=always'];
let server: GitHttp;

before(async () => {
  await ensureDebianPackages(['git']);
  mkdirSync(root);
  server = await startGitHttp({ root, ...LOGIN });
});
after(async () => {
  await server.stop();
  lab.remove();
});

const materialOf = (url: string, more: Partial<GitMaterial> = {}): GitMaterial => ({
  type: 'git',
  fingerprint: 'f',
  url,
  branch: 'main',
  ...more,
});

/** A commit with a submodule at any address, without asking git whether that makes sense. */
async function withSubmodule(origin: GitOrigin, url: string, commit = 'a'.repeat(40), path = 'lib'): Promise<string> {
  writeFileSync(join(origin.path, '.gitmodules'), `[submodule "x"]\n\tpath = ${path}\n\turl = ${JSON.stringify(url)}\n`);
  await origin.run('add', '.gitmodules');
  await origin.run('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
  await origin.run('commit', '--quiet', '-m', 'submodule');
  return origin.tip();
}

test('submodules are read after their repository was replaced by one with other hashes', async () => {
  const [lib, app] = [await GitOrigin.make(lab.newPath('lib')), await GitOrigin.make(lab.newPath('app'))];
  const material = materialOf(app.address);
  const context = lab.context();
  const texts = { 'app.yaml': 'app', 'lib/lib.yaml': 'lib' };
  for (const format of ['sha1', 'sha256', 'sha1']) {
    for (const { path } of [lib, app]) {
      rmSync(path, { recursive: true });
      mkdirSync(path);
      await git(path, 'init', '--quiet', '--initial-branch=main', `--object-format=${format}`);
      for (const [key, value] of Object.entries({ name: 'Ann', email: 'ann@example.org' })) await git(path, 'config', `user.${key}`, value);
    }
    await app.commit('app', { 'app.yaml': 'app' });
    const tip = await withSubmodule(app, lib.path, await lib.commit('lib', { 'lib.yaml': 'lib' }));
    await pollAll(gitClient, material, tip.replace(/^./, 'f'), context);
    const { problems, ...found } = await readChanges(material, tip, context);
    assert.deepEqual([found.texts, problems], [texts, []], format);
    for (const asked of ['main', tip])
      assert.deepEqual((await readOpened(await openRequestedFiles(material, asked, context))).texts, texts, `${asked} ${format}`);
  }
});

test('nested submodules are read, by path and over HTTP with the credentials of the repository', async () => {
  const [inner, outer, app] = await Promise.all(['inner.git', 'outer', 'app'].map((name) => GitOrigin.make(join(root, name))));
  await inner!.commit('inner', { 'inner.yaml': 'inner' });
  await outer!.run(...ALLOW, 'submodule', '--quiet', 'add', '../inner.git', 'deep');
  await outer!.commit('outer', { 'outer.yaml': 'outer' });
  await app!.run(...ALLOW, 'submodule', '--quiet', 'add', '../outer', 'lib/ou ter');
  const tip = await app!.commit('app', { 'app.yaml': 'app' });
  for (const material of [materialOf(app!.path), materialOf(`${server.url}/app`, LOGIN)]) {
    const context = lab.context();
    let cursor: string | undefined;
    const lines = await commandLinesDuring(async () => {
      const first = await readChanges(material, tip, context);
      cursor = first.cursor;
      assert.deepEqual(first.texts, { 'app.yaml': 'app', 'lib/ou ter/deep/inner.yaml': 'inner', 'lib/ou ter/outer.yaml': 'outer' });
      assert.deepEqual(first.problems, []);
    });
    for (const secret of [LOGIN.password, encodeURIComponent(LOGIN.password)]) {
      assert.ok(![...lines].some((line) => line.includes(secret)));
      assert.deepEqual(filesHolding(context.directory, secret), []);
    }
    const calls = await Counted.install('git', lab.newPath('bin'));
    try {
      assert.deepEqual((await readChanges(material, tip, context)).texts['lib/ou ter/deep/inner.yaml'], 'inner');
      assert.ok(!calls.take().some((line) => line.includes(' fetch ')), 'what is there is not brought again');
      assert.equal((await readChanges(material, tip, context, cursor)).isComplete, false);
    } finally {
      calls.restore();
    }
  }
});

test('a new commit of a submodule is read, and a removed submodule is gone', async () => {
  const lib = await GitOrigin.make(lab.newPath('lib'));
  const app = await GitOrigin.make(lab.newPath('app'));
  const context = lab.context();
  const material = materialOf(app.path);
  await app.commit('app', { 'app.yaml': 'app' });
  const first = await readChanges(
    material,
    await withSubmodule(app, lib.path, await lib.commit('one', { 'l.yaml': 'one', 'm.yaml': 'm' })),
    context,
  );
  assert.deepEqual(first.texts, { 'app.yaml': 'app', 'lib/l.yaml': 'one', 'lib/m.yaml': 'm' });
  await app.run('rm', '--quiet', '--cached', 'lib');
  const second = await readChanges(
    material,
    await withSubmodule(app, lib.path, await lib.commit('two', { 'l.yaml': 'two' })),
    context,
    first.cursor,
  );
  assert.equal(second.isComplete, true);
  assert.deepEqual(second.texts, { 'app.yaml': 'app', 'lib/l.yaml': 'two', 'lib/m.yaml': 'm' });
  await app.run('rm', '--quiet', '-r', '-f', 'lib', '.gitmodules');
  const third = await readChanges(material, await app.commit('no submodule'), context, second.cursor);
  assert.deepEqual([third.isComplete, third.texts], [true, { 'app.yaml': 'app' }]);
});

describe('refused', () => {
  test('hostile addresses are problems, and nothing is run or fetched', async () => {
    const secret = await GitOrigin.make(lab.newPath('secret'));
    const commit = await secret.commit('secret', { 'secret.yaml': 'of this machine' });
    const proof = lab.newPath('proof');
    const app = await GitOrigin.make(join(root, 'hostile'));
    await app.commit('app', { 'app.yaml': 'app' });
    for (const url of [
      secret.path,
      `file://${secret.path}`,
      `ext::sh -c "touch ${proof}"`,
      `ext::sh -c touch% ${proof} .git`,
      `--upload-pack=touch ${proof}`,
      `-u;touch ${proof}`,
      `ssh://-oProxyCommand=touch ${proof}/x`,
      `../../../../..${secret.path}`,
    ]) {
      const tip = await withSubmodule(app, url, commit);
      const { texts, problems, isComplete } = await readChanges(materialOf(`${server.url}/hostile`, LOGIN), tip, lab.context());
      assert.deepEqual([isComplete, texts], [true, { 'app.yaml': 'app' }]);
      assert.deepEqual(problems, [{ path: 'lib', message: `The submodule lib is at ${url}, which submodules must not be.` }]);
    }
    assert.ok(!existsSync(proof));
  });

  test('an address is read again after it was corrected', async () => {
    const lib = await GitOrigin.make(join(root, 'corrected-lib'));
    const commit = await lib.commit('lib', { 'lib.yaml': 'lib' });
    const app = await GitOrigin.make(join(root, 'corrected'));
    const material = materialOf(`${server.url}/corrected`, LOGIN);
    const context = lab.context();
    const first = await readChanges(material, await withSubmodule(app, 'ext::x', commit), context);
    assert.equal(first.problems.length, 1);
    const second = await readChanges(material, await withSubmodule(app, '../corrected-lib', commit), context, first.cursor);
    assert.deepEqual([second.problems, second.texts], [[], { 'lib/lib.yaml': 'lib' }]);
  });

  test('a submodule on another server is fetched without the password', async (t) => {
    const lib = await GitOrigin.make(join(root, 'elsewhere-lib'));
    const commit = await lib.commit('lib', { 'lib.yaml': 'lib' });
    const other = await startGitHttp({ root, ...LOGIN });
    t.after(() => other.stop());
    const app = await GitOrigin.make(join(root, 'elsewhere'));
    const tip = await withSubmodule(app, `${other.url}/elsewhere-lib`, commit);
    await assert.rejects(
      readChanges(materialOf(`${server.url}/elsewhere`, LOGIN), tip, lab.context()),
      /could not read Username|Authentication failed/,
    );
  });

  test('a submodule in the data directory of this server is refused', async () => {
    const closedTo = lab.newPath('data');
    const inside = await GitOrigin.make(join(closedTo, 'repository'));
    const app = await GitOrigin.make(lab.newPath('app'));
    const tip = await withSubmodule(app, inside.path, await inside.commit('x', { 'x.yaml': 'x' }));
    const { problems } = await readChanges(materialOf(app.path), tip, { ...lab.context(), closedTo });
    assert.deepEqual(problems, [
      { path: 'lib', message: 'The submodule lib cannot be read: The address leads into the data directory of this server.' },
    ]);
  });

  test('submodules nested too deep, without an entry, or with a broken .gitmodules, are left out', async () => {
    const app = await GitOrigin.make(lab.newPath('app'));
    const one = await app.commit('one', { 'a.yaml': 'a' });
    let tip = one;
    for (let depth = 0; depth < 8; depth++) tip = await withSubmodule(app, app.path, tip);
    const { texts, problems } = await readChanges(materialOf(app.path), tip, lab.context());
    assert.equal(Object.keys(texts).length, 6);
    assert.deepEqual(problems, [
      { path: 'lib/lib/lib/lib/lib/lib', message: 'The submodule lib/lib/lib/lib/lib/lib is within more than 5 others.' },
    ]);
    const bare = await GitOrigin.make(lab.newPath('bare'));
    await bare.commit('start', { 'a.yaml': 'a' });
    await bare.run('update-index', '--add', '--cacheinfo', `160000,${one},orphan`);
    await bare.run('commit', '--quiet', '-m', 'orphan');
    const orphan = await readChanges(materialOf(bare.path), await bare.tip(), lab.context());
    assert.deepEqual([orphan.texts, orphan.problems], [{ 'a.yaml': 'a' }, []]);
    writeFileSync(join(bare.path, '.gitmodules'), '[submodule "x\n');
    await bare.run('add', '.gitmodules');
    await bare.run('commit', '--quiet', '-m', 'broken');
    const broken = await readChanges(materialOf(bare.path), await bare.tip(), lab.context());
    assert.deepEqual(broken.problems, [{ path: '.gitmodules', message: '.gitmodules cannot be read.' }]);
  });

  test('a submodule with a missing commit is refused', async () => {
    const lib = await GitOrigin.make(lab.newPath('lib'));
    await lib.commit('one', { 'l.yaml': 'l' });
    const app = await GitOrigin.make(lab.newPath('app'));
    const tip = await withSubmodule(app, lib.path, 'd'.repeat(40));
    await assert.rejects(readChanges(materialOf(app.path), tip, lab.context()), /The commit d{40} of a submodule is not in the repository/);
  });
});
