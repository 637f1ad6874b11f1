// Two servers whose clocks are an hour apart: time goes by the database, so it grows with the revisions, `?at=` shows the past, and
// the server that does background work trusts what the other says about clients.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { ADMIN, ENVIRONMENTS, newToken, Replicas } from '../../support/server/replicas.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';

const WRITES = 30;
const HALF_AN_HOUR_MS = 1_800_000;
let postgres: Postgres;
let replicas: Replicas;

/** The environment of a process an hour ahead, as the program faketime sets it. The clock for durations stays as it is. */
function aheadByAnHour(): Record<string, string> {
  const library = execFileSync('faketime', ['-f', '+1h', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim();
  return { LD_PRELOAD: library, FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
}

before(async () => {
  await ensureDebianPackages(['faketime']);
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 1);
  // Only the second trusts what a proxy says, so that the first can know of a client only by the second.
  await replicas.add({ environment: aheadByAnHour(), flags: ['--trust-proxy', '127.0.0.1'] });
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

test('times of revisions grow with their numbers, and `?at=` shows the state of that time on both', async () => {
  const { all } = replicas;
  const clocks = await Promise.all(all.map(async (replica) => Date.parse(String((await replica.get('/api/version')).headers.date))));
  assert.ok(clocks[1]! - clocks[0]! > HALF_AN_HOUR_MS, `the clocks are apart: ${clocks}`);
  await all[0]!.post(ENVIRONMENTS, { name: 'watched' });
  const values = new Map<number, string>();
  for (let count = 1; count <= WRITES; count++) {
    const body = { name: 'watched', environment_variables: [{ name: 'V', value: String(count) }] };
    const written = await all[count % 2]!.put(`${ENVIRONMENTS}/watched`, body, '*');
    assert.equal(written.status, 200, written.text);
    values.set(written.revision, String(count));
  }
  const rows = await replicas.rows.ask<{ readonly revision: number; readonly time: string }>('select * from revisions order by revision');
  for (const [index, { time, revision }] of rows.entries()) {
    if (index > 0) assert.ok(time > rows[index - 1]!.time, `revision ${revision}: ${time} after ${rows[index - 1]!.time}`);
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < HALF_AN_HOUR_MS, `revision ${revision}: ${time}`);
    const expected = values.get(revision);
    if (expected === undefined) continue;
    for (const replica of all) {
      const then = await replica.get(`${ENVIRONMENTS}/watched?at=${time}`);
      assert.equal(then.json.environment_variables?.[0]?.value, expected, `at ${time}: ${then.text}`);
      assert.equal(then.revision, revision);
    }
  }
});

test('the address of a client counts where its request is forwarded', async () => {
  const [keeper, other] = replicas.all;
  assert.equal(await replicas.keeper(), keeper);
  const as = await newToken(keeper!, ADMIN, { allowed_addresses: ['203.0.113.0/24'] });
  const askFrom = (address: string) => other!.get('/api/server_health_messages', { as, headers: { 'X-Forwarded-For': address } });
  const allowed = await askFrom('203.0.113.9');
  assert.equal(allowed.status, 200, allowed.text);
  assert.equal((await askFrom('198.51.100.1')).status, 401);
});

test('a request that only pretends to be forwarded is refused, on either server', async () => {
  const headers = { 'X-Svc-Handed-On': `203.0.113.9 http://127.0.0.1 ${Date.now()} made-up` };
  for (const replica of replicas.all)
    for (const path of ['/api/server_health_messages', '/api/version']) {
      const { status, headers: answered } = await replica.get(path, { headers });
      assert.deepEqual([status, answered['retry-after']], [503, '1'], path);
    }
});
