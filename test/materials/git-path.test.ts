// The plugin that watches paths of a git repository, through the client for plugin materials, against real repositories.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type PluginMaterial, type PluginPollContext, pluginClient } from '../../src/materials/types/plugin/client.ts';
import { gitPathPlugin } from '../../src/plugins/bundled/scm/git-path.ts';
import { testSettings } from '../../src/plugins/test-support.ts';
import { startGitHttp } from './support/git-http.ts';
import { AUTHOR, GitOrigin } from './support/git-origin.ts';
import { allTextOf, commandLinesDuring, filesHolding, Lab } from './support/polling.ts';

const client = pluginClient((id) => (id === gitPathPlugin.id ? gitPathPlugin : undefined));
const lab = new Lab();
after(() => lab.remove());

function material(settings: Readonly<Record<string, string>>, pluginId: string = gitPathPlugin.id): PluginMaterial {
  const configured = new Map(Object.entries({ branch: 'main', ...settings }));
  return { type: 'plugin', fingerprint: 'aa', pluginId, settings: configured, configured };
}

/** Polls like the server does: with the data that was kept the last time. */
class Poller {
  readonly #material: PluginMaterial;
  readonly context: PluginPollContext;
  kept: string | undefined;

  constructor(polled: PluginMaterial) {
    this.#material = polled;
    const keep = (data: string) => {
      this.kept = data;
    };
    this.context = { ...lab.context(), keep };
  }

