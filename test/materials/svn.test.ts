// Polling real Subversion repositories, by file and through svnserve with a password.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandStopped } from '../../src/kit/process/command.ts';
import { fingerprintOf } from '../../src/materials/catalogue/fingerprint.ts';
import type { Material } from '../../src/materials/catalogue/material.ts';
import { materialOfExternal } from '../../src/materials/types/svn/external-material.ts';
import { svnExternals } from '../../src/materials/types/svn/externals.ts';
import type { SvnMaterial } from '../../src/materials/types/svn/material.ts';
import { svnClient } from '../../src/materials/types/svn/svn-client.ts';
import { SvnUuids } from '../../src/materials/types/svn/uuids.ts';
import { ALLOW_ALL_ADDRESSES } from '../support/server/allow-all-addresses.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { allTextOf, batchesOf, commandLinesDuring, filesHolding, Lab, listenDuring, pollAll } from './support/polling.ts';
import { requirePassword, SvnOrigin, type SvnServer, startSvnserve } from './support/svn-origin.ts';

const lab = new Lab();
const root = lab.newPath('served');
let server: SvnServer;

before(async () => {
  await ensureDebianPackages(['subversion']);
  mkdirSync(root);
  server = await startSvnserve(root);
});
after(async () => {
  await server.stop();
  lab.remove();
});

const materialOf = (url: string, more: Partial<SvnMaterial> = {}): SvnMaterial => ({
  type: 'svn',
  fingerprint: 'f',
  url,
  checkExternals: false,
  ...more,
});
const newOrigin = (name = 'repository') => SvnOrigin.make(lab.newPath(name));

