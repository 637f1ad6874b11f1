// Repositories at addresses that the server must not ask, through the real programs: by their address, by a name that changes, by a redirect.
import assert from 'node:assert/strict';
import dns, { type LookupAddress } from 'node:dns';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { MaterialClient, PollContext, PolledMaterial } from '../../src/materials/clients/client.ts';
import { openFiles } from '../../src/materials/files/open-files.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { hgClient } from '../../src/materials/types/hg/hg-client.ts';
import { p4Client } from '../../src/materials/types/p4/p4-client.ts';
import { materialOfExternal } from '../../src/materials/types/svn/external-material.ts';
import { svnClient } from '../../src/materials/types/svn/svn-client.ts';
import { tfsClient } from '../../src/materials/types/tfs/tfs-client.ts';
import { repositoryReach } from '../../src/server/open/network-rules.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { startWebServer, type WebServer } from '../support/services/web-server.ts';
import { startGitHttp } from './support/git-http.ts';
import { GitOrigin, gitMaterial } from './support/git-origin.ts';
import { HgOrigin, type HgServer, startHgServe } from './support/hg-origin.ts';
import { Lab, pollAll } from './support/polling.ts';

const lab = new Lab();
const root = lab.newPath('served');
const NAME = 'rebinding.example';
const SECRET = 'only this machine may read this';
const THIS_MACHINE = /(?:is|leads to) the machine of the server itself\. .*--allow-loopback/;
const NEVER = /(?:is|leads to) a link-local address, or one of the metadata service/;
const defaultContext = () => ({
  ...lab.context(),
  networkPolicy: repositoryReach({ allowLoopback: false, allowPrivateRepositories: true }),
});
let origin: GitOrigin;
let git: WebServer;
let inside: WebServer;
let redirecting: WebServer;
let target = '';

before(async () => {
  await ensureDebianPackages(['git', 'subversion', 'mercurial']);
  mkdirSync(root);
  origin = await GitOrigin.make(join(root, 'app'));
  await origin.commit('one', { 'a.txt': 'a' });
  git = await startGitHttp({ root });
  inside = await startWebServer(
    ({ url }, response) => void response.writeHead(url?.startsWith('/fails') ? 500 : 200, { 'content-type': 'text/plain' }).end(SECRET),
  );
  redirecting = await startWebServer(({ url }, response) => void response.writeHead(302, { location: `${target}${url}` }).end(SECRET));
});
after(async () => {
  for (const server of [git, inside, redirecting]) await server.stop();
  lab.remove();
});

type Asked = readonly [client: MaterialClient<never>, material: PolledMaterial];
const asGit = (url: string): Asked => [gitClient, gitMaterial(url)];
const asHg = (url: string): Asked => [hgClient, { type: 'hg', fingerprint: 'h', url }];
const asSvn = (url: string): Asked => [svnClient, { type: 'svn', fingerprint: 's', url, checkExternals: true }];
const asP4 = (port: string): Asked => [p4Client, { type: 'p4', fingerprint: 'p', port, view: '//depot/...', useTickets: false }];
const asTfs = (url: string): Asked => [
  tfsClient,
  { type: 'tfs', fingerprint: 't', url, username: 'bob', password: 'x', projectPath: '$/x' },
];
const check = ([client, material]: Asked, context: PollContext) => client.checkConnection(material as never, context);

/** Lets a name lead to one address after the other; the programs themselves do not know it at all. */
function mockLookup(t: TestContext, ...answers: readonly string[]): void {
  const left = [...answers];
  const real = dns.lookup;
  const lookupMock = t.mock.method(dns, 'lookup', ((
    host: string,
    options: object,
    answer: (failure: null, found: LookupAddress[]) => void,
  ) =>
    host === NAME ? answer(null, [{ address: left.shift()!, family: 4 }]) : real(host, options, answer as never)) as typeof dns.lookup);
  syncBuiltinESMExports();
  t.after(() => {
    lookupMock.mock.restore();
    syncBuiltinESMExports();
  });
}

