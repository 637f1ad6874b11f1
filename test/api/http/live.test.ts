// Live notices of a real server: which notices come, for which users, from where on, and how the stream ends.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RunLab } from '../../builds/run-lab.ts';
import { StreamReader } from '../../events/stream-reader.ts';
import { accepted, addRole, addUser, givePassword, tokenOf } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const LIVE = '/api/live';
const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const ADMIN = basic('admin', ADMIN_PASSWORD);

let lab: RunLab;
let viewer: string;
let stranger: string;
const readers: StreamReader[] = [];
before(async () => {
  lab = await RunLab.start();
  viewer = await addUser(lab.server, 'viewer');
  stranger = await addUser(lab.server, 'stranger');
  const authorization = { view: { users: ['viewer'], roles: [] } };
  accepted(await lab.server.post('/api/admin/pipeline_groups', { name: 'shop', authorization }));
  accepted(await lab.server.post('/api/admin/pipeline_groups', { name: 'secret' }));
  await lab.pipeline('web');
  await lab.pipeline('hidden', {}, 'secret');
  await lab.poll();
});
after(async () => {
  for (const reader of readers) reader.close();
  await lab.stop();
});

async function follow(query = '', headers: Readonly<Record<string, string>> = {}, as = ADMIN): Promise<StreamReader> {
  const reader = await StreamReader.open(`${lab.server.url}${LIVE}${query}`, { Authorization: as, ...headers });
  readers.push(reader);
  return reader;
}

/** The notices of a type, as they were sent. */
const those = (reader: StreamReader, type: string) =>
  reader.events.filter((_, index) => reader.types[index] === type).map(({ data }) => data);
const names = (reader: StreamReader) => [...new Set(those(reader, 'pipeline').map(({ name }) => name))];
const comment = (pipeline: string, text: string) => lab.post(`/api/pipelines/${pipeline}/1/comment`, { comment: text });
const pause = (pipeline: string) => lab.post(`/api/pipelines/${pipeline}/pause`, { pause_cause: 'x' });
const unpause = (pipeline: string) => lab.post(`/api/pipelines/${pipeline}/unpause`);

describe('events', () => {
  test('a run gives notices of its pipeline, stages, jobs and agent, from beginning to end', async () => {
    const reader = await follow();
    assert.equal(reader.response.headers['content-type'], 'text/event-stream');
    assert.equal(reader.response.headers['content-encoding'], undefined);
    await reader.got(1);
    assert.equal(reader.types[0], 'ready');
    const agent = await lab.agent();
    await until('the first run', async () => (await lab.get('/api/pipelines/web/1/instance')).status === 200);
    const work = await agent.workOf('web');
    await agent.report(work, 'Building');
    const isJob = (state: string) => () => those(reader, 'job').some(({ pipeline, state: is }) => pipeline === 'web' && is === state);
    await reader.until(isJob('Building'));
    await agent.report(work, 'Completed', 'Passed');
    await reader.until(isJob('Completed'));
    const job = those(reader, 'job').findLast(({ pipeline, stage }) => pipeline === 'web' && stage === 'test');
    assert.deepEqual(job, {
      pipeline: 'web',
      counter: 1,
      stage: 'test',
      stage_counter: 1,
      job: 'unit',
      state: 'Completed',
      result: 'Passed',
    });
    const passed = { pipeline: 'web', counter: 1, stage: 'test', stage_counter: 1, result: 'Passed' };
    await reader.until(() => those(reader, 'stage').some((data) => JSON.stringify(data) === JSON.stringify(passed)));
    assert.ok(names(reader).includes('web'));
    assert.ok(those(reader, 'agent').some(({ uuid }) => uuid === agent.uuid));
  });

  test('comments, pauses, changes of the configuration and maintenance mode give notices', async () => {
    const reader = await follow('?pipelines=WEB');
    await reader.got(1);
    const count = () => those(reader, 'pipeline').length;
    accepted(await comment('web', 'hello'));
    await reader.until(() => count() === 1);
    accepted(await pause('web'));
    await reader.until(() => count() === 2);
    accepted(await unpause('web'));
    await reader.until(() => count() === 3);
    accepted(await lab.server.post('/api/admin/environments', { name: 'staging' }));
    await reader.until(() => those(reader, 'config').length > 0);
    assert.deepEqual(those(reader, 'config'), [{ kind: 'environments', name: 'staging' }]);
    await lab.post('/api/admin/maintenance_mode/enable');
    await reader.until(() => those(reader, 'maintenance').at(-1)?.enabled === true);
    await lab.post('/api/admin/maintenance_mode/disable');
    await reader.until(() => those(reader, 'maintenance').at(-1)?.enabled === false);
  });

  test('a part of an environment from a config repo, and the rights on a template, give notices', async () => {
    const reader = await follow('?topics=config');
    await reader.got(1);
    const count = (kind: string, name: string) => those(reader, 'config').filter((one) => one.kind === kind && one.name === name).length;
    accepted(await lab.server.post('/api/admin/environments', { name: 'live' }));
    const stages = [{ name: 'test', jobs: [{ name: 'unit', tasks: [{ type: 'exec', attributes: { command: 'true' } }] }] }];
    accepted(await lab.server.post('/api/admin/templates', { name: 'common', stages }));
    await reader.until(() => count('environments', 'live') === 1 && count('templates', 'common') === 1);
    await lab.origin.commit('as code', { 'ci/live.gocd.yaml': 'environments: { live: { environment_variables: { A: "1" } } }\n' });
    const material = { type: 'git', attributes: { url: lab.origin.path, branch: 'main' } };
    const rules = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
    accepted(await lab.server.post('/api/admin/config_repos', { id: 'team', plugin_id: 'yaml.config.plugin', material, rules }));
    await reader.until(() => count('environments', 'live') === 2);
    const { headers, json } = accepted(await lab.get('/api/admin/templates/common/authorization'));
    const changed = { ...json, all_group_admins_are_view_users: !json.all_group_admins_are_view_users };
    accepted(await lab.server.put('/api/admin/templates/common/authorization', changed, headers.get('ETag')!));
    await reader.until(() => count('templates', 'common') === 2);
    accepted(await lab.server.delete('/api/admin/config_repos/team'));
  });

  test('a new modification of a material gives a notice', async () => {
    const reader = await follow('?topics=materials');
    await lab.origin.commit('second', { 'readme.md': '2' });
    await lab.poll();
    await reader.until(() => those(reader, 'material').length > 0);
    assert.match(those(reader, 'material')[0].fingerprint, /^[0-9a-f]{64}$/);
  });

  test('a stream has notices of the requested pipelines and topics only', async () => {
    const [one, config] = await Promise.all([follow('?pipelines=web&topics=dashboard'), follow('?topics=config,health')]);
    accepted(await comment('hidden', 'a'));
    accepted(await lab.server.post('/api/admin/environments', { name: 'filtered' }));
    accepted(await comment('web', 'b'));
    await one.until(() => names(one).includes('web'));
    await config.until(() => those(config, 'config').length > 0);
    assert.deepEqual(names(one), ['web']);
    assert.deepEqual(those(one, 'config'), []);
    assert.deepEqual(names(config), []);
  });

  test('many changes in a moment give few notices', async () => {
    const reader = await follow('?pipelines=web&topics=dashboard');
    await reader.got(1);
    const begun = performance.now();
    for (let count = 0; count < 100; count++) accepted(await comment('web', `${count}`));
    const quarters = Math.ceil((performance.now() - begun) / 250);
    await reader.until(() => reader.types.includes('pipeline'));
    assert.ok(those(reader, 'pipeline').length <= quarters + 2, `${those(reader, 'pipeline').length} in ${quarters} quarters`);
  });
});

