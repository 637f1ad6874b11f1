// The dashboard over HTTP: in the form of GoCD, in short rows, by rights, and with views, on a real server with real runs.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: addresses of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted, addUser } from '../support/requests/callers.ts';
import type { Reply } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { type Agent, RunLab, stage } from './run-lab.ts';

let lab: RunLab;
let agent: Agent;
before(async () => {
  lab = await RunLab.start();
  agent = await lab.agent();
});
after(() => lab.stop());

type Json = Reply['json'];
const dashboard = async (as?: string, query = ''): Promise<Json> =>
  accepted(await lab.get(`/api/dashboard${query}`, as ? { as } : {})).json;
const shown = async (name: string, as?: string): Promise<Json> =>
  (await dashboard(as))._embedded.pipelines.find((one: Json) => one.name === name);
const rows = async (since?: string, as?: string): Promise<Json> =>
  accepted(await lab.get(`/api/dashboard/rows${since ? `?since=${since}` : ''}`, as ? { as } : {})).json;
const rowOf = (answer: Json, name: string): Json => answer.rows.find(([one]: [string]) => one === name);
const names = (answer: Json): string[] => answer.rows.map(([name]: [string]) => name);
const groupRights = (users: string[], operate: string[] = []) => ({
  view: { users, roles: [] },
  operate: { users: operate, roles: [] },
  admins: { users: [], roles: [] },
});
async function group(name: string, authorization: object): Promise<void> {
  const { etag } = accepted(await lab.get(`/api/admin/pipeline_groups/${name}`));
  accepted(await lab.server.put(`/api/admin/pipeline_groups/${name}`, { name, authorization }, etag!));
}

