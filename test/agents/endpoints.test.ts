// The API of agents: their representation for users, and changes by administrators.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AgentJobs, CurrentJob, HistoryQuery } from '../../src/builds/agents/agent-jobs.ts';
import { smallPipeline } from '../support/requests/bodies.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { AgentLab, NO_AGENT_JOBS, registrationBody } from './lab.ts';

let lab: AgentLab;
let plain: string;
before(async () => {
  lab = await AgentLab.start();
  plain = await addUser(lab.server, 'plain');
  for (const name of ['Dev', 'Prod']) accepted(await lab.server.post('/api/admin/environments', { name }));
});
after(() => lab.stop());
beforeEach(() => {
  lab.jobs = NO_AGENT_JOBS;
});

const CURRENT: CurrentJob = { pipeline: 'web', pipelineCounter: 3, stage: 'test', stageCounter: 2, job: 'unit', isCancelling: false };
const at = (uuid: string) => `/api/agents/${uuid}`;
const building = (uuid: string, current: CurrentJob = CURRENT): AgentJobs => ({
  ...NO_AGENT_JOBS,
  currentOf: (asked) => (asked === uuid ? current : undefined),
});
const typesOf = async (uuid: string) =>
  (await lab.server.get(`/api/admin/events?resource=agents&id=${uuid}&after=0`)).json._embedded.events.map(
    (event: { type: string }) => event.type,
  );
const disable = (uuid: string) => lab.server.patch(at(uuid), { agent_config_state: 'Disabled' });

describe('showing agents', () => {
  test('an agent is shown with all members to every user', async () => {
    const { uuid } = await lab.enabled({ hostname: 'aaa', resources: ['linux'] });
    const reply = accepted(await lab.server.get(at(uuid.toUpperCase()), { as: plain, accept: 'application/vnd.svc.v7+json' }));
    const { _links, ...agent } = reply.json;
    assert.deepEqual(agent, {
      uuid,
      hostname: 'aaa',
      ip_address: '127.0.0.1',
      sandbox: '/work',
      operating_system: 'Linux',
      agent_config_state: 'Enabled',
      agent_state: 'Idle',
      agent_version: '1.0.0',
      agent_bootstrapper_version: '1.0.0',
      environments: [],
      build_state: 'Idle',
      free_space: 1000,
      resources: ['linux'],
    });
    assert.deepEqual(Object.keys(_links), ['self', 'doc', 'find']);
    const list = accepted(await lab.server.get('/api/agents', { as: plain })).json;
    assert.deepEqual(list._embedded.agents[0], reply.json, 'sorted by hostname');
    assert.equal((await lab.server.get('/api/agents', { accept: 'application/vnd.svc.v6+json' })).status, 404);
    assert.equal((await lab.server.get('/api/agents', { as: '' })).status, 401);
  });

  test('an unknown agent is not found', async () => {
    const reply = await lab.server.get(at('nobody'));
    assert.deepEqual([reply.status, reply.json.message], [404, "Agent with uuid 'nobody' was not found!"]);
  });

  test('the current job of an agent is shown to users who may see its pipeline', async () => {
    const { uuid } = await lab.enabled({ free_space: null });
    accepted(await lab.server.post('/api/admin/pipelines', { group: 'shop', pipeline: smallPipeline('web') }));
    lab.jobs = building(uuid);
    const mine = accepted(await lab.server.get(at(uuid))).json;
    const { _links, ...names } = mine.build_details;
    assert.deepEqual(names, { pipeline_name: 'web', stage_name: 'test', job_name: 'unit' });
    assert.equal(_links.job.href, `${lab.server.url}/tab/build/detail/web/3/test/2/unit`);
    assert.deepEqual([mine.agent_state, mine.build_state, mine.free_space], ['Building', 'Building', 'unknown']);
    const others = accepted(await lab.server.get(at(uuid), { as: plain })).json;
    assert.deepEqual([others.agent_state, 'build_details' in others], ['Building', false]);
    lab.jobs = building(uuid, { ...CURRENT, pipeline: 'gone', isCancelling: true });
    assert.equal('build_details' in (await lab.server.get(at(uuid), { as: plain })).json, false);
    const cancelling = (await lab.server.get(at(uuid))).json;
    assert.deepEqual([cancelling.agent_state, cancelling.build_state], ['Building', 'Cancelled']);
    assert.equal(cancelling.build_details.pipeline_name, 'gone', 'administrators see what is no longer configured');
  });

  test('an agent without contact since the start of the server is missing', async () => {
    const { uuid } = await lab.enabled();
    await lab.end();
    await lab.begin();
    const { agent_state, build_state } = (await lab.server.get(at(uuid))).json;
    assert.deepEqual([agent_state, build_state], ['Missing', 'Unknown']);
  });

  test('free space alone changes no ETag, anything else does', async () => {
    const { uuid, token } = await lab.enabled();
    const tags = async () => [(await lab.server.get('/api/agents')).etag, (await lab.server.get(at(uuid))).etag];
    const before = await tags();
    lab.nextOrder = async () => ({ order: 'drop', job: 1 });
    await lab.poll(token, { free_space: 77 });
    assert.equal((await lab.server.get(at(uuid))).json.free_space, 77);
    assert.deepEqual(await tags(), before);
    const known = await lab.server.get('/api/agents', { headers: { 'If-None-Match': before[0]! } });
    assert.equal(known.status, 304);
    await lab.poll(token, { jobs: [{ job: 1, epoch: 1, is_cancelling: false }] });
    const [list, one] = await tags();
    assert.equal((await lab.server.get(at(uuid))).json.agent_state, 'Unknown', 'it works on what is not its job');
    assert.ok(list !== before[0] && one !== before[1]);
  });
});

