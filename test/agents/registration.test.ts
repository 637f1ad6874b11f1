// Agents register: with the key, without it, again with their token, and never as another agent.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MAX_WRONG_KEYS } from '../../src/builds/agents/registration-rate-limit.ts';
import { sha256 } from '../../src/kit/bytes/hash.ts';
import { rowsIn } from '../support/database/sql.ts';
import { accepted, tokenOf } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic } from '../support/server/server.ts';
import { AgentLab, INSTANCE, registrationBody } from './lab.ts';

let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start();
  await lab.server.post('/api/admin/environments', { name: 'Staging' });
});
after(() => lab.stop());

const eventsOf = async (uuid: string) =>
  (await lab.server.get(`/api/admin/events?resource=agents&id=${uuid}&after=0`)).json._embedded.events;
const shown = async (uuid: string) => (await lab.server.get(`/api/agents/${uuid}`)).json;

describe('a new agent', () => {
  test('a new agent with the key is enabled at once, with its resources and environments', async () => {
    const body = registrationBody({ key: await lab.key(), resources: [' linux', 'Linux', 'java'], environments: ['staging'] });
    const reply = await lab.register(body);
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(Object.keys(reply.json), ['token', 'state']);
    assert.match(reply.json.token, /^[0-9a-f]{64}$/);
    const agent = await shown(body.uuid);
    assert.equal(agent.agent_config_state, 'Enabled');
    assert.deepEqual(agent.resources, ['linux', 'java']);
    assert.deepEqual(agent.environments, [{ name: 'Staging', origin: { type: 'gocd' } }]);
    assert.equal(agent.ip_address, '127.0.0.1');
    assert.equal(agent.free_space, 1000);
    const [event] = await eventsOf(body.uuid);
    assert.equal(event.type, 'agent.registered');
    assert.deepEqual(event.data, { hostname: 'builder', address: '127.0.0.1', state: 'Enabled', elastic_plugin_id: null, is_local: false });
  });

  test('a new agent without a key waits, and its wishes do not count', async () => {
    const body = registrationBody({ resources: ['linux'], environments: ['no such environment'] });
    const reply = await lab.register(body);
    assert.equal(reply.status, 202, reply.text);
    assert.equal(reply.json.state, 'Pending');
    assert.equal(reply.json.message, 'The agent waits for an administrator to enable it.');
    const agent = await shown(body.uuid);
    assert.deepEqual([agent.agent_config_state, agent.resources, agent.environments], ['Pending', [], []]);
  });

  test('a new agent with a wrong key waits, and is told why', async () => {
    const reply = await lab.register(registrationBody({ key: 'wrong' }));
    assert.equal(reply.status, 202);
    assert.match(reply.json.message, /^The key is not the auto-register key of this server\./);
  });

  test('is kept, and its token only as a hash', async () => {
    const { uuid, token } = await lab.enabled();
    const rows = await rowsIn(lab.server.dataDir, 'select * from agents');
    assert.ok(rows.some((row) => row.uuid === uuid));
    assert.ok(!JSON.stringify(rows).includes(token));
    await lab.restart();
    assert.equal((await lab.register(registrationBody({ uuid }), token)).status, 201);
  });

  test('a new agent that is only tried is neither kept nor given a token', async () => {
    const body = registrationBody({ key: await lab.key() });
    const reply = await lab.server.post('/agent/v1/registration?dry_run=true', body, { as: '' });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(reply.json, { state: 'Enabled' });
    assert.equal((await lab.server.get(`/api/agents/${body.uuid}`)).status, 404);
  });
});