describe('new revisions', () => {
  test('the first poll gives the newest revision only', async () => {
    const origin = await newOrigin();
    origin.load([
      { message: 'start', added: { trunk: null, 'trunk/a.txt': 'a' } },
      { message: 'second\n\nwith more', author: 'böb', added: { 'trunk/ü x.txt': 'x' }, changed: { 'trunk/a.txt': 'b' } },
    ]);
    assert.deepEqual(await pollAll(svnClient, materialOf(`${origin.url}/trunk`), undefined, lab.context()), [
      {
        revision: '2',
        userName: 'böb',
        email: null,
        comment: 'second\n\nwith more',
        modifiedTime: new Date('2015-07-01T05:20:05.123Z'),
        files: [
          { name: '/trunk/a.txt', action: 'modified' },
          { name: '/trunk/ü x.txt', action: 'added' },
        ],
      },
    ]);
  });

  test('later polls give all revisions since, oldest first, in batches', async () => {
    const origin = await newOrigin();
    origin.load([
      { message: 'start', added: { trunk: null, 'trunk/a.txt': '0' } },
      ...Array.from({ length: 900 }, (_, index) => ({ message: `change ${index + 2}`, changed: { 'trunk/a.txt': String(index + 1) } })),
    ]);
    const material = materialOf(`${origin.url}/trunk`);
    const batches = await batchesOf(svnClient, material, '1', lab.context());
    assert.ok(batches.length >= 2 && batches.every(({ length }) => length <= 500));
    assert.deepEqual(
      batches.flat().map(({ revision, comment }) => `${revision} ${comment}`),
      Array.from({ length: 900 }, (_, index) => `${index + 2} change ${index + 2}`),
    );
    assert.deepEqual(await pollAll(svnClient, material, '901', lab.context()), []);
    const [last] = await pollAll(svnClient, material, '900', lab.context());
    assert.equal(last!.revision, '901');
  });

  test('only changes below the path count, with renames, deletions and replacements', async () => {
    const origin = await newOrigin();
    origin.load([
      { message: 'start', added: { trunk: null, 'trunk/a.txt': 'a', 'trunk/b.txt': 'b', trunk2: null, 'trunk2/x': 'x' } },
      { message: 'elsewhere', changed: { 'trunk2/x': 'y' } },
    ]);
    const checkout = lab.newPath('checkout');
    await origin.svn(lab.directory, 'checkout', '--quiet', origin.url, checkout);
    await origin.svn(checkout, 'rename', '--quiet', 'trunk/a.txt', 'trunk/ä.txt');
    writeFileSync(join(checkout, 'trunk2', 'x'), 'z');
    await origin.svn(checkout, 'commit', '--quiet', '-m', 'renamed, and elsewhere');
    await origin.svn(checkout, 'delete', '--quiet', 'trunk/b.txt');
    writeFileSync(join(checkout, 'trunk', 'b.txt'), 'new');
    await origin.svn(checkout, 'add', '--quiet', 'trunk/b.txt');
    await origin.svn(checkout, 'commit', '--quiet', '-m', 'replaced');
    const all = await pollAll(svnClient, materialOf(`${origin.url}/trunk`), '1', lab.context());
    assert.deepEqual(
      all.map(({ revision }) => revision),
      ['3', '4'],
    );
    assert.deepEqual(all[0]!.files, [
      { name: '/trunk/a.txt', action: 'deleted' },
      { name: '/trunk/ä.txt', action: 'added' },
    ]);
    assert.deepEqual(all[1]!.files, [{ name: '/trunk/b.txt', action: 'unknown' }]);
    const whole = await pollAll(svnClient, materialOf(origin.url), '2', lab.context());
    assert.deepEqual(
      whole[0]!.files.map(({ name }) => name),
      ['/trunk/a.txt', '/trunk/ä.txt', '/trunk2/x'],
    );
  });

  test('odd names and messages are read: at-signs, blanks, percent signs', async () => {
    const origin = await newOrigin();
    const path = 'trunk@1 %41 ü';
    origin.load([
      { message: 'start', added: { [path]: null, [`${path}/a&b<c>.txt`]: 'a' } },
      { message: 'a <b> & "c" ]]> \u0001 ü 🚀', changed: { [`${path}/a&b<c>.txt`]: 'b' } },
    ]);
    const material = materialOf(`${origin.url}/${encodeURIComponent(path)}`);
    const [first] = await pollAll(svnClient, material, undefined, lab.context());
    assert.deepEqual(first!.files, [{ name: `/${path}/a&b<c>.txt`, action: 'modified' }]);
    assert.match(first!.comment!, /^a <b> & "c" \]\]> .* ü 🚀$/);
  });

  test('a repository that was replaced by a younger one gives its newest revision', async () => {
    const origin = await newOrigin();
    origin.load([{ message: 'start', added: { trunk: null } }]);
    const all = await pollAll(svnClient, materialOf(`${origin.url}/trunk`), '77', lab.context());
    assert.deepEqual(
      all.map(({ revision }) => revision),
      ['1'],
    );
  });

  test('a missing path, an empty repository and a missing one are reported', async () => {
    const origin = await newOrigin();
    const none = /No revision is visible at this address\./;
    await assert.rejects(pollAll(svnClient, materialOf(origin.url), undefined, lab.context()), none);
    for (const known of [undefined, '1']) {
      await assert.rejects(
        pollAll(svnClient, materialOf(`${origin.url}/nope`), known, lab.context()),
        /svn ended with status 1: .*E160013/,
      );
    }
    await assert.rejects(svnClient.checkConnection(materialOf(`${origin.url}/nope`), lab.context()), /E\d+/);
    await assert.rejects(svnClient.checkConnection(materialOf('file:///nowhere/at/all'), lab.context()), /Unable to open/);
    await svnClient.checkConnection(materialOf(origin.url), lab.context());
  });
});