describe('changing an agent', () => {
  test('each member of an agent can be changed, and absent members stay', async () => {
    const { uuid } = await lab.enabled({ resources: ['linux'] });
    const one = accepted(await lab.server.patch(at(uuid), { resources: 'java, Java ,c', hostname: ' new ' })).json;
    assert.deepEqual([one.resources, one.hostname, one.agent_config_state], [['java', 'c'], 'new', 'Enabled']);
    const two = accepted(await lab.server.patch(at(uuid), { environments: ['prod', 'DEV'], resources: null })).json;
    assert.deepEqual(
      [two.environments.map(({ name }: { name: string }) => name), two.resources],
      [
        ['Prod', 'Dev'],
        ['java', 'c'],
      ],
    );
    assert.deepEqual(accepted(await lab.server.patch(at(uuid), { resources: [] })).json.resources, []);
    assert.equal(accepted(await lab.server.patch(at(uuid), { agent_config_state: 'disabled' })).json.agent_config_state, 'Disabled');
    assert.equal(accepted(await lab.server.patch(at(uuid), { agent_config_state: 'Enabled' })).json.agent_config_state, 'Enabled');
    assert.deepEqual(await typesOf(uuid), [
      'agent.registered',
      ...['agent.changed', 'agent.changed', 'agent.changed', 'agent.disabled', 'agent.enabled'],
    ]);
    await lab.restart();
    assert.deepEqual((await lab.server.get(at(uuid))).json.environments.length, 2);
  });

  test('is refused with the agent and the errors of its fields', async () => {
    const { uuid } = await lab.enabled();
    const body = { hostname: ' ', resources: ['a', 'b!c'], environments: ['nowhere'] };
    const reply = await lab.server.patch(at(uuid), body);
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.json.message, /^Updating agent failed\. /);
    assert.equal(reply.json.data.uuid, uuid);
    assert.equal('_links' in reply.json.data, false, 'as in all refusals');
    assert.deepEqual(reply.json.data.errors, {
      hostname: ['`hostname` must not be blank.'],
      resources: ["Resource name 'b!c' is not valid. Valid names much match '^[-\\w\\s|.]*$'"],
      environments: ["Environment with name 'nowhere' was not found!"],
    });
    assert.equal((await lab.server.get(at(uuid))).json.hostname, 'builder');
  });

  test('needs an operation, an administrator, and an agent that exists', async () => {
    const { uuid } = await lab.enabled();
    const nothing = await lab.server.patch(at(uuid), { resources: null });
    assert.deepEqual(
      [nothing.status, nothing.json.message],
      [400, 'Bad Request. No operation is specified in the request to be performed on agent.'],
    );
    const state = await lab.server.patch(at(uuid), { agent_config_state: 'Pending' });
    assert.deepEqual(
      [state.status, state.json.message],
      [422, 'The value of `agent_config_state` can be one of `Enabled`, `Disabled` or null.'],
    );
    const forbidden = await lab.server.patch(at(uuid), { hostname: 'mine' }, { as: plain });
    assert.deepEqual([forbidden.status, forbidden.json.message], [403, 'You are not authorized to perform this action.']);
    assert.equal((await lab.server.patch(at(randomUUID()), { hostname: 'x' })).status, 404);
    assert.equal((await lab.server.patch(at(uuid), { hostname: 'x' }, { headers: { 'If-Match': '"old"' } })).status, 412);
    assert.equal((await lab.server.patch(`${at(uuid)}?dry_run=true`, { hostname: 'tried' })).json.hostname, 'tried');
    assert.equal((await lab.server.get(at(uuid))).json.hostname, 'builder');
  });

  test('is read as all bodies are: numbers count as texts, and what cannot be read is quoted', async () => {
    const { uuid } = await lab.enabled();
    const numbers = accepted(await lab.server.patch(at(uuid), { hostname: 7, resources: [8] })).json;
    assert.deepEqual([numbers.hostname, numbers.resources], ['7', ['8']]);
    for (const [path, wrong, message] of [
      [at(uuid), { hostname: {} }, 'Could not read property \'hostname\' as a String in json `{"hostname":{}}` '],
      [at(uuid), { resources: 5 }, 'Could not read property \'resources\' as a JsonArray in json `{"resources":5}`'],
      [
        at(uuid),
        { environments: [{}] },
        'Could not read property \'environments\' as a JsonArray containing string in `{"environments":[{}]}`',
      ],
      ['/api/agents', { operations: 5 }, 'Could not read property \'operations\' as a JsonObject in json `{"operations":5}`'],
    ] as const) {
      const reply = await lab.server.patch(path, path === '/api/agents' ? { uuids: uuid, ...wrong } : wrong);
      assert.equal(reply.status, 422);
      assert.equal(reply.json.message, path === '/api/agents' ? message.replace('{"', `{"uuids":"${uuid}","`) : message);
    }
  });

  test('a pending agent can be changed only if it is enabled or disabled with the change', async () => {
    const body = registrationBody();
    await lab.register(body);
    const reply = await lab.server.patch(at(body.uuid), { hostname: 'x' });
    assert.deepEqual(
      [reply.status, reply.json.message],
      [400, `Pending agent [${body.uuid}] must be explicitly enabled or disabled when performing any operation on it.`],
    );
    accepted(await lab.server.patch(at(body.uuid), { hostname: 'x', agent_config_state: 'Enabled' }));
    assert.deepEqual(await typesOf(body.uuid), ['agent.registered', 'agent.changed', 'agent.enabled']);
  });

  test('an environment that is deleted is not shown any more', async () => {
    accepted(await lab.server.post('/api/admin/environments', { name: 'Short' }));
    const { uuid } = await lab.enabled({ environments: ['short', 'dev'] });
    accepted(await lab.server.delete('/api/admin/environments/Short'));
    assert.deepEqual((await lab.server.get(at(uuid))).json.environments, [{ name: 'Dev', origin: { type: 'gocd' } }]);
  });
});