describe('a refused registration names', () => {
  const cases: readonly [string, object, RegExp][] = [
    ['uuid', { uuid: '1' }, /`uuid` must be a UUID/],
    ['hostname', { hostname: 'a'.repeat(256) }, /`hostname` must not be longer than 255 characters/],
    ['hostname', { hostname: 'a\nb' }, /invisible/],
    ['hostname', { hostname: 7 }, /`hostname` must be a text/],
    ['sandbox', { sandbox: ' ' }, /`sandbox` must not be blank/],
    ['instance', { instance: '' }, /`instance` must not be blank/],
    ['free_space', { free_space: -1 }, /`free_space` must be a number of bytes/],
    ['resources', { resources: ['a,b'] }, /Resource name 'a,b' is not valid/],
    ['resources', { resources: Array.from({ length: 101 }, (_, index) => `r${index}`) }, /more than 100 entries/],
    ['resources', { resources: 'linux' }, /`resources` must be a list of texts/],
    ['elastic_plugin_id', { elastic_agent_id: 'one' }, /^Elastic agents must submit both elasticAgentId and elasticPluginId\.$/],
    ['elastic_agent_id', { elastic_plugin_id: 'one' }, /^Elastic agents must submit both elasticAgentId and elasticPluginId\.$/],
  ];
  for (const [field, change, message] of cases) {
    test(`the field ${field} in ${JSON.stringify(change).slice(0, 40)}`, async () => {
      const reply = await lab.register(registrationBody({ key: 'a key', ...change }));
      assert.equal(reply.status, 422, reply.text);
      assert.match(reply.json.message, message);
      assert.match(reply.json.data.errors[field].join(' '), message);
      assert.ok(!reply.text.includes('a key'));
    });
  }

  test('an unknown environment, to agents with the key', async () => {
    const reply = await lab.register(registrationBody({ key: await lab.key(), environments: ['nowhere'] }));
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, "Environment with name 'nowhere' was not found!");
  });

  test('the versions that the server speaks, if the agent speaks another', async () => {
    for (const protocol of [2, 0, undefined, '1']) {
      const reply = await lab.register(registrationBody({ protocol }));
      assert.equal(reply.status, 422);
      assert.match(reply.json.message, /^This server speaks version 1 of the agent protocol, and .*Upgrade the agent\.$/);
      assert.deepEqual(reply.json.protocols, [1]);
    }
  });

  test('nothing but the status if a body is too large or no JSON', async () => {
    assert.equal((await lab.register(registrationBody({ more: 'x'.repeat(70_000) }))).status, 413);
    assert.equal((await lab.server.ask('POST', '/agent/v1/registration', { text: '[', as: '' })).status, 400);
  });
});

describe('an agent that is known', () => {
  test('a known agent cannot be taken over by its uuid alone, not even with the key', async () => {
    const { uuid } = await lab.enabled();
    const reply = await lab.register(registrationBody({ uuid, key: await lab.key(), instance: randomUUID() }));
    assert.equal(reply.status, 409);
    assert.equal(reply.json.message, 'A token has already been issued for this agent.');
  });

  test('a known agent cannot be taken over by the token of another one, nor by an unknown token', async () => {
    const [one, other] = [await lab.enabled(), await lab.enabled()];
    assert.equal((await lab.register(registrationBody({ uuid: one.uuid }), other.token)).status, 403);
    assert.equal((await lab.register(registrationBody({ uuid: one.uuid }), '0'.repeat(64))).status, 401);
  });

  test('updates its facts by its token; the settings of administrators stay', async () => {
    const { uuid, token } = await lab.enabled({ resources: ['linux'] });
    const reply = await lab.register(registrationBody({ uuid, sandbox: '/moved', resources: ['all'], key: await lab.key() }), token);
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.json, { state: 'Enabled' });
    const agent = await shown(uuid);
    assert.deepEqual([agent.sandbox, agent.resources], ['/moved', ['linux']]);
    const [, event] = await eventsOf(uuid);
    assert.deepEqual(
      [event.type, event.actor, event.data],
      ['agent.changed', null, { hostname: 'builder', changes: { sandbox: '/moved' } }],
    );
    await lab.register(registrationBody({ uuid, sandbox: '/moved' }), token);
    assert.equal((await eventsOf(uuid)).length, 2, 'nothing is published when nothing is new');
  });

  test('keeps the name that an administrator gave it, until they give it another', async () => {
    const { uuid, token } = await lab.enabled({ hostname: 'machine' });
    accepted(await lab.server.patch(`/api/agents/${uuid}`, { hostname: 'big one' }));
    await lab.register(registrationBody({ uuid, hostname: 'machine' }), token);
    assert.equal((await shown(uuid)).hostname, 'big one');
    await lab.end();
    await lab.begin();
    await lab.register(registrationBody({ uuid, hostname: 'other' }), token);
    assert.equal((await shown(uuid)).hostname, 'big one', 'also after a restart of the server');
    accepted(await lab.server.patch(`/api/agents/${uuid}`, { hostname: 'small one' }));
    await lab.register(registrationBody({ uuid, hostname: 'machine' }), token);
    assert.equal((await shown(uuid)).hostname, 'small one');
  });

  test('has its own name until an administrator enables it', async () => {
    const body = registrationBody({ hostname: 'one' });
    const { token } = (await lab.register(body)).json;
    await lab.register({ ...body, hostname: 'two' }, token);
    assert.equal((await shown(body.uuid)).hostname, 'two');
    accepted(await lab.server.patch(`/api/agents/${body.uuid}`, { agent_config_state: 'Enabled' }));
    await lab.register({ ...body, hostname: 'three' }, token);
    assert.equal((await shown(body.uuid)).hostname, 'two');
  });

  test('is enabled when it brings the key later', async () => {
    const body = registrationBody();
    const { token } = (await lab.register(body)).json;
    const reply = await lab.register({ ...body, key: await lab.key(), resources: ['linux'] }, token);
    assert.equal(reply.status, 201);
    const agent = await shown(body.uuid);
    assert.deepEqual([agent.agent_config_state, agent.resources], ['Enabled', ['linux']]);
    assert.deepEqual(
      (await eventsOf(body.uuid)).map(({ type }: { type: string }) => type),
      ['agent.registered', 'agent.changed', 'agent.enabled'],
    );
  });

  test('stays disabled, even with the key', async () => {
    const { uuid, token } = await lab.enabled();
    await lab.server.patch(`/api/agents/${uuid}`, { agent_config_state: 'Disabled' });
    const reply = await lab.register(registrationBody({ uuid, key: await lab.key() }), token);
    assert.deepEqual([reply.status, reply.json.state], [201, 'Disabled']);
  });

  test('gets another token when the first was lost on its way to the same process, and only until it is used', async () => {
    const body = registrationBody({ key: await lab.key() });
    const first = (await lab.register(body)).json.token;
    const second = (await lab.register(body)).json.token;
    assert.notEqual(first, second);
    assert.equal((await lab.register(body, first)).status, 401);
    assert.equal((await lab.register(body, second)).status, 201);
    assert.equal((await lab.register(body)).status, 409);
  });
});