describe('a pipeline on the dashboard', () => {
  before(async () => {
    await lab.pipeline('web', { stages: [stage('test'), stage('deploy', { approval: { type: 'manual', allow_only_on_success: true } })] });
    await lab.poll();
    await lab.run('web', 1);
  });

  test('is shown with its runs, as GoCD shows it', async () => {
    const { last_updated_timestamp: at, _embedded, ...pipeline } = await shown('web');
    assert.ok(Date.now() - at < 60_000);
    assert.deepEqual(pipeline, {
      name: 'web',
      locked: false,
      pause_info: { paused: false, paused_by: null, pause_reason: null, paused_at: null },
      template_info: { is_using_template: false, template_name: null },
      can_operate: true,
      can_administer: true,
      can_unlock: true,
      can_pause: true,
      from_config_repo: false,
    });
    const [{ scheduled_at: scheduled, _embedded: inner, ...run }, ...others] = _embedded.instances;
    assert.deepEqual([run, others], [{ label: '1', counter: 1, triggered_by: 'Triggered by changes' }, []]);
    assert.match(scheduled, /^\d{4}-\d\d-\d\dT.*Z$/);
    const [first, second] = inner.stages;
    assert.deepEqual([first.status, first.approved_by, first.counter, first.can_operate], ['Building', 'changes', '1', true]);
    assert.deepEqual(second, {
      name: 'deploy',
      counter: '1',
      status: 'Unknown',
      approval_type: 'manual',
      approved_by: null,
      scheduled_at: null,
      can_operate: true,
      allow_only_on_success_of_previous_stage: true,
    });
  });

  test('shows the result of its stage when the agent reports it', async () => {
    const work = await agent.work();
    await agent.report(work, 'Completed', 'Failed');
    await lab.stageResult('web/1/test/1', 'Failed');
    const { _embedded } = await shown('web');
    assert.equal(_embedded.instances[0]._embedded.stages[0].status, 'Failed');
  });

  test('shows the run before while a stage is under way again', async () => {
    assert.equal((await lab.post('/api/stages/web/1/test/run')).status, 202);
    await until('the stage', async () => (await lab.get('/api/stages/web/1/test/2')).status === 200);
    const [first] = (await shown('web'))._embedded.instances[0]._embedded.stages;
    assert.deepEqual([first.counter, first.status], ['2', 'Building']);
    assert.deepEqual(first.previous_stage, { name: 'test', counter: '1', status: 'Failed', pipeline_counter: 1, pipeline_label: '1' });
    accepted(await lab.post('/api/stages/web/1/test/2/cancel'));
    const [cancelled] = (await shown('web'))._embedded.instances[0]._embedded.stages;
    assert.deepEqual([cancelled.status, cancelled.cancelled_by, cancelled.previous_stage], ['Cancelled', 'admin', undefined]);
  });

  test('shows its pause and its tracking tool at once', async () => {
    accepted(await lab.post('/api/pipelines/web/pause', { pause_cause: 'a look' }));
    const { pause_info: pause } = await shown('web');
    assert.deepEqual([pause.paused, pause.paused_by, pause.pause_reason], [true, 'admin', 'a look']);
    assert.match(pause.paused_at, /^\d{4}-/);
    const answer = await rows();
    const row = rowOf(answer, 'web');
    assert.equal(row[2] & answer.flags.paused, answer.flags.paused);
    const [cause, by, at] = row[answer.columns.indexOf('pause')];
    assert.deepEqual([cause, answer.texts[by], answer.base - at], ['a look', 'admin', Date.parse(pause.paused_at)]);
    accepted(await lab.post('/api/pipelines/web/unpause'));
    assert.equal((await shown('web')).pause_info.paused, false);
    const tool = { type: 'generic', attributes: { url_pattern: 'https://issues.example.org/${ID}', regex: 'SHOP-(\\d+)' } };
    await lab.pipeline('tracked', { tracking_tool: tool, lock_behavior: 'lockOnFailure' });
    assert.deepEqual((await shown('tracked')).tracking_tool, { regex: 'SHOP-(\\d+)', link: tool.attributes.url_pattern });
    await lab.run('tracked', 1);
    assert.equal((await shown('tracked')).locked, true);
  });

  test('has an ETag that stays until something happens', async () => {
    const { etag } = await lab.get('/api/dashboard');
    const again = () => lab.get('/api/dashboard', { headers: { 'If-None-Match': etag! } });
    assert.equal((await again()).status, 304);
    accepted(await lab.post('/api/pipelines/web/pause', { pause_cause: '' }));
    assert.equal((await again()).status, 200);
    accepted(await lab.post('/api/pipelines/web/unpause'));
  });

  test('is in its group, and in its environment', async () => {
    accepted(await lab.server.post('/api/admin/environments', { name: 'staging', pipelines: [{ name: 'web' }] }));
    const { _embedded } = await dashboard();
    const all = { pipelines: ['tracked', 'web'], can_administer: true, defines_pipelines: true };
    assert.deepEqual(_embedded.pipeline_groups, [{ name: 'shop', ...all }]);
    assert.deepEqual(_embedded.environments, [{ name: 'staging', ...all, pipelines: ['web'] }]);
    const answer = await rows();
    const [, place] = rowOf(answer, 'web');
    assert.deepEqual(
      answer.places[place].map((text: number) => answer.texts[text]),
      ['shop', 'staging'],
    );
  });

  test('ignores unknown query parameters, which clients of GoCD send; its rows, which only new clients know, do not', async () => {
    assert.equal((await lab.get('/api/dashboard?viewName=x&allowEmpty=true')).status, 200);
    assert.equal((await lab.get('/api/dashboard/rows?from=x')).status, 400);
  });
});