describe('changing many agents', () => {
  test('a bulk change adds and removes, for all agents or none', async () => {
    const [one, other] = [await lab.enabled({ resources: ['a', 'b'], environments: ['dev'] }), await lab.enabled()];
    const uuids = [one.uuid, other.uuid];
    const operations = { resources: { add: ['c'], remove: ['A'] }, environments: { add: ['prod'], remove: ['dev'] } };
    const reply = accepted(await lab.server.patch('/api/agents', { uuids, operations, agent_config_state: 'Disabled' }));
    assert.equal(reply.json.message, `Updated agent(s) with uuid(s): [${uuids.join(', ')}].`);
    const [first, second] = await Promise.all(uuids.map(async (uuid) => (await lab.server.get(at(uuid))).json));
    assert.deepEqual([first.resources, second.resources, first.agent_config_state], [['b', 'c'], ['c'], 'Disabled']);
    assert.deepEqual(first.environments, [{ name: 'Prod', origin: { type: 'gocd' } }]);
    const wrong = await lab.server.patch('/api/agents', { uuids, operations: { environments: { add: ['nowhere'] } } });
    assert.deepEqual([wrong.status, wrong.json.message], [422, "Updating agent failed. Environment with name 'nowhere' was not found!"]);
  });

  test('a bulk change needs agents that exist, and an operation', async () => {
    const { uuid } = await lab.enabled();
    const unknown = await lab.server.patch('/api/agents', { uuids: [uuid, 'x'], agent_config_state: 'Disabled' });
    assert.deepEqual([unknown.status, unknown.json.message], [404, "Agents with uuids 'x' were not found!"]);
    assert.equal((await lab.server.get(at(uuid))).json.agent_config_state, 'Enabled');
    assert.equal((await lab.server.patch('/api/agents', { agent_config_state: 'Disabled' })).status, 400);
    assert.equal((await lab.server.patch('/api/agents', { uuids: [uuid], operations: {} })).status, 400);
    assert.equal((await lab.server.patch('/api/agents', { uuids: [uuid], agent_config_state: 'Enabled' }, { as: plain })).status, 403);
  });

  test('a bulk change is refused for pending agents, and for resources of elastic ones', async () => {
    const body = registrationBody();
    await lab.register(body);
    const pending = await lab.server.patch('/api/agents', { uuids: [body.uuid], operations: { resources: { add: ['a'] } } });
    assert.deepEqual(
      [pending.status, pending.json.message],
      [400, `Pending agents [${body.uuid}] must be explicitly enabled or disabled when performing any operations on them.`],
    );
    const { uuid } = await lab.enabled({ elastic_agent_id: 'one', elastic_plugin_id: 'two' });
    const elastic = await lab.server.patch('/api/agents', { uuids: [uuid], operations: { resources: { add: ['a'] } } });
    assert.deepEqual([elastic.status, elastic.json.message], [400, `Resources on elastic agents with uuids [${uuid}] can not be updated.`]);
    assert.equal(
      (await lab.server.patch(at(uuid), { resources: ['a'] })).json.data.errors.resources[0],
      'Elastic agents cannot have resources.',
    );
  });
});