describe('elastic agents', () => {
  test('are known by both ids, once, and have no resources', async () => {
    const elastic = { elastic_agent_id: 'pod-1', elastic_plugin_id: 'k8s' };
    const { uuid } = await lab.enabled(elastic);
    const agent = await shown(uuid);
    assert.deepEqual([agent.elastic_agent_id, agent.elastic_plugin_id, 'resources' in agent], ['pod-1', 'k8s', false]);
    const again = await lab.register(registrationBody({ ...elastic, key: await lab.key() }));
    assert.deepEqual([again.status, again.json.message], [422, 'Duplicate Elastic agent Id used to register elastic agent.']);
    const other = { elastic_agent_id: 'pod-2', elastic_plugin_id: 'k8s', resources: ['linux'] };
    const reply = await lab.register(registrationBody({ ...other, key: await lab.key() }));
    assert.deepEqual([reply.status, reply.json.message], [422, 'Elastic agents cannot have resources.']);
  });
});

describe('one-time keys', () => {
  test('enable one agent each', async () => {
    const key = lab.registry.issueOneTimeKey({ local: true });
    const { uuid } = await lab.enabled({ key, resources: ['linux'] });
    const [event] = await eventsOf(uuid);
    assert.equal(event.data.is_local, true);
    assert.equal(lab.registry.find(uuid)!.isLocal, true);
    assert.deepEqual((await shown(uuid)).resources, []);
    assert.equal((await lab.register(registrationBody({ key }))).status, 202);
  });

  test('one-time keys of an elastic agent are good for that one alone, in the environment it was made for', async () => {
    const made = (job: number) => ({ agentId: `slipway-00000000-job-${job}-1`, pluginId: 'k8s' });
    const bodyOf = ({ agentId, pluginId }: ReturnType<typeof made>, key: string) =>
      registrationBody({ key, elastic_agent_id: agentId, elastic_plugin_id: pluginId, environments: ['unknown'] });
    const [one, other] = [made(71), made(72)];
    const issue = () => lab.registry.issueOneTimeKey({ local: false, elastic: { ...one, environment: null } });
    const refused = await lab.register(bodyOf(other, issue()));
    assert.deepEqual([refused.status, /does not expect this elastic agent/.test(refused.json.message)], [422, true]);
    assert.equal((await lab.register(registrationBody({ key: issue() }))).status, 202, 'an ordinary agent waits');
    const key = issue();
    const body = bodyOf(one, key);
    const reply = await lab.register(body);
    assert.deepEqual([reply.status, reply.json.state], [201, 'Enabled']);
    assert.deepEqual((await shown(body.uuid)).environments, []);
    assert.equal((await lab.register(bodyOf(one, key))).status, 422, 'once');
  });

  test('one-time keys of an elastic agent enable no known agent, even if it registers with the elastic ids', async () => {
    const made = { agentId: 'slipway-00000000-job-74-1', pluginId: 'k8s' };
    const key = lab.registry.issueOneTimeKey({ local: false, elastic: { ...made, environment: null } });
    const waiting = registrationBody();
    const { token } = (await lab.register(waiting)).json;
    const asElastic = { key, elastic_agent_id: made.agentId, elastic_plugin_id: made.pluginId };
    const reply = await lab.register({ ...waiting, ...asElastic, resources: ['linux'] }, token);
    assert.deepEqual([reply.status, reply.json.state], [202, 'Pending']);
    assert.equal(lab.registry.find(waiting.uuid)!.configState, 'Pending');
  });

  test('one-time keys that were issued before the server ran builds are known by their hash, until they are too old', async () => {
    const agent = { agentId: 'slipway-00000000-job-73-1', pluginId: 'k8s' };
    const options = { local: false, elastic: { ...agent, environment: null } };
    const body = registrationBody({ key: 'sesame', elastic_agent_id: agent.agentId, elastic_plugin_id: 'k8s' });
    lab.registry.restoreOneTimeKey(sha256('sesame'), Date.now() - 31 * 60_000, options);
    assert.equal((await lab.register(body)).status, 422);
    lab.registry.restoreOneTimeKey(sha256('sesame'), Date.now() - 29 * 60_000, options);
    assert.equal((await lab.register(body)).status, 201);
  });
});

