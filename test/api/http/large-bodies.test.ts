// Bodies that would cost more than they are worth are refused, with the limit that they exceed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const post = (text: string) => server.ask('POST', '/api/admin/environments', { text, headers: { 'Content-Type': 'application/json' } });
const withSecrets = (count: number) =>
  JSON.stringify({
    name: `with-${count}`,
    environment_variables: Array.from({ length: count }, (_, index) => ({ name: `V${index}`, value: `secret ${index}`, secure: true })),
  });

test('an entity may have many secrets, but not thousands of them', async () => {
  assert.equal((await post(withSecrets(2000))).status, 200);
  const { status, json } = await post(withSecrets(2001));
  assert.equal(status, 422);
  assert.match(JSON.stringify(json.data.errors), /This has more than 2000 secrets/);
});

const NAMES = 'Payload data is not valid JSON: its members have more than 10000 different names';

test('a body nested far too deep, or with far too many values, is not even parsed', async () => {
  const deep = await post(`{"name":${'['.repeat(200_000)}`);
  assert.deepEqual([deep.status, /nested deeper than 64 levels/.test(deep.text)], [400, true]);
  const many = await post(`{"name":[${'1,'.repeat(700_000)}`);
  assert.deepEqual([many.status, /more than 300000 values/.test(many.text)], [400, true]);
  const named = await post(`{"name":"x",${Array.from({ length: 10_000 }, (_, index) => `"m${index}":1`).join()},`);
  assert.deepEqual([named.status, named.json.message], [400, NAMES]);
});