describe('deleting agents', () => {
  const REFUSED = 'Failed to delete an agent, as it is not in a disabled state or is still building.';

  test('only an agent that is disabled and builds nothing is deleted', async () => {
    const { uuid } = await lab.enabled();
    const enabled = await lab.server.delete(at(uuid));
    assert.deepEqual([enabled.status, enabled.json.message], [422, REFUSED]);
    await disable(uuid);
    lab.jobs = building(uuid);
    assert.equal((await lab.server.delete(at(uuid))).json.message, REFUSED);
    lab.jobs = NO_AGENT_JOBS;
    assert.equal((await lab.server.delete(at(uuid), { as: plain })).status, 403);
    assert.equal(accepted(await lab.server.delete(`${at(uuid)}?dry_run=true`)).json.message, 'Deleted 1 agent(s).');
    assert.equal(accepted(await lab.server.delete(at(uuid))).json.message, 'Deleted 1 agent(s).');
    assert.equal((await lab.server.delete(at(uuid))).status, 404);
    assert.equal((await typesOf(uuid)).at(-1), 'agent.deleted');
    await lab.restart();
    assert.equal((await lab.server.get(at(uuid))).status, 404);
  });

  test('many agents are deleted, all or none', async () => {
    const [one, other] = [await lab.enabled(), await lab.enabled()];
    await disable(one.uuid);
    const uuids = [one.uuid, other.uuid];
    const reply = await lab.server.delete('/api/agents', { body: { uuids } });
    assert.deepEqual(
      [reply.status, reply.json.message],
      [422, 'Could not delete any agents, as one or more agents might not be disabled or are still building.'],
    );
    await disable(other.uuid);
    assert.equal((await lab.server.delete('/api/agents', { body: { uuids: [] } })).status, 400);
    assert.equal((await lab.server.delete('/api/agents')).status, 400);
    assert.equal((await lab.server.delete('/api/agents', { body: { uuids: [...uuids, 'x'] } })).status, 404);
    assert.equal(accepted(await lab.server.delete('/api/agents', { body: { uuids } })).json.message, 'Deleted 2 agent(s).');
  });

  test('a deleted agent can come again as a new one', async () => {
    const { uuid } = await lab.enabled();
    await disable(uuid);
    accepted(await lab.server.delete(at(uuid)));
    assert.equal((await lab.register(registrationBody({ uuid }))).status, 202);
  });
});

