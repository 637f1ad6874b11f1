// The Debian plugin and an archive of real packages, with indexes made by the programs that Debian makes them with.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { debianPackagePlugin } from '../../src/plugins/bundled/packages/debian.ts';
import { DebianArchive } from '../support/services/debian-archive.ts';
import { filesOf, startWebServer, type WebServer } from '../support/services/web-server.ts';
import { pollTools, settings } from './tools.ts';

const tools = pollTools();
const { latestRevision, latestRevisionSince, checkRepository, checkPackage } = debianPackagePlugin;
const UPLOADED = new Date('2026-01-31T09:30:00Z');

let archive: DebianArchive;
let web: WebServer;
before(async () => {
  archive = await DebianArchive.make();
  for (const version of ['1.9', '1.10~rc1', '1.10', '1.10-1', '1:0.5-1~bpo12+1'])
    await archive.add({ name: 'hello', version, uploaded: UPLOADED });
  await archive.add({ name: 'hello', version: '2:1', architecture: 'arm64' });
  await archive.add({ name: 'hello-doc', version: '9', architecture: 'all' });
  await archive.add({ name: 'g++-12', version: '12.2' });
  await archive.add({ name: 'extra', version: '3', component: 'contrib' });
  await archive.publish('stable', { architectures: ['amd64', 'arm64'] });
  await archive.publish('by-hash', { isByHash: true });
  await archive.publish('plain', { forms: ['plain'], isSigned: false });
  await archive.publish('only-xz', { forms: ['xz'] });
  await archive.publishFlat('flat/');
  web = await startWebServer(filesOf(archive.directory));
});
after(async () => {
  await web.stop();
  archive.remove();
});

const of = (name: string, more: Record<string, string> = {}) =>
  settings({ REPO_URL: web.url, SUITE: 'stable', ...more }, { PACKAGE_NAME: name });
const versionOf = async (...what: Parameters<typeof of>) => (await latestRevision(of(...what), tools)).revision;

describe('the newest version', () => {
  for (const [title, name, more, version] of [
    ['in the order of dpkg', 'hello', {}, '1:0.5-1~bpo12+1'],
    ['for another architecture', 'hello', { ARCHITECTURE: 'arm64' }, '2:1'],
    ['for several architectures', 'hello', { ARCHITECTURE: 'amd64 arm64' }, '2:1'],
    ['for all architectures', 'hello-doc', {}, '9'],
    ['of a name with signs', 'g++-12', {}, '12.2'],
    ['in another component', 'extra', { COMPONENT: 'contrib' }, '3'],
    ['in several components', 'extra', { COMPONENT: 'main, contrib' }, '3'],
    ['in an archive by checksums', 'hello', { SUITE: 'by-hash' }, '1:0.5-1~bpo12+1'],
    ['in an archive without compression and signature', 'hello', { SUITE: 'plain' }, '1:0.5-1~bpo12+1'],
    ['in a flat archive', 'hello', { SUITE: 'flat/' }, '2:1'],
  ] as const) {
    test(`the newest version is found ${title}`, async () => assert.equal(await versionOf(name, more), version));
  }

  test('comes from an index named by its checksum, if the archive has such names', () => {
    assert.ok(web.requests.some((request) => request.startsWith('GET /dists/by-hash/main/binary-amd64/by-hash/SHA256/')));
    assert.ok(!web.requests.some((request) => request.startsWith('GET /dists/by-hash/main/binary-amd64/Packages')));
  });

  test('comes with its time, user, comment and location', async () => {
    const location = `${web.url}/pool/main/hello_0.5-1~bpo12+1_amd64.deb`;
    assert.deepEqual(await latestRevision(of('hello'), tools), {
      revision: '1:0.5-1~bpo12+1',
      time: UPLOADED,
      user: 'Jez Humble <jez@example.org>',
      comment: 'Says hello',
      trackbackUrl: location,
      data: { VERSION: '1:0.5-1~bpo12+1', ARCHITECTURE: 'amd64', LOCATION: location },
    });
    assert.equal((await fetch(location)).status, 200);
  });

  test('is asked for again only when the archive has changed', async () => {
    const since = (revision: string) => latestRevisionSince(of('hello'), { revision }, tools);
    await since('1:0.5-1~bpo12+1');
    web.requests.length = 0;
    assert.equal(await since('1:0.5-1~bpo12+1'), undefined);
    assert.deepEqual(web.requests, ['GET /dists/stable/InRelease']);
    await archive.add({ name: 'other', version: '1', architecture: 'arm64' });
    await archive.publish('stable', { architectures: ['amd64', 'arm64'] });
    web.requests.length = 0;
    assert.equal(await since('1:0.5-1~bpo12+1'), undefined);
    assert.deepEqual(web.requests, ['GET /dists/stable/InRelease'], 'the index for amd64 is the same');
    await archive.add({ name: 'hello', version: '1:0.5-1' });
    await archive.publish('stable', { architectures: ['amd64', 'arm64'] });
    assert.equal((await since('1:0.5-1~bpo12+1'))?.revision, '1:0.5-1');
  });
});