describe('externals', () => {
  test('each external is a material of its own, with the password only for the same server', async () => {
    const origin = await SvnOrigin.make(join(root, 'externals'));
    origin.load([{ message: 'start', added: { trunk: null, 'trunk/sub': null, lib: null, other: null } }]);
    requirePassword(origin, 'bob', 'hunter2');
    const checkout = lab.newPath('checkout');
    await origin.svn(lab.directory, 'checkout', '--quiet', `${origin.url}/trunk`, checkout);
    const definitions = [
      '^/lib libs/one',
      '-r1 ^/lib pinned',
      '^/lib@1 pinned2',
      'old http://elsewhere.example.org/x',
      "../other 'with blank'",
      '# no',
    ];
    await origin.svn(checkout, 'propset', '--quiet', 'svn:externals', definitions.join('\n'), '.');
    await origin.svn(checkout, 'propset', '--quiet', 'svn:externals', '//127.0.0.1:1/y y\n/externals/lib deep', 'sub');
    await origin.svn(checkout, 'commit', '--quiet', '-m', 'externals');
    const url = `${server.url}/externals`;
    const material = materialOf(`${url}/trunk`, { username: 'bob', password: 'hunter2', checkExternals: true });
    const externals = await svnExternals(material, lab.context());
    const found = externals.map((external) => ({ ...external, material: materialOfExternal(material, external) }));
    assert.deepEqual(
      found.map(({ folder, material: { url: address, username, password } }) => [folder, address, username, password]).toSorted(),
      [
        ['libs/one', `${url}/lib`, 'bob', 'hunter2'],
        ['old', 'http://elsewhere.example.org/x', null, null],
        ['sub/deep', `${url}/lib`, 'bob', 'hunter2'],
        ['sub/y', 'svn://127.0.0.1:1/y', null, null],
        ['with blank', `${url}/other`, 'bob', 'hunter2'],
      ].toSorted(),
    );
    const lib = found.find(({ folder }) => folder === 'libs/one')!.material;
    assert.equal(lib.fingerprint, fingerprintOf({ type: 'svn', url: `${url}/lib`, username: 'bob', checkExternals: true }));
    assert.equal((await pollAll(svnClient, lib, undefined, lab.context()))[0]!.revision, '1');
    assert.deepEqual(await svnExternals({ ...material, checkExternals: false }, lab.context()), []);
    const [first] = await svnClient.findExternals!(material, lab.context());
    const renewed = svnClient.external!({ ...material, password: 'changed' }, first!);
    assert.equal(renewed.password, 'changed', 'with the password that is configured now');
  });

  test('an external on another server cannot name repositories of this machine, nor too many', async () => {
    const origin = await SvnOrigin.make(join(root, 'hostile'));
    origin.load([{ message: 'start', added: { trunk: null } }]);
    const checkout = lab.newPath('checkout');
    await origin.svn(lab.directory, 'checkout', '--quiet', `${origin.url}/trunk`, checkout);
    const material = (base: string) => materialOf(`${base}/trunk`, { checkExternals: true });
    const setExternals = async (...lines: readonly string[]) => {
      await origin.svn(checkout, 'propset', '--quiet', 'svn:externals', lines.join('\n'), '.');
      await origin.svn(checkout, 'commit', '--quiet', '-m', 'externals');
    };
    const externals = (base: string) => svnExternals(material(base), lab.context());
    await setExternals(`${origin.url}/trunk stolen`);
    await assert.rejects(
      externals(`${server.url}/hostile`),
      /^Error: The external file:\/\/\S+ is at an address that externals must not have\.$/,
    );
    assert.equal((await externals(origin.url)).length, 1, 'one of this machine may');
    await setExternals('svn+evil://bob:hunter2@host/x x');
    await assert.rejects(externals(`${server.url}/hostile`), /The external svn\+evil:\/\/bob:\*{6}@host\/x is at/);
    await setExternals(...Array.from({ length: 201 }, (_, index) => `svn://127.0.0.1:1/x d${index}`));
    await assert.rejects(externals(`${server.url}/hostile`), /There are 201 externals; at most 200 of one material are polled\./);
  });
});