describe('killing running tasks', () => {
  const headers = { 'X-Svc-Confirm': 'true' };

  test('running tasks are killed only while the job is being cancelled', async () => {
    const { uuid } = await lab.enabled();
    const kill = (ask: object = {}) => lab.server.ask('POST', `${at(uuid)}/kill_running_tasks`, { headers, ...ask });
    assert.equal((await kill()).status, 409);
    const killed: string[] = [];
    lab.jobs = {
      ...building(uuid, { ...CURRENT, isCancelling: true }),
      kill: (asked) => {
        killed.push(asked);
        return 'accepted';
      },
    };
    assert.equal((await kill({ headers: {} })).status, 400);
    assert.equal((await kill({ as: plain })).status, 403);
    assert.equal((await lab.server.ask('POST', `${at(uuid)}/kill_running_tasks?dry_run=true`, { headers })).status, 202);
    assert.deepEqual(killed, []);
    assert.equal((await kill()).status, 202);
    assert.deepEqual(killed, [uuid]);
    assert.equal((await lab.server.ask('POST', `${at('x')}/kill_running_tasks`, { headers })).status, 404);
  });
});

describe('the jobs of an agent', () => {
  test('the jobs of an agent come page by page', async () => {
    const { uuid } = await lab.enabled();
    const asked: HistoryQuery[] = [];
    const transitions = [{ state: 'Scheduled', at: 1500 }];
    const past = {
      pipeline: 'web',
      pipelineCounter: 3,
      stage: 'test',
      stageCounter: 2,
      job: 'unit',
      result: 'Passed',
      isRerun: true,
      transitions,
    };
    lab.jobs = {
      ...NO_AGENT_JOBS,
      history: async (_, query) => {
        asked.push(query);
        return { total: 31, jobs: [past] };
      },
    };
    const path = `${at(uuid)}/job_run_history`;
    const { jobs, pagination } = accepted(await lab.server.get(path, { accept: 'application/vnd.svc.v1+json' })).json;
    assert.deepEqual(pagination, { page_size: 50, offset: 0, total: 31 });
    assert.deepEqual(jobs, [
      {
        pipeline_name: 'web',
        pipeline_counter: 3,
        stage_name: 'test',
        stage_counter: '2',
        job_name: 'unit',
        result: 'Passed',
        rerun: true,
        job_state_transitions: [{ state: 'Scheduled', state_change_time: '1970-01-01T00:00:01Z' }],
      },
    ]);
    accepted(await lab.server.get(`${path}?offset=10&page_size=10&sort_column=job&sort_order=ASC`));
    assert.deepEqual(asked[1], { offset: 10, pageSize: 10, sortColumn: 'job', sortOrder: 'asc' });
    for (const query of ['page_size=9', 'page_size=101', 'page_size=x', 'offset=-1', 'sort_column=color', 'sort_order=up']) {
      const reply = await lab.server.get(`${path}?${query}`);
      assert.equal(reply.status, 400, query);
      assert.match(reply.json.message, new RegExp(`^The query parameter '${query.split('=')[0]}', if specified must be `));
    }
    assert.equal((await lab.server.get(path, { as: plain })).status, 403);
    assert.equal((await lab.server.get(`${at('x')}/job_run_history`)).status, 404);
  });
});

describe('the key of agents', () => {
  const PATH = '/api/admin/agent_registration';

  test('is shown to administrators, with the command', async () => {
    const { auto_register_key: key, command } = accepted(await lab.server.get(PATH)).json;
    assert.equal(command, `npm run slipway -- agent --server ${lab.server.url} --key ${key}`);
    assert.equal((await lab.server.get(PATH, { as: plain })).status, 403);
  });

  test('can be made anew, as a revision; the old one counts no longer', async () => {
    const old = await lab.key();
    const rotate = (ask: object = {}) => lab.server.ask('POST', `${PATH}/rotate`, { headers: { 'X-Svc-Confirm': 'true' }, ...ask });
    assert.equal((await rotate({ headers: {} })).status, 400);
    assert.equal((await rotate({ headers: {}, body: {} })).status, 400);
    assert.equal((await rotate({ as: plain })).status, 403);
    assert.equal(
      (await lab.server.ask('POST', `${PATH}/rotate?dry_run=true`, { headers: { 'X-Svc-Confirm': 'true' } })).json.auto_register_key,
      old,
    );
    assert.equal(await lab.key(), old);
    const reply = accepted(await rotate());
    const key = reply.json.auto_register_key;
    assert.ok(key !== old && Number(reply.headers.get('x-svc-revision')) > 0);
    assert.equal(await lab.key(), key);
    assert.equal((await lab.register(registrationBody({ key: old }))).status, 202);
    assert.equal((await lab.register(registrationBody({ key }))).status, 201);
  });
});
