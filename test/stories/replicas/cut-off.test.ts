// A server that is killed, hangs or is cut off from the database while it writes: the others go on, and it says what it cannot do.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { withGrowingLimits } from '../../support/patience.ts';
import type { Replica } from '../../support/server/replica.ts';
import { ADMIN, ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { until } from '../../support/until.ts';
import { measureLongestPause, whileWriting } from './background-writes.ts';

/** The wait of a write that has begun meanwhile is counted to its end. */
const MEANWHILE_MS = 500;
const WAITING_WRITES = "select pid from pg_stat_activity where application_name like 'slipway writes %' and wait_event_type = 'Lock'";
const READY = '/api/v1/ready';
/** Only the server that does background work answers it. */
const OF_KEEPER = '/api/backups';
let postgres: Postgres;
let replicas: Replicas;
let victim: Replica;
let other: Replica;

before(async () => {
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 2, { isProxied: true });
  [victim, other] = replicas.all as [Replica, Replica];
  for (const name of ['load', 'probe', 'own']) assert.equal((await other.post(ENVIRONMENTS, { name })).status, 200);
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

const isBack = () =>
  until(
    'it writes again',
    async () => (await victim.put(`${ENVIRONMENTS}/own`, { name: 'own' }, '*').catch(() => undefined))?.status === 200,
  );

const TROUBLES: readonly (readonly [what: string, limitMs: number, begin: () => void | Promise<void>, end: () => void | Promise<void>])[] =
  [
    ['is killed', 1000, () => victim.kill(), () => victim.start()],
    ['hangs', 5000, () => victim.suspend(), () => victim.resume()],
    ['is cut off by resets', 5000, () => victim.proxy!.reset(), () => {}],
    ['is cut off by an end of one side', 5000, () => victim.proxy!.halfClose(), () => {}],
  ];

for (const [what, limitMs, begin, end] of TROUBLES) {
  test(`the others wait for at most ${limitMs} ms when a server ${what} while it writes`, (context) =>
    withGrowingLimits(async (factor) => {
      const ms = await measureLongestPause(other, () =>
        whileWriting(victim, async () => {
          await begin();
          await pause(MEANWHILE_MS);
        }),
      );
      context.diagnostic(`${Math.round(ms)} ms`);
      await end();
      await isBack();
      assert.ok(ms <= limitMs * factor, `${ms} ms`);
    }));
}

test('a server cut off during a commit refuses changes until it knows the outcome, and then tells the truth', async () => {
  const { rows } = replicas;
  await rows.ask('begin');
  await rows.ask('lock table commits in share mode');
  const body = { name: 'load', environment_variables: [{ name: 'D', value: 'in doubt' }] };
  let isKnown = false;
  const inDoubt = victim.put(`${ENVIRONMENTS}/load`, body, '*').finally(() => (isKnown = true));
  await until('it waits', async () => (await rows.ask(WAITING_WRITES)).length > 0);
  victim.proxy!.swallow();
  await rows.ask('rollback');
  try {
    const refused = await victim.put(`${ENVIRONMENTS}/own`, { name: 'own' }, '*');
    assert.deepEqual([refused.status, refused.headers['retry-after'], isKnown], [503, '1', false]);
  } finally {
    victim.proxy!.heal();
  }
  const { status } = await inDoubt;
  await isBack();
  const { json } = await other.get(`${ENVIRONMENTS}/load`);
  assert.equal(status, json.environment_variables[0]?.value === 'in doubt' ? 200 : 503);
});

test('a server cut off refuses changes at once, reads for 10 seconds with a notice, and comes back by itself', () =>
  withGrowingLimits(async (factor) => {
    const { json: token } = await other.post('/api/current_user/access_tokens', { description: 'to be revoked' }, { as: ADMIN });
    const as = `Bearer ${token.token}`;
    assert.equal((await victim.get(ENVIRONMENTS, { as })).status, 200);
    const ms = await measureLongestPause(other, () =>
      whileWriting(victim, async () => {
        const began = performance.now();
        const elapsed = () => performance.now() - began;
        victim.proxy!.swallow();
        await assertRefusesChanges(factor);
        assert.equal((await other.post(`/api/admin/access_tokens/${token.id}/revoke`, {}, { as: ADMIN })).status, 200);
        assert.equal((await victim.get(READY)).status, 200, 'it may come back at once');
        const stale = await victim.get(ENVIRONMENTS, { as });
        assert.equal(stale.status, 200, 'it does not know better');
        assert.match(String(stale.headers['x-svc-stale-ms']), /^\d+$/);
        await assertShowsItsOwnMetrics(factor);
        await until('it is not ready', async () => (await victim.get(READY)).status === 503);
        assert.ok(elapsed() > 5000 && elapsed() < 7500 * factor, `not ready after ${elapsed()} ms`);
        await until('nobody is let in', async () => (await victim.get(ENVIRONMENTS, { as })).status === 503);
        assert.ok(elapsed() > 9000 && elapsed() < 10_500 * factor, `nobody is let in after ${elapsed()} ms`);
        const refused = await victim.get(ENVIRONMENTS);
        assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
        assert.equal((await victim.get('/metrics')).status, 503, 'the login may have been ended elsewhere');
        await assertTellsWhyItHasNoKeeper();
      }),
    );
    const healedAt = performance.now();
    victim.proxy!.heal();
    await until('it is ready', async () => (await victim.get(READY)).status === 200);
    await until('it knows the keeper', async () => (await victim.get(OF_KEEPER)).status === 200);
    await until('it is heard of', async () => ((await silenceOf(victim)) ?? Number.POSITIVE_INFINITY) < 2000);
    const backMs = performance.now() - healedAt;
    assert.ok(backMs < 4000 * factor, `the others count on it after ${backMs} ms`);
    await isBack();
    assert.equal((await victim.get(ENVIRONMENTS, { as })).status, 401, 'the token was revoked meanwhile');
    assert.equal((await victim.get(ENVIRONMENTS)).headers['x-svc-stale-ms'], undefined);
    assert.ok(ms <= 5000 * factor, `the other waited for ${ms} ms`);
  }));

test('an outage is a few short lines in the log', async () => {
  const from = victim.output.length;
  victim.proxy!.swallow();
  await until('it is not ready', async () => (await victim.get(READY)).status === 503);
  victim.proxy!.heal();
  await until('it is ready', async () => (await victim.get(READY)).status === 200);
  await isBack();
  const lines = victim.output.slice(from).split('\n').slice(0, -1);
  assert.ok(lines.some((line) => line.includes('the database does not answer: changes are refused until it does')));
  // Slow requests of a busy machine are logged besides, for information.
  const failures = lines.filter((line) => !line.includes('"level":"info"'));
  assert.ok(failures.length <= 3, failures.join('\n'));
  assert.deepEqual(
    lines.filter((line) => line.includes('"stack"')),
    [],
  );
});

/** A server that is cut off shows its own metrics, without those that the database has. */
async function assertShowsItsOwnMetrics(factor: number): Promise<void> {
  const began = performance.now();
  const { status, text } = await victim.get('/metrics');
  assert.equal(status, 200, text);
  assert.match(text, /^slipway_keeper 0$/m);
  assert.match(text, /^process_resident_memory_bytes \d/m);
  assert.doesNotMatch(text, /^slipway_(?:artifact_bytes|backup_last_success_timestamp_seconds) /m);
  assert.ok(performance.now() - began < 1500 * factor, 'it does not wait for the database');
}

/** The other server may do the work, or is asked and answers. */
async function assertTellsWhyItHasNoKeeper(): Promise<void> {
  const { status, text } = await victim.get(OF_KEEPER);
  if (status !== 200) assert.match(text, /This server cannot reach the database, so it neither does background work nor knows/);
}

/** Milliseconds since the other has heard of it. */
async function silenceOf(replica: Replica): Promise<number | undefined> {
  const { json } = await other.get('/api/admin/replicas');
  return json._embedded.replicas.find(({ url }: { readonly url: string }) => url === replica.url)?.silent_ms;
}

/** Within the time in which a lost database is noticed; from then on at once. */
async function assertRefusesChanges(factor: number): Promise<void> {
  for (const limitMs of [2500, 500]) {
    const began = performance.now();
    const refused = await victim.put(`${ENVIRONMENTS}/own`, { name: 'own' }, '*');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'], refused.text);
    const ms = performance.now() - began;
    assert.ok(ms < limitMs * factor, `refused after ${ms} ms`);
  }
}
