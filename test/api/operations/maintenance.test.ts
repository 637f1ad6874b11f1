// Maintenance mode over HTTP: which requests are refused and how, the report of running work, waiting for its end.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { MATERIAL_UPDATE } from '../../../src/maintenance/running-systems.ts';
import { isEmbedded } from '../../support/database/database.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { addUser, tokenOf } from '../../support/requests/callers.ts';
import { addressOf, OpenApi } from '../../support/requests/openapi.ts';
import { failed, invalid } from '../../support/requests/replies.ts';
import { ADMIN_PASSWORD, type Ask, basic, type Reply, TestServer } from '../../support/server/server.ts';
import { until as eventually } from '../../support/until.ts';

const MODE = '/api/admin/maintenance_mode';
const REFUSED = 'Server is in maintenance mode, please try later.';
const CONFIRM = { 'X-Svc-Confirm': 'true' };
const ENVIRONMENTS = '/api/admin/environments';

/** Writes that go on. */
const GO_ON = [
  // Sessions can always be ended.
  'DELETE /api/admin/sessions',
  'DELETE /api/admin/sessions/{id}',
  'DELETE /api/current_user/sessions',
  'DELETE /api/current_user/sessions/{id}',
  'DELETE /api/session',
  'POST /agent/v1/jobs/{job}/artifacts/publication',
  'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive',
  'POST /agent/v1/jobs/{job}/reports',
  'POST /agent/v1/poll',
  'POST /api/admin/access_tokens/{id}/revoke',
  'POST /api/admin/maintenance_mode/disable',
  'POST /api/admin/maintenance_mode/enable',
  'POST /api/admin/service_accounts/{name}/access_tokens',
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/revoke',
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate',
  'POST /api/agents/{uuid}/kill_running_tasks',
  'POST /api/backups',
  // A read, though it is asked for by POST.
  'POST /api/config-repository.git/git-upload-pack',
  'POST /api/current_user/access_tokens',
  'POST /api/current_user/access_tokens/{id}/revoke',
  'POST /api/current_user/access_tokens/{id}/rotate',
  'POST /api/current_user/sealed_drafts',
  'POST /api/current_user/sealed_drafts/open',
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/cancel',
  'PUT /agent/v1/jobs/{job}/artifacts/archive',
  'PUT /agent/v1/jobs/{job}/artifacts/file',
  'PUT /agent/v1/jobs/{job}/console',
];

const BUILD = {
  pipelineName: 'shop',
  pipelineCounter: 7,
  stageName: 'build',
  stageCounter: '1',
  name: 'compile',
  state: 'Scheduled',
  scheduledAt: '2026-01-31T09:30:00.123Z',
  agentUuid: null,
};
/** The work under way, as the parts of the server would report it. */
const under = { way: [] as (typeof BUILD | (Omit<typeof BUILD, 'agentUuid'> & { agentUuid: string }))[] };
let endUpdate = () => {};

let server: TestServer;
before(async () => {
  server = await TestServer.start(
    {},
    {
      builds: {
        building: () => under.way.filter(({ agentUuid }) => agentUuid !== null),
        scheduled: () => under.way.filter(({ agentUuid }) => agentUuid === null),
      },
      periodicJobs: [
        {
          name: 'git https://git.example.com/shop',
          kind: MATERIAL_UPDATE,
          details: { type: 'git', attributes: { url: 'https://git.example.com/shop', branch: 'main' } },
          when: { every: 3_600_000, firstAfter: 0 },
          run: () => new Promise<void>((resolve) => (endUpdate = resolve)),
        },
      ],
    },
  );
});
after(async () => {
  endUpdate();
  await server.stop();
});
beforeEach(() => (under.way = []));
afterEach(() => disable());

const enable = (body?: object, ask: Ask = {}) =>
  server.ask('POST', `${MODE}/enable`, { ...(body ? { body } : { headers: CONFIRM }), ...ask });
const disable = () => server.ask('POST', `${MODE}/disable`, { headers: CONFIRM });
const info = async () => (await server.get(`${MODE}/info`)).json;
const write = (ask: Ask = {}) => server.post(ENVIRONMENTS, { name: 'tried' }, ask);