describe('repositories by their address', () => {
  const port = 9;
  const local = ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', '0.0.0.0', '[::1]', '①27.0.0.1'];
  const never = ['169.254.169.254', '0xa9fea9fe', '[fe80::1]', '[::ffff:a9fe:a9fe]', '100.100.100.200', '169.254.169.254.'];
  const ways: readonly ((host: string) => Asked)[] = [
    (host) => asGit(`http://${host}:${port}/x`),
    (host) => asGit(`https://bob:secret@${host}/x`),
    (host) => asGit(`ssh://git@${host}/x`),
    (host) => asGit(`git://${host}/x`),
    (host) => asGit(`git@${host}:x`),
    (host) => asHg(`http://${host}:${port}/x`),
    (host) => asHg(`ssh://hg@${host}/x`),
    (host) => asSvn(`http://${host}:${port}/x`),
    (host) => asSvn(`svn://${host}/x`),
    (host) => asSvn(`svn+ssh://${host}/x`),
    (host) => asP4(`ssl:${host}:1666`),
    (host) => asTfs(`https://${host}/tfs`),
  ];
  for (const way of ways) {
    const { type, url, port: p4 } = way('HOST')[1];
    test(`${type} ${url ?? p4} is refused`, async () => {
      for (const host of local) await assert.rejects(check(way(host), defaultContext()), { message: THIS_MACHINE }, host);
      for (const host of never) await assert.rejects(check(way(host), lab.context()), { message: NEVER }, host);
    });
  }

  test('a Perforce port without a host is on this machine', async () => {
    for (const port of ['1666', 'ssl:1666']) await assert.rejects(check(asP4(port), defaultContext()), { message: THIS_MACHINE });
  });

  test('no operation sends a request to a forbidden address', async () => {
    const before = git.requests.length;
    const [client, material] = asGit(`${git.url}/app`);
    const revision = await origin.tip();
    for (const attempt of [
      () => pollAll(client, material as never, undefined, defaultContext()),
      () => pollAll(client, material as never, revision, defaultContext()),
      () => client.checkOut!(material as never, revision, lab.newPath('into'), defaultContext()),
      async () => {
        await using stack = new AsyncDisposableStack();
        const files = await openFiles(material, revision, defaultContext());
        stack.defer(() => files.close());
        await files.changes(undefined, async (paths) => [...paths]);
      },
    ])
      await assert.rejects(attempt, { message: THIS_MACHINE });
    assert.equal(git.requests.length, before);
  });
});

