// Package repositories, packages and SCMs, tried out against servers that answer and servers that do not.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { git } from '../../support/git.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';

const REPOSITORY_CHECK = '/api/admin/internal/repositories/verify_connection';
const PACKAGE_CHECK = '/api/admin/internal/packages/verify_connection';
const SCM_CHECK = '/api/admin/internal/scms/verify_connection';
const SECRET = 'registry-password';

const lab = new Lab();
let server: TestServer;
let npm: WebServer;
const authorizations: (string | undefined)[] = [];
before(async () => {
  server = await TestServer.start();
  npm = await startWebServer(({ url, headers }, response) => {
    authorizations.push(headers.authorization);
    const isKnown = url === '/-/ping' || url === '/left-pad' || url === '/-/whoami';
    response.writeHead(isKnown ? 200 : 404).end(JSON.stringify({ 'dist-tags': { latest: '1.3.0' }, username: 'jez' }));
  });
});
after(async () => {
  await server.stop();
  await npm.stop();
  lab.remove();
});

const repository = (more: object = {}) => ({
  repo_id: 'npm',
  name: 'npm',
  plugin_metadata: { id: 'slipway.package.npm', version: '1' },
  configuration: [
    { key: 'REPO_URL', value: npm.url },
    { key: 'USERNAME', value: 'jez' },
    { key: 'PASSWORD', value: SECRET },
  ],
  ...more,
});
const left = (name: string, more: object = {}) => ({
  name: 'left',
  id: 'left',
  package_repo: { id: 'npm' },
  configuration: [{ key: 'PACKAGE_NAME', value: name }],
  ...more,
});

describe('a package repository', () => {
  test('a package repository that answers passes the check', async () => {
    const { status, json } = await server.post(REPOSITORY_CHECK, repository());
    assert.deepEqual([status, json.message], [200, 'Connection OK. The registry answers.\nIt knows the user.']);
    const { encrypted_value, ...rest } = json.package_repository.configuration[2];
    assert.deepEqual(rest, { key: 'PASSWORD' });
    assert.ok(encrypted_value.length > 10 && !JSON.stringify(json).includes(SECRET));
    const sent = `Basic ${Buffer.from(`jez:${SECRET}`).toString('base64')}`;
    assert.equal(authorizations.at(-1), sent);
    authorizations.length = 0;
    const stored = { ...repository(), configuration: json.package_repository.configuration };
    assert.equal((await server.post(REPOSITORY_CHECK, stored)).status, 200);
    assert.equal(authorizations.at(-1), sent, 'an encrypted value is sent in clear, too');
  });

  test('a package repository that does not answer fails the check with the reason', async () => {
    const gone = await startWebServer(() => {});
    await gone.stop();
    const configuration = [{ key: 'REPO_URL', value: gone.url }];
    const { status, json } = await server.post(REPOSITORY_CHECK, repository({ configuration }));
    const reason = `${gone.url}/-/ping cannot be read: ECONNREFUSED.`;
    assert.deepEqual([status, json], [400, { message: `Could not connect to package repository. Reason(s): ${reason}` }]);
  });

  test('invalid settings of a package repository are refused', async () => {
    const { status, json } = await server.post(REPOSITORY_CHECK, repository({ configuration: [{ key: 'REPO_URL', value: 'npm' }] }));
    assert.deepEqual([status, json.message], [422, 'Could not connect to package repository. Reason(s): Validation failed.']);
    assert.deepEqual(json.data.configuration[0].errors, { REPO_URL: ['REPO_URL must be a valid http or https URL.'] });
  });

  test('a package repository of a missing plugin is refused', async () => {
    const { status, json } = await server.post(REPOSITORY_CHECK, repository({ plugin_metadata: { id: 'yum', version: '1' } }));
    const message = "Could not connect to package repository. Reason(s): Plugin with id 'yum' is not found.";
    assert.deepEqual([status, json.message], [422, message]);
  });

  test('is asked nothing on a dry run', async () => {
    const before = npm.requests.length;
    const { status, json } = await server.post(`${REPOSITORY_CHECK}?dry_run=true`, repository());
    assert.deepEqual([status, json.message], [200, 'The connection was not tried: this is a dry run.']);
    assert.equal(npm.requests.length, before);
  });

  test('a check of a package repository saves nothing', async () => {
    assert.equal((await server.get('/api/admin/repositories/npm')).status, 404);
  });
});