function done(reply: Reply): void {
  assert.equal(reply.status, 204, reply.text);
  assert.equal(reply.text, '');
  assert.equal(reply.headers.get('content-type'), null);
}

describe('switching maintenance mode on and off', () => {
  test('a switch answers 204 without a body, or 409 if nothing is to be switched', async () => {
    failed(await disable(), 409, 'Failed to disable server maintenance mode. Server is not in maintenance mode.');
    done(await enable());
    failed(await enable(), 409, 'Failed to enable server maintenance mode. Server is already in maintenance mode.');
    done(await disable());
    failed(await disable(), 409, 'Failed to disable server maintenance mode. Server is not in maintenance mode.');
  });

  test('a request without a body needs the confirm header, under any of its names', async () => {
    for (const path of [`${MODE}/enable`, `${MODE}/disable`])
      failed(await server.ask('POST', path), 400, "Missing required header 'X-Svc-Confirm' with value 'true'");
    const accept = 'application/vnd.go.cd.v1+json';
    done(await server.ask('POST', `${MODE}/enable`, { accept, headers: { 'X-GoCD-Confirm': 'true' } }));
    done(await server.ask('POST', `${MODE}/disable`, { accept, headers: { Confirm: 'true' } }));
  });

  test('only one of many requests at the same moment switches it on', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => enable({ survive_restart: index % 2 === 0 })));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [204, ...Array(9).fill(409)]);
  });

  test('an access token may switch it, as the script after a backup does', async () => {
    const as = await tokenOf(server, basic('admin', ADMIN_PASSWORD));
    done(await enable(undefined, { as }));
    done(await server.ask('POST', `${MODE}/disable`, { headers: CONFIRM, as }));
  });

  test('a dry run does not switch it', async () => {
    done(await server.post(`${MODE}/enable?dry_run=true`, {}));
    assert.equal((await info()).is_maintenance_mode, false);
  });
});