describe('git', () => {
  test('goes to the address that was judged, and a name that means another one later is refused then', async (t) => {
    mockLookup(t, '127.0.0.1', '169.254.169.254');
    const material = gitMaterial(`http://${NAME}:${new URL(git.url).port}/app`);
    const context = lab.context();
    // One poll is one lookup: git is given the address, for it does not know the name.
    assert.equal((await pollAll(gitClient, material, undefined, context)).length, 1);
    await assert.rejects(pollAll(gitClient, material, undefined, context), { message: NEVER });
  });

  test('follows redirects to where it may go, and leaves nothing of them', async () => {
    target = git.url;
    const context = lab.context();
    const material = gitMaterial(`${redirecting.url}/app`);
    const [only] = await pollAll(gitClient, material, undefined, context);
    assert.equal(only?.revision, await origin.tip());
    await gitClient.checkOut!(material, await origin.tip(), lab.newPath('into'), context);
    assert.deepEqual(readdirSync(context.directory), ['mirror.git']);
  });

  test('does not follow redirects to where it must not go', async () => {
    for (const to of ['http://169.254.169.254', 'https://[::ffff:169.254.169.254]', 'http://0xa9fea9fe']) {
      target = to;
      await assert.rejects(check(asGit(`${redirecting.url}/app`), lab.context()), { message: NEVER }, to);
    }
    target = redirecting.url;
    await assert.rejects(check(asGit(`${redirecting.url}/app`), lab.context()), /returned error: 302/, 'in a circle');
    for (const to of ['file:///etc', 'ftp://127.0.0.1']) {
      target = to;
      await assert.rejects(check(asGit(`${redirecting.url}/app`), lab.context()), /returned error: 302/, to);
    }
  });

  test('says that a host is not known', async () => {
    await assert.rejects(
      check(asGit('http://nobody.invalid/x'), lab.context()),
      /^Error: The host nobody\.invalid cannot be found: \w+\.$/,
    );
  });

  test('asks no submodule that is where it must not go', async () => {
    const app = await GitOrigin.make(join(root, 'with-module'));
    const urls = ['http://169.254.169.254/x', 'git@0xa9fea9fe:x', '0:x', 'http::http://169.254.169.254/x'];
    for (const url of urls) {
      writeFileSync(join(app.path, '.gitmodules'), `[submodule "m"]\n\tpath = m\n\turl = ${url}\n`);
      await app.run('add', '--all');
      await app.run('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},m`);
      await app.run('commit', '--quiet', '-m', url);
      const material = gitMaterial(`${git.url}/with-module`);
      const refused = /link-local address|must not be|not allowed/;
      await assert.rejects(gitClient.checkOut!(material, await app.tip(), lab.newPath('into'), lab.context()), refused, url);
      const context = lab.context();
      const files = await openFiles(material, await app.tip(), context);
      const { problems } = await files.changes(undefined, async (paths) => [...paths]);
      assert.match(problems.map(({ message }) => message).join(), refused, url);
      assert.ok(!existsSync(join(context.directory, 'submodules')));
    }
  });
});

describe('hg', () => {
  let hg: HgServer;
  let revision: string;
  before(async () => {
    const served = await HgOrigin.make(lab.newPath('hg'));
    revision = await served.commit('one', { 'a.txt': 'a' });
    hg = await startHgServe(served, 'bob', 'builder');
  });
  after(() => hg.stop());
  const material = (url: string): PolledMaterial => ({ type: 'hg', fingerprint: 'h', url, username: 'bob', password: 'builder' });

  test('goes to the address that was judged, and a name that means another one later is refused then', async (t) => {
    mockLookup(t, '127.0.0.1', '169.254.169.254');
    const named = material(`http://${NAME}:${new URL(hg.url).port}`);
    const context = lab.context();
    const [only] = await pollAll(hgClient as MaterialClient<never>, named as never, undefined, context);
    assert.equal(only?.revision, revision);
    await assert.rejects(hgClient.checkConnection(named as never, context), { message: NEVER });
  });

  test('does not follow redirects to other hosts', async () => {
    target = hg.url.replace('127.0.0.1', 'localhost');
    await assert.rejects(hgClient.checkConnection(material(`${redirecting.url}/x`) as never, lab.context()), /redirects to another host/);
  });
});

describe('an address without a repository', () => {
  for (const [name, way] of Object.entries({ git: asGit, hg: asHg, svn: asSvn }))
    for (const path of ['page', 'fails'])
      test(`${name} does not repeat the answer of /${path}`, async () => {
        const failure = await check(way(`${inside.url}/${path}`), lab.context()).then(
          () => assert.fail('accepted'),
          (reason: Error) => reason,
        );
        assert.doesNotMatch(failure.message, new RegExp(SECRET));
        assert.match(failure.message, /repository|500/);
      });
});

test('an external of Subversion is judged like any other address', async () => {
  const own = { type: 'svn', fingerprint: 's', url: 'svn://svn.example.org/x', checkExternals: true } as const;
  const external = materialOfExternal(own, { url: 'http://169.254.169.254/x', rootUrl: own.url });
  await assert.rejects(svnClient.checkConnection(external, lab.context()), { message: NEVER });
});
