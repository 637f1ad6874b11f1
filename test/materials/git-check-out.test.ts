// Checking out commits of real git repositories, with submodules.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { startGitHttp } from './support/git-http.ts';
import { GitOrigin, gitMaterial } from './support/git-origin.ts';
import { filesHolding, Lab, pollAll } from './support/polling.ts';

const lab = new Lab();

/** Counts connections. */
async function startListener() {
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const stop = async () => {
    listener.close();
    return connections;
  };
  return { port, stop };
}
before(() => ensureDebianPackages(['git']));
after(() => lab.remove());

const textIn = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

test('any commits are checked out one after the other in the same directory', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const first = await origin.commit('first', { 'a.txt': 'one', 'only-first/x': 'x' });
  await origin.run('rm', '--quiet', '-r', 'only-first');
  const second = await origin.commit('second', { 'a.txt': 'two', 'ü/b': 'b' });
  const context = lab.context();
  const into = lab.newPath('into');
  await gitClient.checkOut!(gitMaterial(origin.path), second, into, context);
  assert.equal(textIn(into, 'a.txt'), 'two');
  assert.equal(textIn(into, 'ü/b'), 'b');
  writeFileSync(join(into, 'a.txt'), 'touched');
  writeFileSync(join(into, 'stray'), 'stray');
  await gitClient.checkOut!(gitMaterial(origin.path), first, into, context);
  assert.equal(textIn(into, 'a.txt'), 'one');
  assert.deepEqual(readdirSync(into).toSorted(), ['.git', 'a.txt', 'only-first']);
  const third = await origin.commit('third', { 'a.txt': 'three' });
  await gitClient.checkOut!(gitMaterial(origin.path), third, into, context);
  assert.equal(textIn(into, 'a.txt'), 'three', 'a commit that no poll has seen yet');
});

test('a missing commit is reported', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('first');
  const gone = 'd'.repeat(40);
  await assert.rejects(
    gitClient.checkOut!(gitMaterial(origin.path), gone, lab.newPath('into'), lab.context()),
    new RegExp(`The revision ${gone} is not in the repository any more\\.`),
  );
  await assert.rejects(
    gitClient.checkOut!(gitMaterial(origin.path), '--force', lab.newPath('into'), lab.context()),
    /--force is no revision/,
  );
});

test('submodules are checked out, relative and nested ones, with the credentials of the repository', async (t) => {
  const root = lab.newPath('served');
  mkdirSync(root);
  const [inner, outer, app] = await Promise.all(['inner', 'outer', 'app'].map((name) => GitOrigin.make(join(root, name))));
  await inner!.commit('inner', { 'inner.txt': 'inner' });
  const allow = ['-c', 'protocol.file.allow=always'];
  await outer!.run(...allow, 'submodule', '--quiet', 'add', '../inner', 'deep');
  await outer!.commit('outer', { 'outer.txt': 'outer' });
  await app!.run(...allow, 'submodule', '--quiet', 'add', '../outer', 'lib/outer');
  const tip = await app!.commit('app', { 'app.txt': 'app' });
  const server = await startGitHttp({ root, username: 'bob', password: 'hunter2' });
  t.after(() => server.stop());
  for (const material of [gitMaterial(app!.path), gitMaterial(`${server.url}/app`, { username: 'bob', password: 'hunter2' })]) {
    const into = lab.newPath('into');
    const context = lab.context();
    await pollAll(gitClient, material, undefined, context);
    for (let turn = 0; turn < 2; turn++) await gitClient.checkOut!(material, tip, into, context);
    assert.equal(textIn(into, 'lib/outer/outer.txt'), 'outer');
    assert.equal(textIn(into, 'lib/outer/deep/inner.txt'), 'inner');
    assert.deepEqual(filesHolding(into, 'hunter2'), []);
  }
});

test('a repository from elsewhere cannot bring in files of this machine', async (t) => {
  const secret = await GitOrigin.make(lab.newPath('secret'));
  await secret.commit('secret', { 'secret.txt': 'of this machine' });
  const root = lab.newPath('served');
  mkdirSync(root);
  const app = await GitOrigin.make(join(root, 'app'));
  await app.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', secret.path, 'stolen');
  const tip = await app.commit('app');
  const server = await startGitHttp({ root });
  t.after(() => server.stop());
  const into = lab.newPath('into');
  await assert.rejects(gitClient.checkOut!(gitMaterial(`${server.url}/app`), tip, into, lab.context()), /transport 'file' not allowed/);
  assert.ok(!existsSync(join(into, 'stolen', 'secret.txt')));
});

test('submodules whose addresses would run programs bring nothing', async (t) => {
  const root = lab.newPath('served');
  mkdirSync(root);
  const proof = lab.newPath('proof');
  const addresses = [`ext::sh -c "touch ${proof}"`, `--upload-pack=touch ${proof}`, `ssh://-oProxyCommand=touch%20${proof}/x`, '../../..'];
  const server = await startGitHttp({ root });
  t.after(() => server.stop());
  for (const [index, address] of addresses.entries()) {
    const app = await GitOrigin.make(join(root, `app-${index}`));
    const first = await app.commit('first', { '.gitmodules': `[submodule "evil"]\n\tpath = evil\n\turl = ${JSON.stringify(address)}\n` });
    await app.run('update-index', '--add', '--cacheinfo', `160000,${first},evil`);
    await app.run('commit', '--quiet', '-m', 'evil');
    const material = gitMaterial(`${server.url}/app-${index}`);
    await assert.rejects(gitClient.checkOut!(material, await app.tip(), lab.newPath('into'), lab.context()), address);
  }
  assert.ok(!existsSync(proof));
});

test('a line break in the address of a submodule hides nothing', async () => {
  const closed = await startListener();
  const app = await GitOrigin.make(lab.newPath('app'));
  const address = `ssh://127.0.0.1:${closed.port}/x\n.url\nhttp://192.0.2.2/a`;
  const first = await app.commit('first', { '.gitmodules': `[submodule "evil"]\n\tpath = evil\n\turl = ${JSON.stringify(address)}\n` });
  await app.run('update-index', '--add', '--cacheinfo', `160000,${first},evil`);
  await app.run('commit', '--quiet', '-m', 'evil');
  const checkOut = gitClient.checkOut!(gitMaterial(app.path), await app.tip(), lab.newPath('into'), lab.context());
  await assert.rejects(checkOut, /which submodules must not be/);
  assert.equal(await closed.stop(), 0);
});

test('links of a repository lead nowhere while it is brought in', async () => {
  const outside = lab.newPath('outside');
  mkdirSync(outside);
  const origin = await GitOrigin.make(lab.newPath('origin'));
  symlinkSync(outside, join(origin.path, 'link'));
  const first = await origin.commit('a link');
  await origin.run('rm', '--quiet', 'link');
  const second = await origin.commit('a folder in its place', { 'link/a.txt': 'a' });
  const into = lab.newPath('into');
  const context = lab.context();
  for (const revision of [first, second, first]) await gitClient.checkOut!(gitMaterial(origin.path), revision, into, context);
  assert.deepEqual(readdirSync(outside), []);
});