describe('rights', () => {
  test('events of pipelines go only to users who may view them; those of agents and health go to every user', async () => {
    const [sees, not, all] = await Promise.all([follow('', {}, viewer), follow('', {}, stranger), follow()]);
    accepted(await comment('hidden', 'psst'));
    accepted(await comment('web', 'hello'));
    await lab.agent();
    await all.until(() => names(all).length === 2);
    await sees.until(() => names(sees).includes('web') && sees.types.includes('agent'));
    await not.until(() => not.types.includes('agent'));
    assert.deepEqual(names(sees), ['web']);
    assert.deepEqual(names(not), []);
    assert.ok(!sees.types.includes('config'));
    assert.equal(JSON.stringify([...sees.events, ...not.events]).includes('hidden'), false);
  });

  test('a user who gets the right is told to read everything, and gets the events from then on', async () => {
    const reader = await follow('', {}, stranger);
    await reader.got(1);
    accepted(await addRoleToGroup());
    await reader.until(() => reader.types.includes('reload'));
    accepted(await comment('hidden', 'now'));
    await reader.until(() => names(reader).includes('hidden'));
  });

  test('a user who loses the right on a template is told to read everything', async () => {
    const stages = [{ name: 'test', jobs: [{ name: 'unit', tasks: [{ type: 'exec', attributes: { command: 'true' } }] }] }];
    accepted(await lab.server.post('/api/admin/templates', { name: 'shared', stages }));
    const path = '/api/admin/templates/shared/authorization';
    const setViewers = async (users: readonly string[]) => {
      const { headers, json } = accepted(await lab.get(path));
      accepted(await lab.server.put(path, { ...json, view: { users, roles: [] } }, headers.get('ETag')!));
    };
    await setViewers(['viewer']);
    const reader = await follow('?topics=config', {}, viewer);
    await reader.got(1);
    await setViewers([]);
    await reader.until(() => reader.types.includes('reload'));
  });

  async function addRoleToGroup() {
    await addRole(lab.server, 'insiders', ['stranger']);
    const group = '/api/admin/pipeline_groups/secret';
    const { etag } = await lab.get(group);
    return lab.server.put(group, { name: 'secret', authorization: { view: { roles: ['insiders'], users: [] } } }, etag);
  }

  test('a stream ends with a message when its user is disabled, or its token is revoked', async () => {
    const gone = await addUser(lab.server, 'gone');
    const token = await tokenOf(lab.server, viewer);
    const [disabled, revoked] = await Promise.all([follow('', {}, gone), follow('', {}, token)]);
    accepted(await lab.server.patch('/api/users/gone', { enabled: false }));
    const { json } = accepted(await lab.get('/api/current_user/access_tokens', { as: viewer }));
    const id = json._embedded.access_tokens.at(-1).id;
    accepted(await lab.post(`/api/current_user/access_tokens/${id}/revoke`, { revoke_cause: '' }, { as: viewer }));
    for (const reader of [disabled, revoked]) {
      await reader.until(() => reader.hasEnded);
      assert.equal(reader.types.at(-1), 'end');
      assert.equal(reader.events.at(-1)!.data.status, 401);
    }
  });

  test('a stream ends with a message when the auth config of its user is deleted', async () => {
    const guest = givePassword(lab.server, 'guest', { file: 'guests.properties' });
    const properties = [{ key: 'PasswordFilePath', value: 'guests.properties' }];
    accepted(await lab.server.post(AUTH_CONFIGS, { id: 'guests', plugin_id: 'cd.go.authentication.passwordfile', properties }));
    const open = await Promise.all([follow('', {}, guest), follow('', {}, await tokenOf(lab.server, guest))]);
    assert.deepEqual(
      open.map(({ response }) => response.statusCode),
      [200, 200],
    );
    accepted(await lab.server.ask('DELETE', `${AUTH_CONFIGS}/guests`));
    for (const reader of open) {
      await reader.until(() => reader.hasEnded);
      assert.equal(reader.types.at(-1), 'end');
    }
  });

  test('a stream needs a login, and a user may have only so many', async () => {
    assert.equal((await follow('', {}, '')).response.statusCode, 401);
    const many = await addUser(lab.server, 'many');
    const open = await Promise.all(Array.from({ length: 20 }, () => follow('', {}, many)));
    assert.ok(open.every(({ response }) => response.statusCode === 200));
    const refused = await lab.get(LIVE, { as: many, accept: 'text/event-stream' });
    assert.equal(refused.status, 429);
    assert.match(refused.json.message, /20 open streams/);
    open[0]!.close();
    await until('a place', async () => {
      const next = await follow('', {}, many);
      return next.response.statusCode === 200;
    });
  });
});

