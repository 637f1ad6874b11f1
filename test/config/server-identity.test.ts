// The identity of the server: made at the first start, made up for where it is missing, and never another one.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { keepsIdentity } from '../../src/access/server-identity.ts';
import { Config } from '../../src/config/current.ts';
import { Draft } from '../../src/config/draft.ts';
import { Cipher } from '../../src/kit/bytes/cipher.ts';
import { registry } from '../../src/resources/index.ts';
import { readEntity } from '../../src/shape/json/entity-json.ts';
import { kindsOf } from '../../src/shape/resource.ts';
import { changeRows, rowsIn } from '../support/database/sql.ts';
import { TestServer } from '../support/server/server.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function identityOf({ dataDir }: TestServer): Promise<Record<string, unknown>> {
  const [row] = await rowsIn(dataDir, "select value from entities where kind = 'serverIdentity'");
  return JSON.parse(String(row?.value));
}

async function revisionsOf({ dataDir }: TestServer): Promise<unknown[][]> {
  const rows = await rowsIn(dataDir, 'select actor, reason from revisions order by revision');
  return rows.map(Object.values);
}

test('the first start makes the identity in its first revision, and later starts keep it', async () => {
  const server = await TestServer.start();
  try {
    const identity = await identityOf(server);
    assert.match(String(identity.serverId), UUID);
    assert.equal(identity.jobStarvationTimeout, 2);
    for (const key of ['agentAutoRegisterKey', 'webhookSecret', 'tokenGenerationKey']) {
      assert.deepEqual(Object.keys(identity[key] as object), ['cipherText', 'digest'], key);
    }
    await server.restart();
    assert.deepEqual(await identityOf(server), identity);
    assert.deepEqual(await revisionsOf(server), [['slipway', 'first start']]);
  } finally {
    await server.stop();
  }
});

test('a data directory without an identity gets one at the next start, as a revision of its own', async () => {
  const server = await TestServer.start();
  try {
    const { serverId } = await identityOf(server);
    await server.restart(() => changeRows(server.dataDir, "delete from entities where kind = 'serverIdentity'"));
    const made = await identityOf(server);
    assert.match(String(made.serverId), UUID);
    assert.notEqual(made.serverId, serverId);
    await server.restart();
    assert.deepEqual(await identityOf(server), made);
    assert.deepEqual(await revisionsOf(server), [
      ['slipway', 'first start'],
      ['slipway', 'the identity of the server'],
    ]);
  } finally {
    await server.stop();
  }
});

test('the id and the key for tokens cannot be changed, other members can', () => {
  const kinds = kindsOf(registry);
  const kind = kinds.find(({ name }) => name === 'serverIdentity')!;
  const config = new Config(kinds);
  const tools = { cipher: new Cipher(randomBytes(32)), openImported: () => undefined, isSecretSetting: () => undefined };
  const draftWith = (body: Record<string, string | number>) => {
    const draft = new Draft(config);
    return { draft, entry: draft.put(kind, '', readEntity(kind, body, { ruleView: draft.ruleView }, tools).entity) };
  };
  const first = draftWith({ server_id: 'x', webhook_secret: 'hush' });
  keepsIdentity(first.draft);
  config.replace(kind, '', first.entry);
  keepsIdentity(draftWith({ server_id: 'x', webhook_secret: 'other', job_starvation_timeout: 5 }).draft);
  const refused = (to: string) => ({
    message: `The value of 'serverId' uniquely identifies a Go server instance. This field cannot be modified (attempting to change from [x] to [${to}]).`,
  });
  assert.throws(() => keepsIdentity(draftWith({ server_id: 'y' }).draft), refused('y'));
  const removal = new Draft(config);
  removal.remove(kind, '');
  assert.throws(() => keepsIdentity(removal), refused(''));
  const withKey = draftWith({ server_id: 'x', token_generation_key: 'key' });
  keepsIdentity(withKey.draft);
  config.replace(kind, '', withKey.entry);
  keepsIdentity(draftWith({ server_id: 'x', token_generation_key: 'key' }).draft);
  for (const more of [{ token_generation_key: 'other' }, {}] as Record<string, string>[]) {
    const changed = draftWith({ server_id: 'x', ...more }).draft;
    assert.throws(() => keepsIdentity(changed), /^Error: The value of 'tokenGenerationKey' cannot be modified/);
  }
});