describe('rows', () => {
  test('are short, and have the same data as the full dashboard', async () => {
    const answer = await rows();
    assert.equal(answer.full, true);
    const [name, place, flags, run, ...nothing] = rowOf(answer, 'web');
    assert.deepEqual([name, answer.texts[answer.places[place][0]], flags, nothing], ['web', 'shop', 7, []]);
    const [counter, pattern, before, label, [[first, stageCounter, approvedBy, cancelledBy, ...more]]] = run;
    const [by, statuses, ...stages] = answer.patterns[pattern];
    assert.deepEqual([counter, label, answer.texts[by]], [1, 0, 'changes']);
    const { _embedded } = await shown('web');
    assert.equal(new Date(answer.base - before).toISOString(), _embedded.instances[0].scheduled_at);
    assert.deepEqual(
      stages.map((stage: number) => answer.stages[stage]),
      [
        ['test', 0, 0],
        ['deploy', 1, 1],
      ],
    );
    assert.deepEqual(
      [...statuses].map((status) => answer.statuses[status]),
      ['Cancelled', 'Unknown'],
    );
    assert.deepEqual([first, stageCounter, answer.texts[approvedBy], answer.texts[cancelledBy], more], [0, 2, 'admin', 'admin', []]);
  });

  test('say since when a stage is under way', async () => {
    const answer = await rows();
    const [, , , [, pattern, before, label = 0, [[, , , , after = 0]] = [[]]]] = rowOf(answer, 'tracked');
    assert.deepEqual([answer.statuses[answer.patterns[pattern][1][0]], label], ['Building', 0]);
    const [{ _embedded }] = (await shown('tracked'))._embedded.instances;
    assert.equal(new Date(answer.base - before + after).toISOString(), _embedded.stages[0].scheduled_at);
  });

  test('rows since a token are the changed rows, and the names of those that are gone', async () => {
    // Runs only when triggered: an automatic run would be a change, too.
    await lab.pipeline('gone', { stages: [stage('test', { approval: { type: 'manual' } })] });
    const { token } = await rows();
    const nothing = await rows(token);
    assert.deepEqual([nothing.full, nothing.rows, nothing.removed, nothing.token], [false, [], [], token]);
    accepted(await lab.post('/api/pipelines/web/pause', { pause_cause: 'x' }));
    accepted(await lab.server.delete('/api/admin/pipelines/gone'));
    const changed = await rows(token);
    assert.deepEqual([changed.full, names(changed), changed.removed], [false, ['web'], ['gone']]);
    assert.notEqual(changed.token, token);
    accepted(await lab.post('/api/pipelines/web/unpause'));
    assert.deepEqual(names(await rows(changed.token)), ['web']);
  });

  test('rows since an unknown token are all rows', async () => {
    const { token } = await rows();
    for (const unknown of ['x', `${token}x`, token.replace(/^./, 'z'), token.replace(/\.\d+\./, '.999999.'), '..'])
      assert.equal((await rows(encodeURIComponent(unknown))).full, true, unknown);
  });

  test('are not sent again to a client with their ETag', async () => {
    const { etag } = await lab.get('/api/dashboard/rows');
    const again = await lab.get('/api/dashboard/rows', { headers: { 'If-None-Match': etag! } });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  test('rows after a restart are all rows, with the same content', async () => {
    const earlier = await rows();
    await lab.server.restart();
    const later = await rows(earlier.token);
    assert.equal(later.full, true);
    assert.deepEqual([later.rows, later.base, later.patterns], [earlier.rows, earlier.base, earlier.patterns]);
  });
});

describe('a user with rights to some groups', () => {
  let viewer: string;
  before(async () => {
    viewer = await addUser(lab.server, 'viewer');
    await lab.pipeline(
      'open-1',
      { stages: [stage('go', { approval: { type: 'manual', authorization: { users: ['viewer'], roles: [] } } }), stage('on')] },
      'open',
    );
  });

  test('sees nothing without them, not even names', async () => {
    const { _embedded } = await dashboard(viewer);
    assert.deepEqual(_embedded, { pipeline_groups: [], environments: [], pipelines: [] });
    const answer = await rows(undefined, viewer);
    assert.deepEqual([answer.rows, answer.texts, answer.stages, answer.places, answer.patterns], [[], [null], [], [], []]);
  });

  test('sees the pipelines of their groups, with their rights on them', async () => {
    const { token } = await rows(undefined, viewer);
    await group('open', groupRights(['viewer']));
    const pipeline = await shown('open-1', viewer);
    assert.deepEqual([pipeline.can_operate, pipeline.can_pause, pipeline.can_unlock, pipeline.can_administer], [true, false, false, false]);
    const later = await rows(token, viewer);
    assert.deepEqual([later.full, names(later)], [true, ['open-1']]);
    assert.equal(later.texts.includes('shop'), false);
    const row = rowOf(later, 'open-1');
    assert.equal(row[2], later.flags.canOperate);
    assert.deepEqual(
      row[later.columns.indexOf('exceptions')].map((one: number) => later.stages[one][0]),
      ['go'],
    );
  });

  test('is informed that a pipeline is gone when it goes where they may not look', async () => {
    const { token } = await rows(undefined, viewer);
    const { json, etag } = accepted(await lab.get('/api/admin/pipelines/open-1'));
    accepted(await lab.server.put('/api/admin/pipelines/open-1', { ...json, group: 'shop' }, etag!));
    const later = await rows(token, viewer);
    assert.deepEqual([later.full, later.rows, later.removed], [false, [], ['open-1']]);
  });
});

describe('views', () => {
  const PATH = '/api/dashboard/views';
  const put = (filters: unknown, ifMatch: string | undefined = '*') =>
    lab.server.ask('PUT', PATH, { body: { filters }, headers: ifMatch ? { 'If-Match': ifMatch } : {} });
  const DEFAULT = { name: 'Default', type: 'blacklist', pipelines: [], state: [] };
  const shownPipelines = async (view: string) =>
    (await dashboard(undefined, `?viewName=${view}`))._embedded.pipelines.map((one: Json) => one.name);

  test('begin with one that shows everything', async () => {
    const { json, etag } = accepted(await lab.get(PATH));
    assert.deepEqual(json, { filters: [DEFAULT] });
    assert.equal(`"${(await dashboard())._personalization}"`, etag);
  });

  test('are replaced by a request with their ETag', async () => {
    const { etag } = await lab.get(PATH);
    const mine = { name: 'Mine', type: 'whitelist', pipelines: ['WEB', 'unknown'], state: [] };
    const reply = accepted(await put([mine], etag));
    assert.deepEqual(reply.json, { filters: [DEFAULT, mine] });
    assert.equal((await put([mine], etag)).status, 412);
    assert.equal((await put([mine], '')).status, 412);
    assert.equal(`"${(await dashboard())._personalization}"`, reply.etag);
    assert.deepEqual((await lab.get(PATH)).json, reply.json);
    assert.deepEqual((await lab.get(PATH, { as: await addUser(lab.server, 'other') })).json, { filters: [DEFAULT] });
  });

  test('choose the pipelines that are shown', async () => {
    const view = (name: string, type: string, pipelines: string[], state: string[] = []) => ({ name, type, pipelines, state });
    const web = [view('some', 'whitelist', ['web']), view('others', 'blacklist', ['web', 'open-1'])];
    accepted(await put([...web, view('busy', 'blacklist', [], ['building']), view('bad', 'blacklist', [], ['failing'])]));
    assert.deepEqual(await shownPipelines('some'), ['web']);
    assert.deepEqual(await shownPipelines('OTHERS'), ['tracked']);
    assert.deepEqual(await shownPipelines('busy'), ['tracked']);
    assert.deepEqual(await shownPipelines('bad'), []);
    assert.deepEqual(await shownPipelines('unknown'), ['open-1', 'tracked', 'web']);
    const { _embedded } = await dashboard(undefined, '?viewName=some');
    assert.deepEqual(
      _embedded.pipeline_groups.map(({ name, pipelines }: Json) => [name, pipelines]),
      [['shop', ['web']]],
    );
    accepted(await put([view('default', 'blacklist', ['web'])]));
    assert.deepEqual((await dashboard())._embedded.pipelines.length, 2);
    accepted(await put([]));
  });

  test('are refused when they are invalid', async () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      ['x', /list `filters`/],
      [[1], /View 1 must be a JSON object/],
      [[{ name: ' ' }], /View 1 has no name/],
      [[{ name: 'x'.repeat(256) }], /more than 255/],
      [[{ name: 'a' }, { name: 'A' }], /Two views are called 'A'/],
      [[{ name: 'a', type: 'grey' }], /type of view 'a'/],
      [[{ name: 'a', pipelines: [1] }], /pipelines of view 'a'/],
      [[{ name: 'a', state: ['asleep'] }], /states of view 'a'/],
      [Array.from({ length: 101 }, (_, name) => ({ name: String(name) })), /at most 100 views/],
      [
        Array.from({ length: 60 }, (_, name) => ({
          name: `v${name}`,
          pipelines: Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(200, 'x')),
        })),
        /`pipelines` of all views together .* 1000000 characters/,
      ],
    ];
    for (const [filters, message] of wrong) {
      const reply = await put(filters);
      assert.equal(reply.status, 422, String(message));
      assert.match(reply.json.message, message);
    }
  });

  test('are not written when they are only tried, and go with their user', async () => {
    accepted(await lab.server.ask('PUT', `${PATH}?dry_run=true`, { body: { filters: [{ name: 'tried' }] }, headers: { 'If-Match': '*' } }));
    assert.deepEqual((await lab.get(PATH)).json, { filters: [DEFAULT] });
    const as = await addUser(lab.server, 'leaver');
    accepted(await lab.server.ask('PUT', PATH, { as, body: { filters: [{ name: 'old' }] }, headers: { 'If-Match': '*' } }));
    accepted(await lab.server.patch('/api/users/leaver', { enabled: false }));
    accepted(await lab.server.delete('/api/users/leaver'));
    assert.deepEqual((await lab.get(PATH, { as: await addUser(lab.server, 'leaver') })).json, { filters: [DEFAULT] });
  });
});
