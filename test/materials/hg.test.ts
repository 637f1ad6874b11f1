// Polling real Mercurial repositories, by path and through `hg serve` with a password.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CommandStopped } from '../../src/kit/process/command.ts';
import type { PollContext } from '../../src/materials/clients/client.ts';
import { hgClient } from '../../src/materials/types/hg/hg-client.ts';
import type { HgMaterial } from '../../src/materials/types/hg/material.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { HgOrigin, type HgServer, startHgServe } from './support/hg-origin.ts';
import { allTextOf, batchesOf, commandLinesDuring, filesHolding, Lab, listenDuring, pollAll } from './support/polling.ts';
import { QuickHg } from './support/quick-hg.ts';

const lab = new Lab();
let quickHg: QuickHg;
before(async () => {
  await ensureDebianPackages(['mercurial']);
  quickHg = await QuickHg.install(lab.newPath('bin'));
});
after(() => {
  quickHg.remove();
  lab.remove();
});

const materialOf = (url: string, more: Partial<HgMaterial> = {}): HgMaterial => ({ type: 'hg', fingerprint: 'f', url, ...more });
const newOrigin = () => HgOrigin.make(lab.newPath('origin'));
const poll = (origin: HgOrigin, known: string | undefined, context: PollContext, more: Partial<HgMaterial> = {}) =>
  pollAll(hgClient, materialOf(origin.path, more), known, context);
const revisions = (all: readonly { readonly revision: string }[]) => all.map(({ revision }) => revision);

test('the settings of a repository on this machine are not obeyed, nor repeated', async (t) => {
  quickHg.leaveOut(t);
  const origin = await newOrigin();
  const tip = await origin.commit('one', { 'a.txt': 'a' });
  const [trap, trapped] = [lab.newPath('trap.py'), lab.newPath('trapped')];
  writeFileSync(trap, `open(${JSON.stringify(trapped)}, 'w')\n`);
  const settings = `[extensions]\nx = ${trap}\n[hooks]\noutgoing.x = touch ${trapped}\npreoutgoing.x = touch ${trapped}\n`;
  for (const text of [settings, 'a secret that is no setting']) {
    writeFileSync(join(origin.path, '.hg', 'hgrc'), text);
    assert.deepEqual(revisions(await poll(origin, undefined, lab.context())), [tip]);
  }
  assert.ok(!existsSync(trapped));
});

