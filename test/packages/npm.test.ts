// The npm plugin and a registry that the stock npm program publishes to.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { npmPackagePlugin } from '../../src/plugins/bundled/packages/npm.ts';
import { LOGIN, NpmRegistry, TOKEN } from '../support/services/npm-registry.ts';
import { pollTools, settings } from './tools.ts';

const tools = pollTools();
const { latestRevision, latestRevisionSince, checkRepository, checkPackage } = npmPackagePlugin;

describe('an open registry', () => {
  let registry: NpmRegistry;
  const of = (one: Record<string, string>) => settings({ REPO_URL: registry.url }, one);
  const pad = (more: Record<string, string> = {}) => of({ PACKAGE_NAME: 'left-pad', ...more });
  before(async () => {
    registry = await NpmRegistry.start();
    await registry.publish({ name: 'left-pad', version: '1.9.0', description: 'Pads “to the left”' });
    await registry.publish({ name: 'left-pad', version: '2.0.0-beta.1' }, '--tag', 'next');
    await registry.publish({ name: 'left-pad', version: '1.10.0', description: 'Pads “to the left”' });
    await registry.publish({ name: '@team/pad', version: '0.1.0' }, '--access', 'public');
  });
  after(() => registry.stop());

  test('works for npm itself', async () => {
    assert.deepEqual(JSON.parse(await registry.view('left-pad', 'versions', '--json')), ['1.9.0', '1.10.0', '2.0.0-beta.1']);
    assert.equal((await registry.view('@team/pad@latest', 'version')).trim(), '0.1.0');
  });

  test('gives the latest version with its time, user and location', async () => {
    const { time, ...rest } = await latestRevision(pad(), tools);
    const published = JSON.parse(await registry.view('left-pad', 'time', '--json'))['1.10.0'];
    assert.equal(time.toISOString(), published);
    assert.deepEqual(rest, {
      revision: '1.10.0',
      user: LOGIN.user,
      comment: 'Pads “to the left”',
      trackbackUrl: `${registry.url}/left-pad/1.10.0`,
      data: { VERSION: '1.10.0', LOCATION: `${registry.url}/left-pad/-/left-pad-1.10.0.tgz` },
    });
    assert.equal((await fetch(rest.data.LOCATION!)).status, 200);
  });

  for (const [title, settingsOfPackage, revision] of [
    ['under another tag', { PACKAGE_NAME: 'left-pad', DIST_TAG: 'next' }, '2.0.0-beta.1'],
    ['in a range', { PACKAGE_NAME: 'left-pad', VERSION_RANGE: '^1.2.0' }, '1.10.0'],
    ['in a range with versions before a release', { PACKAGE_NAME: 'left-pad', VERSION_RANGE: '>=2.0.0-beta.0' }, '2.0.0-beta.1'],
    ['of a package with a scope', { PACKAGE_NAME: '@team/pad' }, '0.1.0'],
  ] as const) {
    test(`the version ${title}`, async () => {
      assert.equal((await latestRevision(of(settingsOfPackage), tools)).revision, revision);
    });
  }

  for (const [title, settingsOfPackage, message] of [
    ['a package that is not there', { PACKAGE_NAME: 'right-pad' }, /\/right-pad was answered with status 404: there is no such thing\.$/],
    [
      'a tag that is not there',
      { PACKAGE_NAME: 'left-pad', DIST_TAG: 'lts' },
      /^The registry has no version with the tag lts of left-pad\.$/,
    ],
    [
      'a range with nothing in it',
      { PACKAGE_NAME: 'left-pad', VERSION_RANGE: '3.x' },
      /^The registry has no version in the range 3\.x of left-pad\.$/,
    ],
  ] as const) {
    test(`the registry lacks ${title}, which is explained`, async () => {
      await assert.rejects(latestRevision(of(settingsOfPackage), tools), { message });
      const verdict = await checkPackage(of(settingsOfPackage), tools);
      assert.equal(verdict.isOk, false);
      assert.match(verdict.messages.join('\n'), message);
    });
  }

  test('is asked one short question if there is nothing new', async () => {
    registry.requests.length = 0;
    assert.equal(await latestRevisionSince(pad(), { revision: '1.10.0' }, tools), undefined);
    assert.deepEqual(registry.requests, ['GET /left-pad']);
  });

  test('gives a new version, also when a tag is put back', async () => {
    await registry.publish({ name: 'left-pad', version: '1.11.0' });
    assert.equal((await latestRevisionSince(pad(), { revision: '1.10.0' }, tools))?.revision, '1.11.0');
    assert.equal((await latestRevisionSince(pad({ VERSION_RANGE: '1.x' }), { revision: '1.10.0' }, tools))?.revision, '1.11.0');
    await registry.tag('left-pad', '1.10.0', 'latest');
    assert.equal((await latestRevisionSince(pad(), { revision: '1.11.0' }, tools))?.revision, '1.10.0');
  });

  test('answers the checks of a repository and of a package', async () => {
    assert.deepEqual(await checkRepository(of({}).repository, tools), { isOk: true, messages: ['The registry answers.'] });
    assert.deepEqual(await checkPackage(pad(), tools), { isOk: true, messages: ['Found version 1.10.0 of left-pad.'] });
  });
});

describe('a closed registry', () => {
  let registry: NpmRegistry;
  before(async () => {
    registry = await NpmRegistry.start({ isClosed: true });
    await registry.publish({ name: 'secret-pad', version: '1.0.0' });
  });
  after(() => registry.stop());

  for (const [title, credentials] of [
    ['a token', { TOKEN }],
    ['user name and password', { USERNAME: LOGIN.user, PASSWORD: LOGIN.password }],
  ] as const) {
    test(`opens with ${title}`, async () => {
      const given = settings({ REPO_URL: `${registry.url}/`, ...credentials }, { PACKAGE_NAME: 'secret-pad' });
      assert.equal((await latestRevision(given, tools)).revision, '1.0.0');
      const messages = ['The registry answers.', 'It knows the user.'];
      assert.deepEqual(await checkRepository(given.repository, tools), { isOk: true, messages });
    });
  }

  test('stays closed without the right credentials, and nothing that was sent is repeated', async () => {
    const given = settings({ REPO_URL: registry.url, TOKEN: 'wrong-secret' }, { PACKAGE_NAME: 'secret-pad' });
    const wrong = ': the credentials are wrong or do not suffice.';
    for (const { isOk, messages } of [await checkRepository(given.repository, tools), await checkPackage(given, tools)]) {
      assert.equal(isOk, false);
      assert.ok(messages.join().endsWith(`was answered with status 401${wrong}`), messages.join());
      assert.ok(!messages.join().includes('wrong-secret'));
    }
    const without = settings({ REPO_URL: registry.url }, { PACKAGE_NAME: 'secret-pad' });
    await assert.rejects(latestRevision(without, tools), /status 401: it needs credentials\.$/);
  });
});
