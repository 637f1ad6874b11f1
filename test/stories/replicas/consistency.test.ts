// A write that one server of several has acknowledged holds on the others at once, and of two conflicting writes one succeeds.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { basic } from '../../support/requests/basic.ts';
import { setQuickPassword } from '../../support/server/quick-login.ts';
import type { Replica } from '../../support/server/replica.ts';
import { ADMIN, ENVIRONMENTS, newToken, Replicas } from '../../support/server/replicas.ts';

const isFull = process.env.REPLICA_LOAD === 'full';
const RACES = isFull ? 50 : 12;
const DISABLED = isFull ? 20 : 6;
const READS = isFull ? 100_000 : 120;

let postgres: Postgres;
let replicas: Replicas;

before(async () => {
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 3);
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

const withValue = (name: string, value: string) => ({ name, environment_variables: [{ name: 'V', value }] });

test(`of two PUTs with one ETag on two servers one is refused, ${RACES} times`, async () => {
  const [one, other] = replicas.all;
  let { etag } = await one!.post(ENVIRONMENTS, withValue('raced', '0'));
  for (let round = 1; round <= RACES; round++) {
    const answers = await Promise.all(
      [one!, other!].map((replica, index) => replica.put(`${ENVIRONMENTS}/raced`, withValue('raced', `${round}-${index}`), etag)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 412], `round ${round}`);
    const winner = statuses.indexOf(200);
    const read = await replicas.all[2]!.get(`${ENVIRONMENTS}/raced`);
    assert.equal(read.json.environment_variables[0].value, `${round}-${winner}`);
    etag = answers[winner]!.etag;
    assert.equal(read.etag, etag);
  }
});

test('of the last two administrators one stays, when two servers are told at once to disable them', async () => {
  const [one, other] = replicas.all;
  setQuickPassword(one!.dataDir, 'ann', 'secret');
  assert.equal((await one!.patch('/api/admin/security/system_admins', { operations: { users: { add: ['ann'] } } })).status, 200);
  const asAnn = await newToken(one!, basic('ann', 'secret'));
  const asAdmin = one!.as;
  const disable = (replica: Replica, login: string, as: string) => replica.patch(`/api/users/${login}`, { enabled: false }, { as });
  for (let round = 1; round <= DISABLED; round++) {
    const answers = await Promise.all([disable(one!, 'ann', asAdmin), disable(other!, 'admin', asAnn)]);
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1, `round ${round}: ${statuses}`);
    assert.ok([400, 401, 403, 422].includes(Math.max(...statuses)), `round ${round}: ${statuses}`);
    const enabled = await replicas.rows.ask<{ readonly key: string }>(
      "select key from users where key in ('ann', 'admin') and enabled = 1",
    );
    assert.equal(enabled.length, 1);
    const [gone, as] = enabled[0]!.key === 'ann' ? ['admin', asAnn] : ['ann', asAdmin];
    assert.equal((await one!.patch(`/api/users/${gone}`, { enabled: true }, { as })).status, 200);
  }
});

test('no read on another server is older than an acknowledged write', async () => {
  const { all } = replicas;
  await all[0]!.post(ENVIRONMENTS, withValue('read', '0'));
  for (let count = 1; count <= READS; count++) {
    const written = await all[count % 3]!.put(`${ENVIRONMENTS}/read`, withValue('read', String(count)), '*');
    assert.equal(written.status, 200, written.text);
    const read = await all[(count + 1) % 3]!.get(`${ENVIRONMENTS}/read`);
    assert.equal(read.json.environment_variables[0].value, String(count));
    assert.equal(read.headers['x-svc-stale-ms'], undefined);
  }
});

test('a token that is revoked on one server is refused by the others at once', async () => {
  const { all } = replicas;
  const made = await all[0]!.post('/api/current_user/access_tokens', { description: 'short-lived' }, { as: ADMIN });
  const as = `Bearer ${made.json.token}`;
  for (const replica of all) assert.equal((await replica.get(ENVIRONMENTS, { as })).status, 200);
  const revoked = await all[1]!.post(`/api/current_user/access_tokens/${made.json.id}/revoke`, {}, { as: ADMIN });
  assert.equal(revoked.status, 200, revoked.text);
  for (const replica of all) assert.equal((await replica.get(ENVIRONMENTS, { as })).status, 401);
});