describe('maintenance mode that is on', () => {
  test('every write is refused, also without a login, but for those that go on', async () => {
    const api = await OpenApi.of(server);
    done(await enable());
    // New agents may register, users may log in and be logged out by their provider: the server checks these requests as usual.
    const withoutLogin = ['POST /agent/v1/registration', 'POST /api/session', 'POST /auth/backchannel_logout/{auth_config_id}'];
    const needsNoLogin = ({ name }: { readonly name: string }) => withoutLogin.includes(name);
    const writes = api.operations.filter((operation) => operation.method !== 'GET' && !needsNoLogin(operation));
    assert.ok(writes.length > 50);
    const goOn: string[] = [];
    for (const operation of writes) {
      const reply = await server.ask(operation.method, addressOf(operation), { as: '', ...(operation.request && { body: {} }) });
      assert.ok([401, 503].includes(reply.status), `${operation.name}: ${reply.status}`);
      if (reply.status === 401) goOn.push(operation.name);
      else {
        assert.ok(reply.text.includes(REFUSED), operation.name);
        assert.equal(reply.headers.get('retry-after'), '60', operation.name);
      }
    }
    assert.deepEqual(goOn.toSorted(), GO_ON);
  });

  test('every read goes on', async () => {
    const api = await OpenApi.of(server);
    done(await enable());
    for (const operation of api.operations.filter(
      ({ method, path }) => method === 'GET' && !path.endsWith('/ready') && !path.endsWith('/wait'),
    ))
      assert.notEqual((await server.get(addressOf(operation), { accept: null })).status, 503, operation.name);
    assert.equal((await server.ask('HEAD', '/api/version')).status, 200);
  });

  test('writes to addresses and versions that do not exist are refused, too', async () => {
    done(await enable());
    failed(await server.post('/api/nothing', {}), 503, REFUSED);
    failed(await write({ accept: 'application/vnd.svc.v99+json' }), 503, REFUSED);
  });

  test('a refused write changes nothing, and works afterwards', async () => {
    done(await enable());
    failed(await write(), 503, REFUSED);
    failed(await server.post(`${ENVIRONMENTS}?dry_run=true`, { name: 'tried' }), 503, REFUSED);
    assert.equal((await server.get(`${ENVIRONMENTS}/tried`)).status, 404);
    done(await disable());
    assert.equal((await write()).status, 200);
    assert.equal((await server.delete(`${ENVIRONMENTS}/tried`)).status, 200);
  });

  test('tokens can be made and revoked', async () => {
    done(await enable());
    const path = '/api/current_user/access_tokens';
    const created = await server.post(path, { description: 'made meanwhile' });
    assert.equal(created.status, 200, created.text);
    assert.equal((await server.get('/api/version', { as: `bearer ${created.json.token}` })).status, 200);
    assert.equal((await server.post(`${path}/${created.json.id}/revoke`, {})).status, 200);
  });

  test('a write that began before, and whose body comes later, is refused', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const body = JSON.stringify({ name: 'late' });
    const head = [
      `POST ${ENVIRONMENTS} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${basic('admin', ADMIN_PASSWORD)}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const answers = Array.fromAsync(socket, String);
    await pause(100); // authenticated, and waiting for its body
    done(await enable());
    socket.write(body);
    assert.match((await answers).join(''), /HTTP\/1\.1 503 .*Server is in maintenance mode/s);
    assert.equal((await server.get(`${ENVIRONMENTS}/late`)).status, 404);
  });

  test('the refusal is JSON, XML or a page, as asked for', async () => {
    done(await enable({ reason: '<new> disk', minutes: 60 }, { headers: {} }));
    const json = await write({ accept: null });
    assert.equal(json.headers.get('content-type'), 'application/vnd.svc.v3+json; charset=utf-8');
    const theirs = await write({ accept: 'application/vnd.go.cd.v3+json' });
    assert.equal(theirs.headers.get('content-type'), 'application/vnd.go.cd.v3+json; charset=utf-8');
    assert.deepEqual(json.json, { message: REFUSED });
    assert.equal(json.headers.get('cache-control'), 'private, max-age=0, no-cache');
    assert.equal(json.headers.get('expires'), 'Thu, 01 Jan 1970 00:00:00 GMT');
    const wait = Number(json.headers.get('retry-after'));
    assert.ok(wait > 3590 && wait <= 3600, String(wait));

    const bare = await server.ask('DELETE', `${ENVIRONMENTS}/tried`, { accept: null });
    assert.deepEqual(bare.json, { message: REFUSED });

    for (const accept of ['application/xml', null]) {
      const headers = { 'Content-Type': 'text/xml' };
      const xml = await server.ask('POST', '/api/admin/pipelines', { accept, headers, text: '<pipeline/>' });
      assert.equal(xml.headers.get('content-type'), 'application/xml; charset=utf-8');
      assert.equal(xml.text, `<message>${REFUSED}</message>`);
    }
    const byPath = await server.ask('POST', '/api/admin/config.xml?a=b', { accept: null });
    assert.match(byPath.headers.get('content-type')!, /^application\/xml/);

    const page = await server.ask('DELETE', '/somewhere', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' });
    assert.equal(page.status, 503);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.ok(page.text.includes(REFUSED));
    for (const detail of ['admin', 'disk', new Date().getUTCFullYear()]) assert.ok(!page.text.includes(String(detail)), page.text);
  });
});

describe('the info', () => {
  test('switched off, it shows the user of the last change', async () => {
    done(await enable());
    done(await disable());
    const { _links, metadata, ...rest } = await info();
    assert.deepEqual(_links, { self: { href: `${server.url}${MODE}/info` }, doc: { href: `${server.url}/api/docs#maintenance-mode` } });
    assert.deepEqual(Object.keys(metadata), ['updated_by', 'updated_on']);
    assert.equal(metadata.updated_by, 'admin');
    assert.match(metadata.updated_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual(rest, { is_maintenance_mode: false });
  });

  test('before the first change it shows no user', async () => {
    const fresh = await TestServer.start();
    try {
      assert.deepEqual((await fresh.get(`${MODE}/info`)).json.metadata, { updated_by: null, updated_on: null });
    } finally {
      await fresh.stop();
    }
  });

  test('switched on, it shows the running work, the reason and the end', async () => {
    under.way = [BUILD, { ...BUILD, state: 'Building', agentUuid: 'a1' }];
    const before = Date.now();
    done(await enable({ reason: 'new disk', minutes: 1, survive_restart: true }));
    const afterwards = Date.now();
    const { is_maintenance_mode, attributes } = await info();
    assert.equal(is_maintenance_mode, true);
    const { running_systems, until, ...rest } = attributes;
    assert.deepEqual(rest, { has_running_systems: true, reason: 'new disk', survive_restart: true });
    const orderedAt = Date.parse(until) - 60_000;
    assert.ok(orderedAt > before - 1000 && orderedAt < afterwards + 1000, until);
    const { mdu_start_time, ...update } = running_systems.material_update_in_progress[0];
    assert.deepEqual(update, { type: 'git', attributes: { url: 'https://git.example.com/shop', branch: 'main' } });
    assert.ok(Date.parse(mdu_start_time) <= Date.now());
    const job = {
      pipeline_name: 'shop',
      pipeline_counter: 7,
      stage_name: 'build',
      stage_counter: '1',
      name: 'compile',
      state: 'Scheduled',
      scheduled_date: '2026-01-31T09:30:00Z',
      agent_uuid: null,
    };
    assert.deepEqual(running_systems.scheduled_jobs, [job]);
    assert.deepEqual(running_systems.building_jobs, [{ ...job, state: 'Building', agent_uuid: 'a1' }]);
    assert.deepEqual(running_systems.other_work, []);
  });
});

describe('an order', () => {
  test('can name the time of its end', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
    done(await enable({ until: until.replace('Z', '+00:00') }));
    const { attributes } = await info();
    assert.deepEqual([attributes.until, attributes.reason, attributes.survive_restart], [until, null, false]);
  });

  test('can give its reason in the header of reasons', async () => {
    done(await enable(undefined, { headers: { ...CONFIRM, 'X-Svc-Reason': 'new disk' } }));
    assert.equal((await info()).attributes.reason, 'new disk');
  });

  test('an order with invalid values is refused with all errors, and nothing happens', async () => {
    const both = invalid(
      await enable({ minutes: -1, until: 'tomorrow', reason: 'x'.repeat(1001) }),
      '`reason` must not be longer than 1000 characters. Give either `minutes` or `until`, not both. `minutes` must be more than 0 and at most 527040. `until` must be a time in the future, within a year, in the form 2026-01-31T09:30:00Z.',
    );
    assert.deepEqual(Object.keys(both.json.data.errors), ['reason', 'until', 'minutes']);
    assert.match((await enable({ minutes: 'soon' })).json.message, /^Could not read property 'minutes' as a Number in json/);
    for (const body of [
      { minutes: 0 },
      { minutes: 1e300 },
      { minutes: 'soon' },
      { until: '2026-01-31' },
      { until: '2026-01-31T09:30:00Z' },
      { until: '9999-01-31T09:30:00Z' },
      { until: '2027-13-45T99:30:00Z' },
      { reason: {} },
      { survive_restart: [] },
    ]) {
      const reply = await enable(body);
      assert.equal(reply.status, 422, JSON.stringify(body));
      assert.equal(Object.values(reply.json.data.errors).flat().length, 1, reply.text);
    }
    assert.equal((await info()).is_maintenance_mode, false);
  });

  test('an order with an end is over after it', async () => {
    done(await enable({ minutes: 0.005 }));
    failed(await write(), 503, REFUSED);
    await eventually('the end', async () => !(await info()).is_maintenance_mode);
    const { is_maintenance_mode, metadata } = await info();
    assert.deepEqual([is_maintenance_mode, metadata.updated_by], [false, 'Slipway']);
    assert.match(server.log, /maintenance mode has ended by itself/);
  });
});

