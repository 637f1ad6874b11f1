// No client of any kind can be led into the data directory, by any form of address; each can reach repositories elsewhere.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import type { MaterialClient, PollContext, PolledMaterial } from '../../src/materials/clients/client.ts';
import { openFiles, openRequestedFiles } from '../../src/materials/files/open-files.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { hgClient } from '../../src/materials/types/hg/hg-client.ts';
import { pluginClient } from '../../src/materials/types/plugin/client.ts';
import { svnClient } from '../../src/materials/types/svn/svn-client.ts';
import { gitPathPlugin } from '../../src/plugins/bundled/scm/git-path.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { GitOrigin } from './support/git-origin.ts';
import { HgOrigin } from './support/hg-origin.ts';
import { Lab, pollAll } from './support/polling.ts';
import { SvnOrigin } from './support/svn-origin.ts';

const lab = new Lab();
const root = lab.newPath('machine');
const closedTo = join(root, 'data');
const context: PollContext = { ...lab.context({ directory: join(closedTo, 'pipelines', 'flyweight', 'one') }), closedTo };
const REFUSED = /leads into the data directory|which is different for every program/;
const REFUSED_MODULE = new RegExp(`${REFUSED.source}|which submodules must not be`);

before(async () => {
  await ensureDebianPackages(['git', 'mercurial', 'subversion']);
  for (const path of [context.directory, join(root, 'far', 'a', 'b')]) mkdirSync(path, { recursive: true });
  symlinkSync(join(root, 'far', 'a', 'b'), join(root, 'link'));
});
after(() => lab.remove());

/** Ways to a place in the root, each of which another part of the system or of a program could take for something else. */
const addressesOf = (name: string) => [
  join(root, name),
  `/proc/self/cwd/../../../../${name}`,
  `file:///proc/self/cwd/../../../../${name}`,
  `${root}/link/../../../${name}`,
  `file://${root}/link/%2e%2e/..%2F../${name}`,
  `file://localhost${root}/link/../../../${name}`,
];

type Polled = readonly [client: MaterialClient<never>, material: PolledMaterial];
const git = (url: string): Polled => [gitClient, { type: 'git', fingerprint: 'f', url, branch: 'main' }];
const hg = (url: string): Polled => [hgClient, { type: 'hg', fingerprint: 'f', url }];
const svn = (url: string): Polled => [svnClient, { type: 'svn', fingerprint: 'f', url, checkExternals: true }];
const gitPath = (url: string): Polled => {
  const settings = new Map(Object.entries({ url, path: '.', branch: 'main' }));
  return [
    pluginClient(() => gitPathPlugin),
    { type: 'plugin', fingerprint: 'f', pluginId: 'git-path', settings, configured: settings } as never,
  ];
};

/** Tries all that a user can make a material client do with an address. */
async function mustBeRefused([client, material]: Polled, revision: string): Promise<void> {
  const tries: readonly (() => Promise<unknown>)[] = [
    () => pollAll(client, material as never, undefined, context),
    () => client.checkConnection(material as never, context),
    () => client.checkOut!(material as never, revision, lab.newPath('into'), context),
    ...(material.type === 'plugin'
      ? []
      : [
          async () => (await openFiles(material, revision, context)).close(),
          async () => (await openRequestedFiles(material, material.type === 'svn' ? revision : 'main', context)).close(),
        ]),
  ];
  for (const attempt of tries) await assert.rejects(attempt, REFUSED, `${material.url ?? 'plugin'} ${attempt}`);
}

test('git is not led into the data directory', async () => {
  const secret = await GitOrigin.make(join(closedTo, 'secret'));
  const revision = await secret.commit('secret');
  const home = relative(process.env.HOME ?? '/', secret.path);
  const addresses = [
    ...addressesOf('data/secret'),
    ...addressesOf('data/secret/.git'),
    '../../../secret',
    `~/${home}`,
    '/dev/fd/../../proc/self/cwd',
  ];
  for (const url of addresses) await mustBeRefused(git(url), revision);
  await mustBeRefused(gitPath('/proc/self/cwd/../../../secret'), revision);
});