describe('failures are explained', () => {
  for (const [title, name, more, message] of [
    ['no such package', 'not-hello', {}, /^The archive has no package not-hello\.$/],
    ['no such suite', 'hello', { SUITE: 'unstable' }, /\/dists\/unstable\/Release was answered with status 404/],
    [
      'no such component',
      'hello',
      { COMPONENT: 'non-free' },
      /^The archive has no component non-free; it has contrib, main\.$|main, contrib\.$/,
    ],
    ['no such architecture', 'hello', { ARCHITECTURE: 'riscv64' }, /^The archive has no architecture riscv64; it has amd64, arm64\.$/],
    [
      'only in a form that cannot be read',
      'hello',
      { SUITE: 'only-xz' },
      /only in forms that cannot be read: main\/binary-amd64\/Packages\.xz\.$/,
    ],
    ['a suite that is elsewhere', 'hello', { SUITE: 'https://evil.example.org/' }, /^SUITE must lead to a place below REPO_URL\.$/],
  ] as const) {
    test(`a failure is explained: ${title}`, async () => {
      await assert.rejects(latestRevision(of(name, more), tools), { message });
      const { isOk, messages } = await checkPackage(of(name, more), tools);
      assert.equal(isOk, false);
      assert.match(messages.join('\n'), message);
    });
  }

  test('an index that does not match Release', async () => {
    const path = join(archive.directory, 'dists/torn/main/binary-amd64/Packages');
    await archive.publish('torn', { forms: ['plain'] });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('1:0.5', '7:0.5'));
    await assert.rejects(
      versionOf('hello', { SUITE: 'torn' }),
      /Packages is not what the Release file of the archive says\. Perhaps it is just being updated\.$/,
    );
  });

  test('a Release file without checksums, and one of another kind', async () => {
    for (const [suite, text] of [
      ['weak', 'Suite: weak\nMD5Sum:\n d41d8cd98f00b204e9800998ecf8427e 0 main/binary-amd64/Packages\n'],
      ['page', '<html>Log in</html>'],
    ] as const) {
      const folder = join(archive.directory, 'dists', suite);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'InRelease'), text);
      await assert.rejects(versionOf('hello', { SUITE: suite }), /InRelease names no files with SHA256 checksums\.$/);
    }
  });

  test('an archive that sends too much', async () => {
    await assert.rejects(
      latestRevision(of('hello', { ARCHITECTURE: 'arm64', SUITE: 'stable' }), pollTools({ maxBytes: 500 })),
      /is larger than 500 bytes\.$/,
    );
  });
});

test('the checks of a repository and of a package report what they found', async () => {
  const { repository } = of('hello', { COMPONENT: 'main contrib' });
  assert.deepEqual(await checkRepository(repository, tools), {
    isOk: true,
    messages: ['Found the suite stable with 2 indexes of packages.'],
  });
  assert.equal((await checkRepository(of('hello', { ARCHITECTURE: 's390x' }).repository, tools)).isOk, false);
  assert.deepEqual(await checkPackage(of('hello-doc'), tools), { isOk: true, messages: ['Found version 9 of hello-doc.'] });
});

test('a poll for a package that has gone fails', async () => {
  await archive.add({ name: 'short-lived', version: '1' });
  await archive.publish('stable', { architectures: ['amd64', 'arm64'] });
  assert.equal(await versionOf('short-lived'), '1');
  rmSync(join(archive.directory, 'pool/main/short-lived_1_amd64.deb'));
  await archive.publish('stable', { architectures: ['amd64', 'arm64'] });
  await assert.rejects(versionOf('short-lived'), /has no package short-lived/);
});