describe('waiting', () => {
  const wait = (query = '', ask: Ask = {}) => server.get(`${MODE}/wait${query}`, ask);

  test('makes no sense while it is off', async () => {
    failed(await wait(), 409, 'Server is not in maintenance mode.');
  });

  test('takes whole seconds', async () => {
    for (const timeout of ['-1', '1.5', 'x', '601', '', '99999999999'])
      assert.equal((await wait(`?timeout=${timeout}`)).status, 400, timeout);
  });

  test('ends after its time when something still runs', async () => {
    done(await enable());
    const startedAt = performance.now();
    const reply = failed(await wait('?timeout=1'), 503, 'Something is still running after 1 second.');
    assert.ok(performance.now() - startedAt >= 990);
    assert.equal(reply.json.drained, false);
    assert.equal(reply.json.running_systems.material_update_in_progress.length, 1);
    assert.equal(reply.headers.get('retry-after'), '5');
    assert.equal((await wait('?timeout=0')).status, 503);
  });

  test('ends when maintenance mode does', async () => {
    done(await enable());
    const waiting = wait('?timeout=30');
    await pause(50);
    done(await disable());
    failed(await waiting, 409, 'Server is not in maintenance mode.');
  });

  test('waiting ends when the client goes away', async () => {
    done(await enable());
    const before = server.lines.length;
    let stayMs = 1100;
    // Only slow requests are in the log. On a busy machine one may come to the server late, and end too early to be slow.
    await eventually('its line among the slow requests of the log', async () => {
      const response = fetch(`${server.url}${MODE}/wait?timeout=600`, {
        headers: { Authorization: basic('admin', ADMIN_PASSWORD) },
        signal: AbortSignal.timeout(stayMs),
      });
      await assert.rejects(response, { name: 'TimeoutError' });
      stayMs *= 2;
      await pause(50);
      return server.lines.slice(before).some((line) => line.includes('/wait'));
    });
  });

  test('ends when nothing runs any more; jobs without an agent do not count', async () => {
    done(await enable());
    under.way = [{ ...BUILD, agentUuid: 'a1' }, BUILD];
    const waiting = wait('?timeout=30');
    await pause(150);
    endUpdate();
    await pause(150);
    under.way = [BUILD];
    const { status, json } = await waiting;
    assert.equal(status, 200);
    assert.equal(json.drained, true);
    assert.equal(json.running_systems.scheduled_jobs.length, 1);
    assert.equal((await info()).attributes.has_running_systems, false);
  });

  test('is for administrators', async () => {
    const as = await addUser(server, 'jez');
    for (const path of [`${MODE}/wait`, `${MODE}/info`]) assert.equal((await server.get(path, { as })).status, 403);
    assert.equal((await enable({}, { as })).status, 403);
  });
});

