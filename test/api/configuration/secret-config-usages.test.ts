// Secret configs that values name: the names count as usages, also inside encrypted values, and stand in the way of a deletion.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/secret_configs';
const SAVE = '/api/admin/config.xml';
const MD5 = 'X-CRUISE-CONFIG-MD5';

let server: TestServer;
before(async () => {
  server = await startServer();
  for (const id of ['vault', 'Vault', 'unused']) await addSecretConfig(id);
});
after(() => server.stop());

const addSecretConfig = async (id: string) =>
  accepted(
    await server.post(PATH, {
      id,
      plugin_id: 'cd.go.secrets.file-based-plugin',
      properties: [{ key: 'SecretsFilePath', value: 'secrets.json' }],
      rules: [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }],
    }),
  );
const usages = async (id: string, query = '') =>
  accepted(await server.get(`/api/admin/config/entities/secret_configs/${id}/usages${query}`)).json.usages;
const refusal = (id: string, users: string) =>
  `Validations failed for secretConfig '${id}'. Error(s): [The secret config '${id}' is being referenced by ${users}.]. Please correct and resubmit.`;
const secure = (value: string) => ({ name: 'TOKEN', value, secure: true });

async function remove(path: string): Promise<void> {
  accepted(await server.delete(path));
}

test('a secret config has all usages, in clear or encrypted, and is not deleted while it has any', async () => {
  assert.deepEqual(await usages('vault'), []);
  const variables = [secure('Bearer {{SECRET:[vault][token]}}!')];
  const job = { name: 'unit', environment_variables: variables, tasks: [{ type: 'exec', attributes: { command: 'make' } }] };
  const pipeline = { ...smallPipeline('shop'), stages: [{ name: 'test', jobs: [job] }] };
  const { headers } = accepted(await server.post('/api/admin/pipelines', { group: 'g', pipeline }));
  const plain = [{ name: 'KEY', value: '{{SECRET:[vault][key]}}', secure: false }];
  accepted(await server.post('/api/admin/environments', { name: 'prod', environment_variables: plain }));
  // A text that is not resolved is no usage, nor is the id of another secret config.
  const task = { type: 'exec', attributes: { command: 'echo', arguments: ['{{SECRET:[vault][token]}}'] } };
  const stages = [{ name: 'test', jobs: [{ name: 'unit', environment_variables: [secure('{{SECRET:[Vault][a]}}')], tasks: [task] }] }];
  accepted(await server.post('/api/admin/templates', { name: 'shared', stages }));

  const used = [
    { resource: 'environments', id: 'prod' },
    { resource: 'pipelines', id: 'shop' },
  ];
  assert.deepEqual(await usages('vault'), used);
  assert.deepEqual(await usages('vault', `?at=${headers.get('X-Svc-Revision')}`), used.slice(1));
  assert.deepEqual(await usages('Vault'), [{ resource: 'templates', id: 'shared' }]);
  assert.deepEqual(await usages('unused'), []);
  for (const query of ['', '?dry_run=true']) {
    const reply = await server.delete(`${PATH}/vault${query}`);
    assert.deepEqual([reply.status, reply.json.message], [422, refusal('vault', 'environment(s): prod; pipeline(s): shop')]);
  }
  await remove('/api/admin/environments/prod');
  const reply = await server.delete(`${PATH}/vault`);
  assert.deepEqual([reply.status, reply.json.message], [422, refusal('vault', 'pipeline(s): shop')]);
  const { json, etag } = accepted(await server.get('/api/admin/pipelines/shop'));
  accepted(await server.put('/api/admin/pipelines/shop', { ...json, stages: smallPipeline('shop').stages }, etag));
  assert.deepEqual(await usages('vault'), []);
  await remove(`${PATH}/vault`);
  await remove(`${PATH}/unused`);
});

test('a secret config cannot be removed by the configuration as XML without the values that name it', async () => {
  const got = await server.get(SAVE);
  const without = got.text.replace(/<secretConfigs>.*<\/secretConfigs>/s, '');
  assert.notEqual(without, got.text);
  const save = (text: string) => server.ask('POST', SAVE, { text, headers: { 'Content-Type': 'text/xml', [MD5]: got.headers.get(MD5)! } });
  for (const xml of [without, without.replace('<arg>', '<arg>-n ')]) {
    const reply = await save(xml);
    assert.equal(reply.status, 404, reply.text);
    assert.match(reply.text, /The secret config 'Vault' is being referenced by template\(s\): shared/);
  }
  const neither = await save(without.replace(/<templates>.*<\/templates>/s, ''));
  assert.equal(neither.status, 200, neither.text);
});