describe('tokens', () => {
  test('tokens of agents open nothing of users, and those of users nothing of agents', async () => {
    const { uuid, token } = await lab.enabled();
    assert.equal((await lab.server.get('/api/agents', { as: `Bearer ${token}` })).status, 401);
    const users = await tokenOf(lab.server, basic('admin', ADMIN_PASSWORD));
    const poll = { instance: INSTANCE, jobs: [], free_space: null, state: 'Enabled' };
    for (const as of [users, basic('admin', ADMIN_PASSWORD), '', `Bearer ${uuid}`]) {
      assert.equal((await lab.server.post('/agent/v1/poll', poll, { as })).status, 401);
    }
    assert.equal((await lab.register(registrationBody({ uuid }), users.slice('Bearer '.length))).status, 401);
  });

  test('tokens and keys are in no log', async () => {
    const key = await lab.key();
    const { token } = await lab.enabled();
    assert.ok(!lab.server.log.includes(token) && !lab.server.log.includes(key));
  });
});

test('between two servers agents are told to try again', async () => {
  const { token } = await lab.enabled();
  await lab.end();
  try {
    for (const reply of [await lab.register(registrationBody()), await lab.poll(token), await lab.server.get('/api/agents')]) {
      assert.equal(reply.status, 503, reply.text);
      assert.equal(reply.headers.get('retry-after'), '1');
    }
  } finally {
    await lab.begin();
  }
});

test('the key cannot be guessed: after many wrong ones the answer does not distinguish a right one from them', async () => {
  const waiting = registrationBody();
  const { token } = (await lab.register(waiting)).json;
  const guess = (key: string) =>
    lab.server.post('/agent/v1/registration?dry_run=true', { ...waiting, key }, { as: `Bearer ${token}` }).then(({ status }) => status);
  for (let count = 0; count < MAX_WRONG_KEYS; count++) await guess(`guess ${count}`);
  const key = await lab.key();
  assert.deepEqual([await guess('one more'), await guess(key)], [429, 429]);
  assert.equal((await lab.register(registrationBody({ key }))).status, 429);
  assert.equal((await lab.register(registrationBody())).status, 202, 'without a key an agent waits as before');
});
