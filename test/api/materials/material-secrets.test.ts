// Passwords of materials that are kept elsewhere: looked up when the material is polled, by groups that may, and shown nowhere.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type GitHttp, startGitHttp } from '../../materials/support/git-http.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { filesHolding, Lab } from '../../materials/support/polling.ts';
import { writeSecretsFile } from '../../support/configuration/secrets-file.ts';
import { accepted, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { create, git, pipeline, removeAll } from '../pipelines/bodies.ts';

const PASSWORD = 'hunter2-hunter2';
const REFERENCE = '{{SECRET:[team-a][git]}}';
const lab = new Lab();
const root = lab.newPath('served');
let server: TestServer;
let remote: GitHttp;
before(async () => {
  mkdirSync(root);
  const origin = await GitOrigin.make(join(root, 'app'));
  await origin.commit('first', { 'a.txt': 'a' });
  remote = await startGitHttp({ root, username: 'bob', password: PASSWORD });
  server = await startServer();
  await setSecretConfig('team-*');
});
after(async () => {
  await server.stop();
  await remote.stop();
  lab.remove();
});
beforeEach(async () => {
  await removeAll(server);
  writeSecrets({ git: PASSWORD });
  await until('silence', async () => (await failure()) === undefined);
});

async function setSecretConfig(resource: string): Promise<void> {
  const body = {
    id: 'team-a',
    plugin_id: 'cd.go.secrets.file-based-plugin',
    properties: [{ key: 'SecretsFilePath', value: 'team-a.json' }],
    rules: ['pipeline_group', 'pluggable_scm'].map((type) => ({ directive: 'allow', action: 'refer', type, resource })),
  };
  const there = await server.get('/api/admin/secret_configs/team-a');
  accepted(
    there.status === 200
      ? await server.put('/api/admin/secret_configs/team-a', body, '*')
      : await server.post('/api/admin/secret_configs', body),
  );
}

function writeSecrets(secrets: Readonly<Record<string, string>>): void {
  writeSecretsFile(join(server.dataDir, 'team-a.json'), secrets);
}

const failure = async (): Promise<string | undefined> =>
  (await server.get('/api/server_health_messages')).json.find(({ message }: { message: string }) => message.startsWith('Modification'))
    ?.detail;
const only = async () => accepted(await server.get('/api/config/materials')).json._embedded.materials[0];

async function poll(): Promise<void> {
  const { fingerprint } = await only();
  const confirmed = { headers: { 'X-Svc-Confirm': 'true' } };
  await until('a free moment', async () => {
    const { status } = await server.ask('POST', `/api/internal/materials/${fingerprint}/trigger_update`, confirmed);
    return status === 201;
  });
}
const isPolled = async () => {
  const { fingerprint } = await only();
  return (await server.get(`/api/materials/${fingerprint}/modifications`)).json._embedded.pagination.total === 1;
};
const material = (password: string) => git({ url: `${remote.url}/app`, branch: 'main', username: 'bob', password, auto_update: false });
const add = async (group: string, one: object) => accepted(await create(server, pipeline('one', { materials: [one] }), group));

test('a permitted group gets the present secret, and the secret is left nowhere', async () => {
  writeSecrets({ git: 'older' });
  await add('team-a', material(REFERENCE));
  await poll();
  assert.match(await until('the failure', failure), /Authentication failed/);
  writeSecrets({ git: PASSWORD });
  await poll();
  await until('the modification', isPolled);
  await until('silence', async () => (await failure()) === undefined);
  assert.ok(!server.log.includes(PASSWORD));
  assert.deepEqual(filesHolding(join(server.dataDir, 'pipelines'), PASSWORD), []);
  assert.ok(!JSON.stringify(await only()).includes('SECRET'), 'the reference is kept like any other password');
});

test('a group without permission gets an error, and the repository is not asked', async () => {
  await setSecretConfig('team-b*');
  const before = remote.requests.length;
  await add('team-a', material(REFERENCE));
  await poll();
  assert.equal(await until('the failure', failure), "The pipeline group 'team-a' may not refer to secrets of the secret config 'team-a'.");
  assert.equal(remote.requests.length, before);
  await setSecretConfig('team-*');
});

test('a poll fails if the secret does not exist', async () => {
  await add('team-a', material('{{SECRET:[team-a][none]}}'));
  await poll();
  assert.equal(await until('the failure', failure), "The secret config 'team-a' has no secret 'none'.");
});

test('settings of an SCM refer to secrets, too, and can be tried out', async () => {
  const scm = (name: string, password: string) => ({
    id: name,
    name,
    auto_update: false,
    plugin_metadata: { id: 'git-path', version: '1.0.0' },
    configuration: [
      { key: 'url', value: `${remote.url}/app` },
      { key: 'path', value: '.' },
      { key: 'branch', value: 'main' },
      { key: 'username', value: 'bob' },
      { key: 'password', value: password },
    ],
  });
  const tryOut = (body: object) => server.post('/api/admin/internal/scms/verify_connection', body);
  assert.match(accepted(await tryOut(scm('team-a-scm', REFERENCE))).json.message, /^Connection OK\./);
  const refused = await tryOut(scm('other', REFERENCE));
  assert.deepEqual(
    [refused.status, refused.json.message],
    [422, "Check connection failed. Reason(s): The SCM 'other' may not refer to secrets of the secret config 'team-a'."],
  );
  accepted(await server.post('/api/admin/scms', scm('team-a-scm', REFERENCE)));
  await add('other-group', { type: 'plugin', attributes: { ref: 'team-a-scm' } });
  await poll();
  await until('the modification', isPolled);
  await removeAll(server);
  accepted(await server.delete('/api/admin/scms/team-a-scm'));
});