describe('new changesets', () => {
  test('the first poll gives the newest changeset only, later polls all since', async () => {
    const origin = await newOrigin();
    await origin.commit('start', { 'a.txt': 'a', gone: 'x' });
    rmSync(join(origin.path, 'gone'));
    await origin.hg('rename', 'a.txt', 'ä b.txt');
    const second = await origin.commit('second\n\nwith a body ü 🚀', { 'new\\file': 'n' }, '--date=2015-07-01 05:20:05 +0200');
    const context = lab.context();
    const [first, ...others] = await poll(origin, undefined, context);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...first, files: first!.files.toSorted((one, other) => (one.name < other.name ? -1 : 1)) },
      {
        revision: second,
        userName: 'Ann Öther <ann@example.org>',
        email: null,
        comment: 'second\n\nwith a body ü 🚀',
        modifiedTime: new Date('2015-07-01T03:20:05Z'),
        files: [
          { name: 'a.txt', action: 'deleted' },
          { name: 'gone', action: 'deleted' },
          { name: 'new\\file', action: 'added' },
          { name: 'ä b.txt', action: 'added' },
        ],
      },
    );
    assert.deepEqual(await poll(origin, second, context), []);
    await origin.grow(501);
    const batches = await batchesOf(hgClient, materialOf(origin.path), second, context);
    assert.ok(batches.length >= 2);
    assert.deepEqual(
      batches.flat().map(({ comment }) => comment),
      Array.from({ length: 501 }, (_, index) => `change ${index + 1}`),
    );
    assert.deepEqual(batches[0]![0]!.files, [{ name: 'grown/file-1.txt', action: 'added' }]);
  });

  test('branches are given by the attribute, in the address, or by default', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base', { a: 'a' });
    await origin.hg('branch', '--quiet', 'feature "x"');
    const feature = await origin.commit('feature', { b: 'b' });
    await origin.hg('update', '--quiet', 'default');
    assert.equal((await poll(origin, undefined, lab.context(), { branch: 'feature "x"' }))[0]!.revision, feature);
    assert.equal((await poll(origin, undefined, lab.context()))[0]!.revision, base);
    for (const mark of ['#', '##']) {
      const inUrl = materialOf(`${origin.path}${mark}feature "x"`);
      assert.equal((await pollAll(hgClient, inUrl, undefined, lab.context()))[0]!.revision, feature);
    }
    await origin.hg('merge', '--quiet', 'feature "x"');
    const merge = await origin.commit('merge');
    assert.deepEqual(revisions(await poll(origin, base, lab.context())), [merge], 'the other branch is not this one');
  });

  test('a missing branch, an empty repository and a missing one are reported', async () => {
    const origin = await newOrigin();
    await assert.rejects(
      poll(origin, undefined, lab.context()),
      /^Error: The branch default could not be found\. The repository is empty\.$/,
    );
    await origin.commit('x', { a: 'a' });
    await assert.rejects(poll(origin, undefined, lab.context(), { branch: 'no' }), /^Error: The branch no could not be found\.$/);
    await assert.rejects(hgClient.checkConnection(materialOf(`${origin.path}#no`), lab.context()), /The branch no could not be found/);
    await assert.rejects(hgClient.checkConnection(materialOf('/nowhere/at/all'), lab.context()), /repository .* not found/);
    await hgClient.checkConnection(materialOf(origin.path), lab.context());
  });

  test('after a strip the copy still knows what is new, and without it the newest changeset counts', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base', { a: 'a' });
    const lost = await origin.commit('lost', { b: 'b' });
    const context = lab.context();
    await poll(origin, base, context);
    await origin.hg('--config=extensions.strip=', 'strip', '--quiet', '--no-backup', lost);
    const [one, two] = [await origin.commit('one', { c: 'c' }), await origin.commit('two', { d: 'd' })];
    assert.deepEqual(revisions(await poll(origin, lost, context)), [one, two], 'our copy knows what was there');
    assert.deepEqual(revisions(await poll(origin, lost, lab.context())), [two], 'nobody knows any more');
    await origin.hg('--config=extensions.strip=', 'strip', '--quiet', '--no-backup', two!);
    assert.deepEqual(revisions(await poll(origin, two, lab.context())), [one]);
  });

  test('a repository that was replaced by another one gives its newest changeset alone', async () => {
    const origin = await newOrigin();
    const former = await origin.commit('former', { a: 'a' });
    const context = lab.context();
    await poll(origin, undefined, context);
    rmSync(origin.path, { recursive: true });
    const other = await HgOrigin.make(origin.path);
    await other.commit('other', { b: 'b' });
    const newest = await other.commit('newest', { c: 'c' });
    assert.deepEqual(revisions(await poll(other, former, context)), [newest]);
    assert.deepEqual(revisions(await poll(other, newest, context)), []);
  });

  test('a copy that is lost or damaged is made anew', async () => {
    const origin = await newOrigin();
    let known = await origin.commit('start', { a: 'a' });
    const context = lab.context();
    const mirror = join(context.directory, 'mirror.hg');
    const harm: Readonly<Record<string, () => void>> = {
      lost: () => rmSync(context.directory, { recursive: true }),
      'half done': () => rmSync(join(mirror, 'slipway-source')),
      'broken log': () => writeFileSync(join(mirror, '.hg', 'store', '00changelog.i'), 'broken'),
      'no repository': () => rmSync(join(mirror, '.hg'), { recursive: true }),
    };
    for (const [what, damage] of Object.entries(harm)) {
      await poll(origin, undefined, context);
      damage();
      const expected = [await origin.commit(`${what} 1`, { a: what }), await origin.commit(`${what} 2`, { b: what })];
      assert.deepEqual(revisions(await poll(origin, known, context)), expected, what);
      known = expected[1]!;
    }
  });
});