describe('svnserve with a password', () => {
  test('a password is accepted, and shown nowhere', async () => {
    const password = 'hunter2 %41ü\'"';
    const origin = await SvnOrigin.make(join(root, 'private'));
    origin.load([{ message: 'start', added: { trunk: null, 'trunk/a.txt': 'a' } }]);
    requirePassword(origin, 'bob', password);
    const url = `${server.url}/private/trunk`;
    const inUrl = url.replace('://', `://bob:${encodeURIComponent(password)}@`);
    for (const material of [materialOf(url, { username: 'bob', password }), materialOf(inUrl)]) {
      const context = lab.context();
      const lines = await commandLinesDuring(async () => {
        assert.equal((await pollAll(svnClient, material, undefined, context))[0]!.revision, '1');
        assert.deepEqual(await pollAll(svnClient, material, '1', context), []);
        await svnClient.checkConnection(material, context);
        await svnClient.checkOut!(material, '1', lab.newPath('into'), context);
      });
      assert.ok([...lines].some((line) => line.includes('svn log') && line.includes(url)));
      for (const secret of [password, encodeURIComponent(password)]) {
        assert.deepEqual(
          [...lines].filter((line) => line.includes(secret)),
          [],
        );
        assert.deepEqual(
          filesHolding(lab.directory, secret).filter((path) => !path.endsWith('/conf/passwd')),
          [],
        );
      }
      assert.ok(!existsSync(join(process.env.HOME ?? '', '.subversion', 'auth', 'svn.simple', 'private')));
    }
  });

  test('wrong or missing credentials are reported without repeating them', async () => {
    const wrong = 'wr0ng-s3cret';
    const url = `${server.url}/private/trunk`;
    for (const material of [
      materialOf(url, { username: 'bob', password: wrong }),
      materialOf(url.replace('://', `://bob:${wrong}@`)),
      materialOf(url),
    ]) {
      const failure = await pollAll(svnClient, material, undefined, lab.context()).then(
        () => assert.fail('let in'),
        (reason) => reason,
      );
      assert.match(failure.message, /E170001|Authentication|No more credentials/);
      assert.doesNotMatch(allTextOf(failure), new RegExp(wrong));
    }
  });

  test('a user name that may be a token is not shown', async () => {
    const material = materialOf('http://t0ken-t0ken@127.0.0.1:1/x');
    const attempt = () => pollAll(svnClient, material, undefined, lab.context());
    const failure = await attempt().then(
      () => assert.fail('accepted'),
      (reason) => reason,
    );
    assert.match(failure.message, /Send the user name and the password as fields of their own/);
    assert.doesNotMatch(allTextOf(failure), /t0ken/);
  });

  test('addresses that lead to programs or working copies are refused', async () => {
    const proof = lab.newPath('proof');
    for (const url of [`svn+ssh://-oProxyCommand=touch%20${proof}/x`, `svn+evil://host/x`, lab.directory, 'trunk']) {
      await assert.rejects(pollAll(svnClient, materialOf(url), undefined, lab.context()), url);
    }
    assert.ok(!existsSync(proof));
  });

  test('a server that never answers is given up', async (t) => {
    const silent = createServer(() => {});
    const url = `svn://127.0.0.1:${await listenDuring(t, silent)}/x`;
    await assert.rejects(pollAll(svnClient, materialOf(url), undefined, lab.context({ timeoutMs: 400 })), CommandStopped);
    const asking = { ...lab.context(), limits: { timeoutMs: 60_000, responseTimeoutMs: 400, maxBytes: 1_000_000 } };
    await assert.rejects(svnClient.checkConnection(materialOf(url), asking), /svn was stopped: it took longer than 0\.4 seconds\./);
    const polling = pollAll(svnClient, materialOf(url), '1', asking);
    await assert.rejects(polling, /svn was stopped: it printed nothing for 0\.4 seconds\./);
  });
});

