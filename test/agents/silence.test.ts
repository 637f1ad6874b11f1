// Agents that fall silent, and actions by the clock: the test moves the time forward.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_FROM_ONE_ADDRESS } from '../../src/builds/agents/registration-rate-limit.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { rowsIn } from '../support/database/sql.ts';
import { until } from '../support/until.ts';
import { AgentLab, INSTANCE, registrationBody } from './lab.ts';

const clock = new FakeClock();
let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start(clock);
});
after(() => lab.stop());

const POLL = { instance: INSTANCE, jobs: [], free_space: 5, state: 'Enabled' } as const;
const eventTypes = async (uuid: string): Promise<string[]> =>
  (await lab.server.get(`/api/admin/events?resource=agents&id=${uuid}&after=0`)).json._embedded.events.map(
    (event: { type: string }) => event.type,
  );
const published = (uuid: string, type: string) => until(type, async () => (await eventTypes(uuid)).includes(type));
const stateOf = async (uuid: string) => (await lab.server.get(`/api/agents/${uuid}`)).json.agent_state;

test('a poll is held for no more than half a minute', async () => {
  const { uuid } = await lab.enabled();
  const begun = clock.now();
  let answeredAfter: number | undefined;
  const polled = lab.sessions.poll(uuid, POLL).then((order) => {
    answeredAfter = clock.now() - begun;
    return order;
  });
  await clock.forward(20_000);
  assert.equal(answeredAfter, undefined);
  await clock.forward(10_000);
  assert.deepEqual(await polled, { order: 'none' });
  assert.ok(answeredAfter! <= 30_000);
  assert.equal(lab.sessions.heldPolls, 0);
});

test('an agent that is silent for five minutes is lost, once, until it returns', async () => {
  const { uuid } = await lab.enabled();
  await clock.forward(299_000);
  assert.deepEqual([await stateOf(uuid), lab.lost.includes(uuid)], ['Idle', false]);
  await clock.forward(6_000);
  assert.equal(await stateOf(uuid), 'LostContact');
  await clock.forward(600_000);
  assert.deepEqual(
    lab.lost.filter((lost) => lost === uuid),
    [uuid],
  );
  await published(uuid, 'agent.lost');
  lab.sessions.noteContact(uuid);
  await published(uuid, 'agent.returned');
  assert.equal(await stateOf(uuid), 'Idle');
  await clock.forward(306_000);
  assert.equal(lab.lost.filter((lost) => lost === uuid).length, 2);
});

test('a pending agent that falls silent causes no event', async () => {
  const { uuid } = await lab.enabled();
  await lab.server.patch(`/api/agents/${uuid}`, { agent_config_state: 'Disabled' });
  const pending = registrationBody();
  await lab.register(pending);
  await clock.forward(306_000);
  await published(uuid, 'agent.lost');
  assert.deepEqual(await eventTypes(pending.uuid), ['agent.registered']);
});

test('an agent missing since the start gives up its jobs after a while, without an event', async () => {
  const { uuid } = await lab.enabled();
  await lab.end();
  lab.lost.length = 0;
  await lab.begin();
  await clock.forward(299_000);
  assert.ok(!lab.lost.includes(uuid));
  await clock.forward(6_000);
  assert.deepEqual(
    lab.lost.filter((lost) => lost === uuid),
    [uuid],
  );
  assert.equal(await stateOf(uuid), 'Missing');
  lab.sessions.noteContact(uuid);
  assert.equal(await stateOf(uuid), 'Idle');
  const { uuid: later } = await lab.enabled();
  await lab.server.patch(`/api/agents/${uuid}`, { hostname: 'last' });
  assert.deepEqual(await eventTypes(uuid), ['agent.registered', 'agent.changed'], `neither lost nor returned, before ${later}`);
});

test('another process of an agent takes over without registering when the first was silent for a minute', async () => {
  const { uuid } = await lab.enabled();
  const poll = { ...POLL, instance: 'another' };
  await clock.forward(59_000);
  assert.throws(() => lab.sessions.poll(uuid, poll), { kind: 'conflict' });
  await clock.forward(1_000);
  const polled = lab.sessions.poll(uuid, poll);
  assert.deepEqual(lab.restarted, [uuid]);
  await clock.forward(30_000);
  assert.deepEqual(await polled, { order: 'none' });
});

test('free space is written within a minute or so, and when the server stops', async () => {
  const { uuid } = await lab.enabled();
  const written = async () => (await rowsIn(lab.server.dataDir, 'select free_space from agents where uuid = ?', uuid))[0]!.free_space;
  const poll = (free_space: number) => lab.sessions.poll(uuid, { ...POLL, free_space }, AbortSignal.abort());
  await poll(77);
  assert.equal(Number(await written()), 1000);
  await clock.forward(61_000);
  await until('the free space', async () => Number(await written()) === 77);
  await poll(78);
  await lab.end();
  assert.equal(Number(await written()), 78);
  await lab.begin();
  assert.equal((await lab.server.get(`/api/agents/${uuid}`)).json.free_space, 78);
});

test('unauthenticated clients cannot fill the table, and agents with the key still register', async () => {
  const key = await lab.key();
  for (let count = 0; count < MAX_FROM_ONE_ADDRESS; count++) assert.equal((await lab.register(registrationBody())).status, 202);
  for (const more of [{}, { key: 'guessed' }]) {
    const reply = await lab.register(registrationBody(more));
    assert.equal(reply.status, 429, reply.text);
    assert.ok(Number(reply.headers.get('retry-after')) > 0);
  }
  assert.equal((await lab.register(registrationBody({ key }))).status, 201);
  await clock.forward(60_000);
  assert.equal((await lab.register(registrationBody())).status, 202);
});