describe('where it goes on', () => {
  test('a stream after an id begins with the changes since then, once', async () => {
    const first = await follow('?topics=dashboard');
    const { id } = (await first.got(1))[0]!;
    first.close();
    accepted(await comment('web', 'while away'));
    for (const [query, headers] of [
      ['?topics=dashboard', { 'Last-Event-ID': id }],
      [`?topics=dashboard&since=${id}`, {}],
    ] as const) {
      const reader = await follow(query, headers);
      await reader.until(() => names(reader).includes('web'));
      assert.deepEqual(reader.types, ['ready', 'pipeline']);
    }
  });

  test('a stream after an unknown id begins with the order to reload', async () => {
    for (const id of ['00000000-5', 'nonsense']) {
      const reader = await follow('', { 'Last-Event-ID': id });
      await reader.got(1);
      assert.equal(reader.types[0], 'reload');
      assert.match(reader.events[0]!.id, /^[0-9a-f]{8}-\d+$/);
    }
  });

  test('the notices since an id can be read without a stream', async () => {
    const { json: now } = accepted(await lab.get(LIVE));
    assert.deepEqual([now.reload, now.notices], [false, []]);
    accepted(await comment('web', 'asked for'));
    const notices = await until('the notice', async () => {
      const { json } = accepted(await lab.get(`${LIVE}?since=${now.id}&pipelines=web&topics=dashboard`));
      return json.notices.length > 0 ? json.notices : undefined;
    });
    assert.deepEqual(notices, [{ event: 'pipeline', data: { name: 'web' } }]);
    assert.equal(accepted(await lab.get(`${LIVE}?since=00-1`)).json.reload, true);
  });

  test('an unknown topic or parameter is refused', async () => {
    assert.equal((await lab.get(`${LIVE}?topics=weather`)).status, 400);
    assert.equal((await lab.get(`${LIVE}?topic=jobs`)).status, 400);
    assert.equal((await lab.get(`${LIVE}?pipelines=${Array.from({ length: 1001 }, (_, index) => index).join()}`)).status, 400);
  });

  test('a server that stops ends the streams at once, and a page that comes back reads everything', async () => {
    const reader = await follow();
    const { id } = (await reader.got(1))[0]!;
    const begun = performance.now();
    let stopped = 0;
    await lab.server.restart(() => {
      stopped = performance.now();
    });
    assert.ok(reader.hasEnded);
    assert.match(reader.comments.at(-1)!, /the server stops/);
    assert.ok(stopped - begun < 5000, `stopping took ${stopped - begun} ms`);
    const again = await follow('', { 'Last-Event-ID': id });
    await again.got(1);
    assert.equal(again.types[0], 'reload');
  });
});
