// The change log keeps the author, entity, time, origin and reason of each change.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rowsIn, type SqlRow } from '../support/database/sql.ts';
import { TestServer } from '../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

async function log(): Promise<Record<'revisions' | 'changes', readonly SqlRow[]>> {
  const revisions = await rowsIn(server.dataDir, 'select * from revisions order by revision');
  const changes = await rowsIn(server.dataDir, 'select * from changes order by revision, position');
  return { revisions, changes };
}

test('each change has a row with the state before and after; refused and idle writes have none', async () => {
  const { json } = await server.post('/api/current_user/access_tokens', { description: 'x' });
  const path = '/api/admin/environments';
  await server.post(
    path,
    { name: 'Prod', environment_variables: [{ name: 'K', secure: true, value: 'hush' }] },
    { as: `bearer ${json.token}`, headers: { 'X-Svc-Reason': 'für das Release' } },
  );
  await server.post(path, { name: 'Prod' });
  await server.put(`${path}/prod`, { name: 'Prod', environment_variables: [{ name: 'K', secure: true, value: 'hush' }] }, '*');
  await server.patch(`${path}/prod`, { environment_variables: { add: [{ name: 'X', value: '1' }] } });
  await server.delete(`${path}/prod`);
  const { revisions, changes } = await log();
  assert.deepEqual(
    revisions.map(({ revision }) => revision),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    revisions.map(({ actor }) => actor),
    ['slipway', 'admin', 'admin', 'admin'],
  );
  assert.equal(revisions[1]!.token, json.id);
  assert.equal(revisions[1]!.reason, 'für das Release');
  assert.equal(revisions[1]!.address, '127.0.0.1');
  assert.equal(revisions[2]!.token, null);
  const own = changes.filter(({ kind }) => kind === 'environments');
  assert.deepEqual(
    own.map(({ operation, key }) => [operation, key]),
    [
      ['create', 'prod'],
      ['update', 'prod'],
      ['delete', 'prod'],
    ],
  );
  assert.deepEqual(
    own.map(({ before }) => before !== null),
    [false, true, true],
  );
  assert.equal(own[1]!.before, own[0]!.after);
  assert.equal(own[2]!.before, own[1]!.after);
  assert.equal(own[2]!.after, null);
  assert.match(String(own[0]!.after), /"cipherText":"v1:/);
});