describe('a package', () => {
  before(async () => {
    accepted(await server.post('/api/admin/repositories', repository()));
  });

  test('a package that exists passes the check, with its newest version', async () => {
    const { status, json } = await server.post(PACKAGE_CHECK, left('left-pad'));
    assert.deepEqual([status, json.message], [200, 'OK. Found version 1.3.0 of left-pad.']);
    assert.deepEqual(json.package, {
      name: 'left',
      id: 'left',
      auto_update: true,
      package_repo: { id: 'npm' },
      configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }],
    });
  });

  test('a missing package fails the check with the reason', async () => {
    const { status, json } = await server.post(PACKAGE_CHECK, left('right-pad'));
    const reason = `${npm.url}/right-pad was answered with status 404: there is no such thing.`;
    assert.deepEqual([status, json], [400, { message: `Package check Failed. Reason(s): ${reason}` }]);
  });

  test('a package of a missing repository is refused', async () => {
    const { status, json } = await server.post(PACKAGE_CHECK, left('left-pad', { package_repo: { id: 'yum' } }));
    assert.deepEqual([status, json.message], [422, "Package check Failed. Reason(s): Package repository with id 'yum' was not found!"]);
  });

  test('invalid settings of a package are refused', async () => {
    const { status, json } = await server.post(PACKAGE_CHECK, left('not a name'));
    assert.deepEqual([status, json.message], [422, 'Package check Failed. Reason(s): Validation failed.']);
    assert.ok('PACKAGE_NAME' in json.data.configuration[0].errors);
  });
});

describe('an SCM', () => {
  const scm = (more: object) => ({
    name: 'tools',
    plugin_metadata: { id: 'git-path', version: '1' },
    configuration: Object.entries({ path: 'a', branch: 'main', ...more }).map(([key, value]) => ({ key, value })),
  });
  const reasons = (text: string) => `Check connection failed. Reason(s): ${text}`;

  test('an SCM with its branch passes the check, one without the branch fails', async () => {
    const url = (await GitOrigin.make(lab.newPath('origin'))).path;
    await git(url, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    const { status, json } = await server.post(SCM_CHECK, scm({ url }));
    assert.deepEqual([status, json.message, json.scm.name], [200, 'Connection OK. The repository has the branch main.', 'tools']);
    const other = await server.post(SCM_CHECK, scm({ url, branch: 'other' }));
    assert.deepEqual([other.status, other.json], [422, { message: reasons('The ref refs/heads/other could not be found.') }]);
  });

  test('an SCM that is wholly or partly in the data directory is refused', async () => {
    const inside = await GitOrigin.make(join(server.dataDir, 'inside'));
    await inside.commit('first');
    const outside = lab.newPath('outside');
    mkdirSync(outside);
    writeFileSync(join(outside, '.git'), `gitdir: ${inside.path}/.git\n`);
    for (const url of [inside.path, outside]) {
      const { status, json } = await server.post(SCM_CHECK, scm({ url }));
      assert.deepEqual([status, json.message], [422, reasons('The address leads into the data directory of this server.')]);
    }
  });

  test('an SCM with invalid settings or a missing plugin is refused', async () => {
    const { status, json } = await server.post(SCM_CHECK, scm({ url: '' }));
    assert.deepEqual([status, json.message], [422, reasons('Validation failed.')]);
    const other = await server.post(SCM_CHECK, { ...scm({ url: 'x' }), plugin_metadata: { id: 'github.pr', version: '1' } });
    assert.deepEqual([other.status, other.json.message], [422, reasons("Plugin with id 'github.pr' is not found.")]);
  });
});

test('no secret is in the log', () => assert.ok(!server.log.includes(SECRET)));