describe('hg serve with a password', () => {
  const password = "p@ss/w%rd:'$(x)\\#";
  let origin: HgOrigin;
  let server: HgServer;
  before(async () => {
    origin = await newOrigin();
    await origin.commit('start', { a: 'a' });
    server = await startHgServe(origin, 'bob', password);
  });
  after(() => server.stop());

  test('the password is accepted, and shown nowhere', async () => {
    const inUrl = server.url.replace('://', `://bob:${encodeURIComponent(password)}@`);
    for (const material of [materialOf(server.url, { username: 'bob', password }), materialOf(inUrl)]) {
      const context = lab.context();
      const known = await origin.tip();
      const lines = await commandLinesDuring(async () => {
        assert.deepEqual(revisions(await pollAll(hgClient, material, undefined, context)), [known]);
        assert.deepEqual(await pollAll(hgClient, material, known, context), []);
        const next = await origin.commit('next');
        assert.deepEqual(revisions(await pollAll(hgClient, material, known, context)), [next]);
        await hgClient.checkOut!(material, next, lab.newPath('into'), context);
      });
      assert.ok([...lines].some((line) => line.includes(' identify ') && line.includes(server.url)));
      for (const secret of [password, encodeURIComponent(password)]) {
        assert.deepEqual(
          [...lines].filter((line) => line.includes(secret)),
          [],
        );
        assert.deepEqual(filesHolding(lab.directory, secret), []);
      }
    }
  });

  test('no file holds the password while hg runs, for a crash would leave it', async (t) => {
    const stop = new AbortController();
    const asked = Promise.withResolvers<void>();
    const port = await listenDuring(
      t,
      createServer(() => asked.resolve()),
    );
    const material = materialOf(`http://127.0.0.1:${port}/x`, { username: 'bob', password });
    const polling = assert.rejects(pollAll(hgClient, material, undefined, lab.context({ signal: stop.signal })), CommandStopped);
    await asked.promise;
    assert.deepEqual(filesHolding(lab.directory, password), []);
    stop.abort();
    await polling;
  });

  test('wrong or missing credentials are reported without repeating them', async () => {
    const wrong = 'wr0ng-s3cret';
    for (const material of [
      materialOf(server.url, { username: 'bob', password: wrong }),
      materialOf(server.url.replace('://', `://bob:${wrong}@`)),
      materialOf(server.url),
    ]) {
      const failure = await pollAll(hgClient, material, undefined, lab.context()).then(
        () => assert.fail('let in'),
        (reason) => reason,
      );
      assert.match(failure.message, /authorization (?:failed|required)/);
      assert.doesNotMatch(allTextOf(failure), new RegExp(wrong));
    }
    const nonAscii = materialOf(server.url, { username: 'bob', password: 'wörd' });
    await assert.rejects(pollAll(hgClient, nonAscii, undefined, lab.context()), /Mercurial only takes user names and passwords in ASCII/);
  });
});

describe('limits', () => {
  test('addresses and branches that lead to programs are refused', async () => {
    const proof = lab.newPath('proof');
    for (const material of [
      materialOf(`ssh://-oProxyCommand=touch%20${proof}/x`),
      materialOf(`bundle:${lab.directory}`),
      materialOf(`union:${lab.directory}+${lab.directory}`),
      materialOf(`--config=alias.identify=!touch ${proof}`),
      materialOf('http://127.0.0.1:1/x', { branch: `--config=alias.identify=!touch ${proof}` }),
    ]) {
      await assert.rejects(pollAll(hgClient, material, undefined, lab.context()), material.url);
    }
    assert.ok(!existsSync(proof));
  });

  test('a server that never answers is given up', async (t) => {
    const silent = createServer(() => {});
    const url = `http://127.0.0.1:${await listenDuring(t, silent)}/x`;
    await assert.rejects(pollAll(hgClient, materialOf(url), undefined, lab.context({ timeoutMs: 700 })), CommandStopped);
  });

  test('a repository that is too large leaves nothing', async (t) => {
    quickHg.leaveOut(t);
    const origin = await newOrigin();
    writeFileSync(join(origin.path, 'huge'), randomBytes(3 * 1024 * 1024));
    await origin.commit('huge');
    const context = lab.context({ maxBytes: 1024 * 1024 });
    await assert.rejects(poll(origin, undefined, context), /The repository is too large/);
    assert.deepEqual(readdirSync(context.directory), []);
  });
});

test('any changesets are checked out one after the other in the same directory', async () => {
  const origin = await newOrigin();
  const first = await origin.commit('one', { 'a.txt': 'one', 'b.txt': 'b' });
  rmSync(join(origin.path, 'b.txt'));
  const second = await origin.commit('two', { 'a.txt': 'two' });
  const into = lab.newPath('into');
  const context = lab.context();
  const material = materialOf(origin.path);
  await hgClient.checkOut!(material, second, into, context);
  assert.deepEqual(readdirSync(into).toSorted(), ['.hg', 'a.txt']);
  writeFileSync(join(into, 'a.txt'), 'touched');
  writeFileSync(join(into, 'stray'), 'stray');
  await hgClient.checkOut!(material, first, into, context);
  assert.deepEqual(readdirSync(into).toSorted(), ['.hg', 'a.txt', 'b.txt']);
  assert.equal(readFileSync(join(into, 'a.txt'), 'utf8'), 'one');
  const third = await origin.commit('three', { 'a.txt': 'three' });
  await hgClient.checkOut!(material, third, into, context);
  assert.equal(readFileSync(join(into, 'a.txt'), 'utf8'), 'three');
  await assert.rejects(hgClient.checkOut!(material, 'd'.repeat(40), into, context), /is not in the repository any more/);
});