describe('identities', () => {
  const uuids = new SvnUuids(
    lab.newPath('asked'),
    ALLOW_ALL_ADDRESSES,
    { resolve: async (text) => text, resolveAll: async (values) => values },
    () => {},
  );
  const written = { attributes: { url: 'svn://host/x', username: null, checkExternals: false } };
  const configured = (url: string) =>
    ({ fingerprint: url, type: 'svn', uses: [], configRepos: [], written, toPoll: () => materialOf(url) }) as unknown as Material;
  const { signal } = new AbortController();

  test('an answered UUID is kept, and without an answer it is unknown', async () => {
    const origin = await newOrigin();
    const material = configured(origin.url);
    assert.equal(uuids.known(material), undefined);
    const [one, other] = await Promise.all([uuids.ask(material, signal), uuids.ask(material, signal)]);
    assert.match(one ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(other, one);
    assert.equal(uuids.known(material), one);
    const missing = configured(`${origin.url}-missing`);
    assert.equal(await uuids.ask(missing, signal), undefined);
    assert.equal(uuids.known(missing), undefined);
  });

  test('one server is asked once for all callers, and left when the last of them has gone', async (t) => {
    const connections: Socket[] = [];
    const silent = createServer((socket) => void connections.push(socket));
    const material = configured(`svn://127.0.0.1:${await listenDuring(t, silent)}/x`);
    const [first, second] = [new AbortController(), new AbortController()];
    const connected = once(silent, 'connection');
    const answers = [uuids.ask(material, first.signal), uuids.ask(material, second.signal)];
    await connected;
    const closed = once(
      connections[0]!.resume().on('error', () => {}),
      'close',
    );
    first.abort();
    assert.equal(await Promise.race([closed.then(() => 'left'), pause(100).then(() => 'goes on')]), 'goes on');
    second.abort();
    await closed;
    assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
    assert.equal(connections.length, 1);
    const stopped = new AbortController();
    stopped.abort();
    assert.equal(await uuids.ask(material, stopped.signal), undefined);
  });
});

describe('checking out', () => {
  test('leaves externals alone: they are no business of the password', async () => {
    const [origin, elsewhere] = [await newOrigin(), await newOrigin()];
    for (const one of [origin, elsewhere]) one.load([{ message: 'one', added: { trunk: null, 'trunk/a.txt': 'a' } }]);
    const checkout = lab.newPath('checkout');
    await origin.svn(lab.directory, 'checkout', '--quiet', `${origin.url}/trunk`, checkout);
    await origin.svn(checkout, 'propset', '--quiet', 'svn:externals', `${elsewhere.url}/trunk stolen`, '.');
    await origin.svn(checkout, 'commit', '--quiet', '-m', 'externals');
    const into = lab.newPath('into');
    await svnClient.checkOut!(materialOf(`${origin.url}/trunk`), '2', into, lab.context());
    assert.deepEqual(readdirSync(into).toSorted(), ['.svn', 'a.txt']);
  });

  test('any revisions are checked out in the same directory, up to a limit of size', async () => {
    const origin = await newOrigin();
    origin.load([
      { message: 'one', added: { trunk: null, 'trunk/a.txt': 'one', 'trunk/b.txt': 'b' } },
      { message: 'two', changed: { 'trunk/a.txt': 'two' }, deleted: ['trunk/b.txt'] },
    ]);
    const material = materialOf(`${origin.url}/trunk`);
    const into = lab.newPath('into');
    const context = lab.context();
    await svnClient.checkOut!(material, '2', into, context);
    assert.deepEqual(readdirSync(into).toSorted(), ['.svn', 'a.txt']);
    writeFileSync(join(into, 'a.txt'), 'touched');
    writeFileSync(join(into, 'stray'), 'stray');
    await svnClient.checkOut!(material, '1', into, context);
    assert.deepEqual(readdirSync(into).toSorted(), ['.svn', 'a.txt', 'b.txt']);
    assert.equal(readFileSync(join(into, 'a.txt'), 'utf8'), 'one');
    await assert.rejects(svnClient.checkOut!(material, 'HEAD', into, context), /no revision/);
    await assert.rejects(svnClient.checkOut!(material, '2', lab.newPath('into'), lab.context({ maxBytes: 1000 })), /too large/);
  });
});