test('git finds a repository elsewhere, under the address as it was written', async () => {
  const origin = await GitOrigin.make(join(root, 'open'));
  const revision = await origin.commit('open');
  for (const url of [`${root}/link/../../../open`, `file://${root}/link/..%2f../../open`, '../../../../open']) {
    const [client, material] = git(url);
    const own = { ...context, directory: join(dirname(context.directory), `git-${url.length}`) };
    const [newest] = await pollAll(client, material as never, undefined, own);
    assert.equal(newest?.revision, revision, url);
    await client.checkOut!(material as never, revision, lab.newPath('into'), own);
    assert.ok(readFileSync(join(own.directory, 'mirror.git', 'slipway-source'), 'utf8').includes(JSON.stringify(url)));
  }
  const missing = git(`${root}/link/../nothing`);
  await assert.rejects(missing[0].checkConnection(missing[1] as never, context), ({ message }: Error) => {
    assert.match(message, /\/link\/\.\.\/nothing' does not appear to be a git repository/);
    return true;
  });
});

test('git reads no submodules in the data directory, nor those within others', async () => {
  const secret = await GitOrigin.make(join(closedTo, 'secret-module'));
  const commit = await secret.commit('secret');
  const withModule = async (name: string, url: string, id: string) => {
    const app = await GitOrigin.make(join(root, name));
    writeFileSync(join(app.path, '.gitmodules'), `[submodule "m"]\n\tpath = m\n\turl = ${url}\n`);
    if (url.startsWith('host:')) symlinkSync(secret.path, join(app.path, url));
    await app.run('add', '--all');
    await app.run('update-index', '--add', '--cacheinfo', `160000,${id},m`);
    await app.run('commit', '--quiet', '-m', 'app');
    return app;
  };
  const inner = await withModule('inner', secret.path, commit);
  const urls = [secret.path, '../data/secret-module', `${root}/link/../../../data/secret-module`, '/proc/self/cwd', inner.path, 'host:x'];
  for (const [index, url] of urls.entries()) {
    const app = await withModule(`app-${index}`, url, url === inner.path ? await inner.tip() : commit);
    const [client, material] = git(app.path);
    const own = { ...context, directory: join(dirname(context.directory), `app-${index}`) };
    await assert.rejects(client.checkOut!(material as never, await app.tip(), lab.newPath('into'), own), REFUSED_MODULE, url);
  }
});

test('hg is not led into the data directory', async () => {
  const secret = await HgOrigin.make(join(closedTo, 'secret-hg'));
  const revision = await secret.commit('secret');
  const home = relative(process.env.HOME ?? '/', secret.path);
  for (const url of [...addressesOf('data/secret-hg'), 'file:../../../secret-hg', '../../../secret-hg', `~/${home}`, `file:~/${home}`])
    await mustBeRefused(hg(url), revision);
  for (const url of ['$PWD/../../../secret-hg', 'file:%24PWD/../../../secret-hg', `${root}/$X/../data/secret-hg`]) {
    const [client, material] = hg(url);
    await assert.rejects(client.checkConnection(material as never, context), /dollar sign|leads into|uses \.\./, url);
  }
});

test('hg finds a repository elsewhere, also if its name means something else to hg', async () => {
  const origin = await HgOrigin.make(join(root, 'hg-first'));
  await (await HgOrigin.make(join(origin.path, 'inner'))).commit('inner', { 'a.txt': 'a' });
  writeFileSync(join(origin.path, '.hgsub'), `inner = ${closedTo}/inner\n`);
  await origin.hg('add', '.hgsub');
  const revision = await origin.commit('open');
  renameSync(origin.path, join(root, 'open#hg'));
  symlinkSync(join(root, 'open#hg'), join(root, 'open-hg'));
  const [client, material] = hg(`${root}/link/../../../open-hg`);
  const [newest] = await pollAll(client, material as never, undefined, context);
  assert.equal(newest?.revision, revision);
  await assert.rejects(client.checkOut!(material as never, revision, lab.newPath('into'), context), /subrepos/);
  const [, other] = hg(`file://${root}/x%24HOME/hg`);
  await assert.rejects(client.checkConnection(other as never, context), /dollar sign/);
});

test('svn is not led into the data directory', async () => {
  await SvnOrigin.make(join(closedTo, 'secret-svn'));
  for (const url of addressesOf('data/secret-svn').filter((address) => address.startsWith('file:'))) await mustBeRefused(svn(url), '1');
});
