// Encryption: which users may have a text encrypted, where the cipher text is accepted, and how often.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import { errorsIn } from '../../support/configuration/secret-bodies.ts';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted, addUser, startServer, tokenOf } from '../../support/requests/callers.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/encrypt';
const MINUTE_MS = 60_000;

let server: TestServer;
let boss: string;
let jez: string;
before(async () => {
  server = await startServer();
  [boss, jez] = [await addUser(server, 'boss'), await addUser(server, 'jez')];
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'shop', authorization: { admins: { users: ['boss'] } } }));
});
after(() => server.stop());
// A clock of our own: no minute ends in the middle of a test, and every test begins with a new one.
let minute = Math.ceil(Date.now() / MINUTE_MS);
beforeEach(() => mock.timers.enable({ apis: ['Date'], now: minute++ * MINUTE_MS }));
afterEach(() => mock.timers.reset());

const encrypt = (value: unknown, as?: string) => server.post(PATH, { value }, as === undefined ? {} : { as });
const limitsIn = ({ headers }: Reply) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];

test('the cipher text is accepted where secrets are, and differs each time', async () => {
  const { json, text } = accepted(await encrypt('badger'));
  assert.deepEqual(Object.keys(json), ['_links', 'encrypted_value']);
  assert.deepEqual(json._links, { doc: { href: `${server.url}/api/docs#encryption` }, self: { href: `${server.url}${PATH}` } });
  assert.ok(!text.includes('badger'));
  assert.notEqual((await encrypt('badger')).json.encrypted_value, json.encrypted_value);
  const variable = { name: 'KEY', secure: true, encrypted_value: json.encrypted_value };
  const environment = accepted(await server.post('/api/admin/environments', { name: 'e', environment_variables: [variable] }));
  const same = { name: 'KEY', secure: true, value: 'badger' };
  const again = accepted(await server.put('/api/admin/environments/e', { environment_variables: [same] }, environment.etag));
  assert.equal(again.etag, environment.etag);
});

describe('a text that is encrypted with a scope', () => {
  const scoped = async (scope: unknown, more: object = {}) =>
    accepted(await server.post(PATH, { value: 'badger', scope, ...more })).json.encrypted_value as string;
  const refusedAt = (reply: Reply, at: string, message: RegExp) => {
    assert.equal(reply.status, 422, reply.text);
    assert.match(errorsIn(reply.json.data)[at]?.[0] ?? '', message, reply.text);
  };
  const pipelineWith = (name: string, encrypted_value: string, more: object = {}) =>
    smallPipeline(name, { environment_variables: [{ name: 'KEY', secure: true, encrypted_value }], ...more });
  const create = (group: string, pipeline: object) => server.post('/api/admin/pipelines', { group, pipeline });

  test('a text for a pipeline group opens in its pipelines and nowhere else', async () => {
    const text = await scoped({ pipeline_group: 'shop' });
    assert.match(text, /^v2:/);
    assert.notEqual(await scoped({ pipeline_group: 'shop' }), text);
    accepted(await create('Shop', pipelineWith('inside', text)));
    refusedAt(await create('other', pipelineWith('outside', text)), 'environment_variables.0.encrypted_value', /belongs to another place/);
    const environment = { name: 'scoped', environment_variables: [{ name: 'KEY', secure: true, encrypted_value: text }] };
    refusedAt(
      await server.post('/api/admin/environments', environment),
      'environment_variables.0.encrypted_value',
      /belongs to another place/,
    );
  });

  test('a text for a config repo opens in nothing that is sent to the API', async () => {
    const text = await scoped({ config_repo: 'team-a' });
    refusedAt(await create('shop', pipelineWith('outside', text)), 'environment_variables.0.encrypted_value', /belongs to another place/);
    const material = { type: 'git', attributes: { url: 'https://scm.example.org/a.git', username: 'me', encrypted_password: text } };
    const repo = { id: 'team-a', plugin_id: 'yaml.config.plugin', material };
    refusedAt(await server.post('/api/admin/config_repos', repo), 'material.attributes.encrypted_password', /belongs to another place/);
  });

  test('a text with an address opens as the password for that host alone', async () => {
    const login = (encrypted_password: string, url: string) => ({
      materials: [{ type: 'git', attributes: { url, username: 'me', encrypted_password, auto_update: false } }],
    });
    const texts = [
      await scoped({ pipeline_group: 'shop' }, { address: 'https://scm.example.org/any' }),
      await scoped(null, { address: 'https://scm.example.org' }),
    ];
    for (const [index, text] of texts.entries()) {
      const at = 'materials.0.attributes.encrypted_password';
      accepted(await create('shop', smallPipeline(`login-${index}`, login(text, 'https://scm.example.org/a.git'))));
      refusedAt(await create('shop', smallPipeline('evil', login(text, 'https://evil.example.org/a.git'))), at, /another address/);
      refusedAt(await create('shop', pipelineWith('variable', text)), 'environment_variables.0.encrypted_value', /another address/);
    }
  });

  test('a scope that cannot be understood is refused, and nothing of it is repeated', async () => {
    for (const scope of [
      'shop',
      [],
      {},
      { group: 'TOPSECRET' },
      { pipeline_group: '' },
      { pipeline_group: 1 },
      { config_repo: 'a', pipeline_group: 'b' },
      { constructor: 'x' },
    ]) {
      const { status, json, text } = await server.post(PATH, { value: 'TOPSECRET', scope });
      assert.equal(status, 422, text);
      assert.match(json.message, /^`scope` must be an object with one member/);
      assert.ok(!text.includes('TOPSECRET'));
    }
    for (const address of ['', 1, {}]) {
      const { status, json } = await server.post(PATH, { value: 'TOPSECRET', address });
      assert.deepEqual([status, /^`address` must be/.test(json.message)], [422, true]);
    }
  });
});