test('a server that stops does not wait for pending wait requests', async () => {
  let looks = 0;
  const building = () => {
    looks++;
    return [{ ...BUILD, agentUuid: 'a1' }];
  };
  const other = await TestServer.start({}, { builds: { building, scheduled: () => [] } });
  assert.equal((await other.post(`${MODE}/enable`, {})).status, 204);
  const looksBefore = looks;
  const waiting = other.get(`${MODE}/wait?timeout=600`);
  await eventually('somebody who waits', () => looks > looksBefore);
  const startedAt = performance.now();
  await other.stop();
  assert.ok(performance.now() - startedAt < PATIENCE_MS);
  assert.equal((await waiting).status, 503);
});

test('maintenance mode outlasts a restart when asked to, and can be had from the start', async () => {
  const isOn = async (one: TestServer) => (await one.get(`${MODE}/info`)).json.is_maintenance_mode;
  const other = await TestServer.start();
  try {
    await other.post(`${MODE}/enable`, {});
    await other.restart();
    // Servers that share a database share the mode, too: it does not end when one of them starts anew.
    assert.equal(await isOn(other), !isEmbedded);
    if (!isEmbedded) await other.ask('POST', `${MODE}/disable`, { headers: CONFIRM });
    await other.post(`${MODE}/enable`, { survive_restart: true, reason: 'new disk' });
    await other.restart();
    assert.equal(await isOn(other), true);
    assert.equal((await other.post(ENVIRONMENTS, { name: 'e' })).status, 503);
    await other.ask('POST', `${MODE}/disable`, { headers: CONFIRM });
    await other.restart();
    assert.equal(await isOn(other), false);
    assert.equal((await other.post(ENVIRONMENTS, { name: 'e' })).status, 200);
  } finally {
    await other.stop();
  }
  const flagged = await TestServer.start({ maintenance: 'true' });
  try {
    const { json } = await flagged.get(`${MODE}/info`);
    assert.deepEqual([json.is_maintenance_mode, json.metadata.updated_by], [true, 'Slipway']);
    assert.equal((await flagged.post(ENVIRONMENTS, { name: 'e' })).status, 503);
  } finally {
    await flagged.stop();
  }
});