  async poll(known?: string) {
    const before = known === undefined ? undefined : { revision: known, ...(this.kept !== undefined && { data: this.kept }) };
    return (await Array.fromAsync(client.poll(this.#material, before, this.context))).flat();
  }

  async revisions(known?: string): Promise<string[]> {
    return (await this.poll(known)).map(({ revision }) => revision);
  }
}

describe('a repository with several projects', () => {
  let origin: GitOrigin;
  const revisions: Record<string, string> = {};
  before(async () => {
    origin = await GitOrigin.make(lab.newPath('origin'));
    revisions.shop = await origin.commit('shop\n\nbegins', { 'shop/a.txt': '1', 'shop/README.md': '1' });
    revisions.both = await origin.commit('both', { 'shop/a.txt': '2', 'bank/grün.txt': '1' });
    revisions.bank = await origin.commit('bank', { 'bank/b.txt': '1' });
    revisions.readme = await origin.commit('words', { 'shop/README.md': '2', 'top.txt': '1' });
  });
  const at = (path: string) => new Poller(material({ url: origin.path, path }));

  test('the first poll gives the newest commit that touches the path, with its files', async () => {
    const { time: _, ...found } = { time: 0, ...(await at('bank').poll())[0]! };
    assert.deepEqual(found, {
      revision: revisions.bank,
      userName: AUTHOR,
      email: null,
      comment: 'bank',
      modifiedTime: found.modifiedTime,
      files: [{ name: 'bank/b.txt', action: 'added' }],
    });
  });

  for (const [path, newest] of [
    ['shop', 'readme'],
    ['shop/', 'readme'],
    ['shop, :(exclude)*README.md', 'both'],
    [' bank ,nothing', 'bank'],
    ['*/a.txt', 'both'],
    ['bank/grün.txt', 'both'],
    [':(glob)**/*.md', 'readme'],
  ] as const) {
    test(`paths ${path}`, async () => assert.deepEqual(await at(path).revisions(), [revisions[newest]]));
  }

  test('later polls give only later commits that touch the path, oldest first', async () => {
    assert.deepEqual(await at('shop').revisions(revisions.shop), [revisions.both, revisions.readme]);
    assert.deepEqual(
      (await at('bank').poll(revisions.shop)).map(({ files }) => files.map(({ name }) => name)),
      [['bank/grün.txt'], ['bank/b.txt']],
    );
  });

  test('the kept tip spares a fetch until the branch moves', async () => {
    const poller = at('bank');
    assert.deepEqual(await poller.revisions(), [revisions.bank]);
    assert.deepEqual(JSON.parse(poller.kept!), { tip: await origin.tip() });
    assert.deepEqual(await poller.revisions(revisions.bank), []);
    const later = await origin.commit('shop again', { 'shop/c.txt': '1' });
    assert.deepEqual(await poller.revisions(revisions.bank), []);
    assert.deepEqual(JSON.parse(poller.kept!), { tip: later });
    const bank = await origin.commit('bank again', { 'bank/c.txt': '1' });
    await origin.commit('shop once more', { 'shop/d.txt': '1' });
    assert.deepEqual(await poller.revisions(revisions.bank), [bank]);
    poller.kept = 'nonsense';
    assert.deepEqual(await poller.revisions(bank), []);
  });

  test('after a branch leaves the known commit behind, only the newest commit counts', async () => {
    await origin.run('checkout', '--quiet', '-b', 'forced', revisions.shop!);
    const poller = new Poller(material({ url: origin.path, path: 'shop', branch: 'forced' }));
    await origin.commit('one', { 'shop/x.txt': '1' });
    const [known] = await poller.revisions();
    await origin.run('reset', '--quiet', '--hard', revisions.shop!);
    await origin.commit('two', { 'shop/x.txt': '2' });
    const three = await origin.commit('three', { 'shop/x.txt': '3' });
    await origin.commit('four', { 'bank/x.txt': '3' });
    assert.deepEqual(await poller.revisions(known), [three]);
    await origin.run('checkout', '--quiet', 'main');
  });

  test('files of a revision are checked out', async () => {
    const into = lab.newPath('checkout');
    const { context } = at('shop');
    await client.checkOut!(material({ url: origin.path, path: 'shop' }), revisions.both!, into, context);
    assert.equal(readFileSync(join(into, 'shop/a.txt'), 'utf8'), '2');
    assert.ok(existsSync(join(into, 'bank/grün.txt')) && !existsSync(join(into, 'bank/b.txt')));
  });

  test('failures are explained in words', async () => {
    await assert.rejects(at('nowhere').poll(), /^Error: No commit of the branch main touches nowhere\.$/);
    const gone = new Poller(material({ url: origin.path, path: 'shop', branch: 'gone' }));
    await assert.rejects(gone.poll(), /The ref refs\/heads\/gone could not be found\.$/);
    await assert.rejects(
      client.checkConnection(material({ url: origin.path, path: 'x', branch: 'gone' }), lab.context()),
      /could not be found/,
    );
    await assert.rejects(client.checkConnection(material({}, 'other'), lab.context()), /Plugin with id 'other' is not found\.$/);
    assert.deepEqual(await client.check(material({ url: origin.path, path: 'x' }), lab.context()), {
      isOk: true,
      messages: ['The repository has the branch main.'],
    });
  });

  test('a long history comes in batches', async () => {
    origin.grow('long', 1200, await origin.tip());
    const poller = new Poller(material({ url: origin.path, path: 'folder', branch: 'long' }));
    const batches = await Array.fromAsync(
      client.poll(material({ url: origin.path, path: 'folder', branch: 'long' }), { revision: await origin.tip() }, poller.context),
    );
    assert.equal(batches.flat().length, 1200);
    assert.ok(batches.length > 1);
  });
});

test('credentials are neither shown nor left behind', async () => {
  const [username, password] = ['jez', 'path-secret-42'];
  const origin = await GitOrigin.make(join(lab.newPath('served'), 'shop'));
  const revision = await origin.commit('one', { 'a.txt': '1' });
  const server = await startGitHttp({ root: join(origin.path, '..'), username, password });
  try {
    const settings = { url: `${server.url}/shop/.git`, path: 'a.txt', username };
    const poller = new Poller(material({ ...settings, password }));
    const commandLines = await commandLinesDuring(async () => assert.deepEqual(await poller.revisions(), [revision]));
    assert.ok(![...commandLines].some((line) => line.includes(password)));
    assert.deepEqual(filesHolding(poller.context.directory, password), []);
    const wrong = `${password}-wrong`;
    const { isOk, messages } = await client.check(material({ ...settings, password: wrong }), lab.context());
    assert.equal(isOk, false);
    assert.ok(!messages.join().includes(wrong));
    await assert.rejects(new Poller(material({ ...settings, password: wrong })).poll(), (failure) => !allTextOf(failure).includes(wrong));
  } finally {
    await server.stop();
  }
});

describe('settings', () => {
  testSettings(gitPathPlugin.blocks.scm, { url: 'https://scm.example.org/shop.git', path: 'shop, bank' }, [
    ['nothing', { url: '', path: ' ' }, ['url', 'url must not be blank.'], ['path', 'path must not be blank.']],
    ['no path between commas', { path: ' , ' }, ['path', 'path must name at least one path; several are separated by commas.']],
    ['a user name over ssh', { url: 'ssh://git@scm.example.org/shop.git' }],
    ['the short form', { url: 'git@scm.example.org:shop.git' }],
    ['a port', { url: 'https://scm.example.org:8443/shop.git' }],
    [
      'a password in the address',
      { url: 'https://jez:secret@scm.example.org/shop.git' },
      ['url', 'url must not contain a password. Please use username and password.'],
    ],
    ['credentials', { username: 'jez', password: 'secret' }],
    ['a password alone', { password: 'secret' }, ['username', 'username cannot be blank when password is provided.']],
  ]);
});