test('texts of every kind can be encrypted', async () => {
  for (const value of ['', 'ü€😀', 'x'.repeat(100_000), 42, true]) accepted(await encrypt(value));
});

test('group administrators may encrypt, by password and token; others may not', async () => {
  accepted(await encrypt('badger', boss));
  accepted(await encrypt('badger', await tokenOf(server, boss)));
  const reply = await encrypt('badger', jez);
  assert.equal(reply.status, 403);
  assert.equal(reply.json.message, 'You are not authorized to perform this action.');
  assert.equal((await encrypt('badger', '')).status, 401);
});

test('a missing value, or one that is no text, is refused', async () => {
  const reply = await server.post(PATH, {});
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, "Json `{}` does not contain property 'value'");
  const nested = await encrypt({ badger: true });
  assert.equal(nested.status, 422);
  assert.match(nested.json.message, /^Could not read property 'value' as a String in json /);
  for (const body of [{ valu: 'TOPSECRET6' }, { value: [], passwd: { of: 'TOPSECRET6' } }]) {
    const { status, text } = await server.post(PATH, body);
    assert.deepEqual([status, text.includes('TOPSECRET6')], [422, false], text);
  }
  assert.equal((await server.ask('POST', PATH)).status, 400);
});

test('a user may encrypt 30 texts a minute, and then has to wait for the next minute', async () => {
  for (let used = 0; used < 30; used++) assert.deepEqual(limitsIn(accepted(await encrypt('x', boss))), ['30', String(30 - used)]);
  for (let tries = 0; tries < 2; tries++) {
    const refused = await encrypt('x', boss);
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.json, { message: 'Rate Limit Exceeded.' });
    assert.deepEqual(limitsIn(refused), ['30', '0']);
  }
  assert.deepEqual(limitsIn(accepted(await encrypt('x'))), ['30', '30']);
  mock.timers.setTime(minute++ * MINUTE_MS);
  assert.deepEqual(limitsIn(accepted(await encrypt('x', boss))), ['30', '30']);
});

test('password and token of a user share one allowance', async () => {
  const token = await tokenOf(server, boss);
  await encrypt('x', boss);
  assert.deepEqual(limitsIn(await encrypt('x', token)), ['30', '29']);
});

test('refused requests do not use up the allowance', async () => {
  for (let tries = 0; tries < 31; tries++) assert.equal((await encrypt('x', jez)).status, 403);
});

test('a value that is missing counts, and its answer states the limits, too', async () => {
  assert.deepEqual(limitsIn(await server.post(PATH, {}, { as: boss })), ['30', '30']);
  assert.deepEqual(limitsIn(await encrypt('x', boss)), ['30', '29']);
});

test('a body that cannot be read counts, and its answer states the limits, too', async () => {
  const unreadable = await server.ask('POST', PATH, { text: '{', as: boss });
  assert.equal(unreadable.status, 400);
  assert.deepEqual(limitsIn(unreadable), ['30', '30']);
  assert.deepEqual(limitsIn(await encrypt('x', boss)), ['30', '29']);
});
