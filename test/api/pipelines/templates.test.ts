// Templates: stages that pipelines share, the parameters they use, and which users may see and change them.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import { failed, stale } from '../../support/requests/replies.ts';
import type { TestServer } from '../../support/server/server.ts';
import { create, errorsIn, exec, job, NAME_RULE, PATH as PIPELINES, pipeline, removeAll, replace, stage } from './bodies.ts';

const PATH = '/api/admin/templates';
const GROUPS = '/api/admin/pipeline_groups';
const NO_MEMBERS = { users: [], roles: [] };
const UNSET = { all_group_admins_are_view_users: true, admin: NO_MEMBERS, view: NO_MEMBERS };
const FORBIDDEN = 'You are not authorized to perform this action.';

let server: TestServer;
let boss: string;
let keeper: string;
let plain: string;
before(async () => {
  server = await startServer();
  boss = await addUser(server, 'boss');
  keeper = await addUser(server, 'keeper');
  plain = await addUser(server, 'plain');
  await addRole(server, 'Keepers', ['keeper']);
  accepted(await server.post(GROUPS, { name: 'g', authorization: { admins: { users: ['boss'] } } }));
  accepted(await server.post(GROUPS, { name: 'h', authorization: {} }));
});
after(() => server.stop());
beforeEach(async () => {
  await removeAll(server);
  for (const { name } of (await server.get(PATH)).json._embedded.templates) accepted(await server.delete(`${PATH}/${name}`));
});

const post = (name: string, more: object = {}) => server.post(PATH, { name, stages: [stage()], ...more });
const using = (name: string, template: string, more: object = {}) => pipeline(name, { template, stages: null, ...more });
const linksOf = (name: string) => ({
  self: { href: `${server.url}${PATH}/${name}` },
  doc: { href: `${server.url}/api/docs#template-config` },
  find: { href: `${server.url}${PATH}/:template_name` },
});

test('a template has a name and stages, shown like those of a pipeline', async () => {
  const created = accepted(await post('t'));
  assert.deepEqual(Object.keys(created.json), ['_links', 'name', 'stages']);
  assert.deepEqual(created.json._links, linksOf('t'));
  assert.equal(created.headers.get('content-type'), 'application/vnd.svc.v7+json; charset=utf-8');
  accepted(await create(server, pipeline('p')));
  assert.deepEqual(created.json.stages, (await server.get(`${PIPELINES}/p`)).json.stages);
  const read = accepted(await server.get(`${PATH}/T`));
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
  assert.equal((await server.get(`${PATH}/t`, { headers: { 'If-None-Match': read.etag! } })).status, 304);
});

test('the list shows the pipelines that use each, and the rights of the caller', async () => {
  for (const name of ['t', 'unused']) accepted(await post(name));
  accepted(await create(server, using('web', 'T')));
  accepted(await create(server, using('api', 't'), 'h'));
  const list = accepted(await server.get(PATH));
  assert.equal(
    JSON.stringify(list.json._embedded.templates),
    JSON.stringify([
      {
        _links: linksOf('t'),
        name: 't',
        can_edit: true,
        can_administer: true,
        _embedded: {
          pipelines: [
            { name: 'web', can_administer: true },
            { name: 'api', can_administer: true },
          ],
        },
      },
      { _links: linksOf('unused'), name: 'unused', can_edit: true, can_administer: true, _embedded: { pipelines: [] } },
    ]),
  );
  assert.equal((await server.get(PATH, { headers: { 'If-None-Match': list.etag! } })).status, 304);
  const visible = accepted(await server.get(PATH, { as: boss })).json._embedded.templates;
  assert.deepEqual(
    visible.map(({ _links: _, ...one }: Record<string, unknown>) => one),
    [
      {
        name: 't',
        can_edit: false,
        can_administer: false,
        _embedded: {
          pipelines: [
            { name: 'web', can_administer: true },
            { name: 'api', can_administer: false },
          ],
        },
      },
      { name: 'unused', can_edit: false, can_administer: false, _embedded: { pipelines: [] } },
    ],
  );
});

test('a PUT replaces the stages, and the pipelines that use it have the new ones', async () => {
  const { etag } = accepted(await post('t'));
  accepted(await create(server, using('web', 't')));
  accepted(await server.put(`${PATH}/t`, { name: 't', stages: [stage('s'), stage('next')] }, etag));
  accepted(await create(server, pipeline('down', { materials: [{ type: 'dependency', attributes: { pipeline: 'web', stage: 'next' } }] })));
});

test('a PUT needs the current ETag, and a rename is refused', async () => {
  const { etag } = accepted(await post('t'));
  const message =
    "Someone has modified the configuration for template 't'. Please update your copy of the config with the changes and try again.";
  failed(await server.put(`${PATH}/t`, { stages: [stage()] }), 412, message);
  stale(await server.put(`${PATH}/t`, { stages: [stage()] }, '"stale"'), message);
  const renamed = await server.put(`${PATH}/t`, { name: 'u', stages: [stage()] }, etag);
  failed(renamed, 422, 'Renaming of templates is not supported by this API.');
  accepted(await server.put(`${PATH}/t`, { name: 'T', stages: [stage()] }, etag));
});

test('a name is unique, ignoring letter case, and follows the pattern', async () => {
  accepted(await post('t'));
  const twice = await post('T');
  failed(twice, 422, "Failed to add template 'T'. Another template with the same name already exists.");
  assert.deepEqual(errorsIn(twice.json.data), { name: ["Template name 'T' is not unique"] });
  assert.deepEqual(errorsIn((await post('a b')).json.data), { name: [`Invalid template name 'a b'. ${NAME_RULE}`] });
});

test('the stages of a template follow the rules of stages', async () => {
  const rows: readonly [stages: object[], path: string, message: string | RegExp][] = [
    [[stage('a b')], 'stages.0.name', `Invalid stage name 'a b'. ${NAME_RULE}`],
    [
      [stage('s'), stage('S')],
      'stages.1.name',
      "You have defined multiple stages called 'S'. Stage names are case-insensitive and must be unique.",
    ],
    [[stage('s', { jobs: [job({ tasks: [] })] })], 'stages.0.jobs.0.tasks', "Job 'j' must have at least one task."],
    [
      [stage('s', { jobs: [job({ tasks: [exec({ command: '' })] })] })],
      'stages.0.jobs.0.tasks.0.attributes.command',
      'Command cannot be empty',
    ],
    [
      [stage('s', { jobs: [job({ elastic_profile_id: 'ghost' })] })],
      'stages.0.jobs.0.elastic_profile_id',
      "No profile defined corresponding to profile_id 'ghost'",
    ],
    [
      [stage('s', { jobs: [job({ artifacts: [{ type: 'external', artifact_id: 'a', store_id: 'ghost' }] })] })],
      'stages.0.jobs.0.artifacts.0.store_id',
      /^Artifact store with id `ghost` does not exist\./,
    ],
    [
      [stage('s', { approval: { type: 'manual', authorization: { roles: ['ghost'] } } })],
      'stages.0.approval.authorization.roles',
      'Role "ghost" does not exist.',
    ],
  ];
  for (const [stages, path, message] of rows) {
    const reply = await post('t', { stages });
    assert.equal(reply.status, 422, reply.text);
    const problem = errorsIn(reply.json.data)[path]?.[0] ?? '';
    if (typeof message === 'string') assert.equal(problem, message);
    else assert.match(problem, message);
  }
  assert.equal((await post('t', { stages: [] })).status, 422);
  assert.equal((await post('t', { stages: null })).status, 422);
});

test('rules that need a pipeline are not checked in a template', async () => {
  const tasks = [exec({ command: '#{x}' }), { type: 'fetch', attributes: { pipeline: 'not/yet', stage: 'a', job: 'b', source: 'c' } }];
  const jobs = [job({ name: 'on-#{x}', tasks, elastic_profile_id: '#{profile}', resources: [] })];
  accepted(await post('t', { stages: [stage('s', { jobs })] }));
});

test('a template in use is not deleted', async () => {
  accepted(await post('t'));
  accepted(await create(server, using('web', 't')));
  accepted(await create(server, using('api', 't')));
  failed(await server.delete(`${PATH}/t`), 422, "Cannot delete the template 't' as it is used by pipeline(s): 'web, api'");
  accepted(await replace(server, pipeline('web')));
  accepted(await server.delete(`${PIPELINES}/api`));
  assert.equal(accepted(await server.delete(`${PATH}/t`)).json.message, "Template with name 't' was deleted successfully!");
  failed(await server.get(`${PATH}/t`), 404, "Template with name 't' was not found!");
});

describe('parameters', () => {
  const parametersOf = async (name: string) => accepted(await server.get(`${PATH}/${name}/parameters`));

  test('are all names that the template uses, each once, ignoring letter case', async () => {
    const jobs = [
      job({
        name: 'on-#{os}',
        tasks: [exec({ command: '#{tool}', arguments: ['#{tool}', '##{no}', '#{flag}'], on_cancel: exec({ command: '#{cleanup}' }) })],
        resources: ['#{OS}'],
      }),
    ];
    const stages = [stage('s', { jobs, environment_variables: [{ name: 'A', value: '#{value}' }] })];
    accepted(await post('T', { stages }));
    const { json, etag } = await parametersOf('t');
    assert.deepEqual(Object.keys(json), ['name', 'parameters']);
    assert.equal(json.name, 'T');
    assert.deepEqual(json.parameters.toSorted(), ['cleanup', 'flag', 'os', 'tool', 'value']);
    assert.equal((await server.get(`${PATH}/t/parameters`, { headers: { 'If-None-Match': etag! } })).status, 304);
  });

  test('are found in the name of a job', async () => {
    accepted(await post('t', { stages: [stage('s', { jobs: [job({ name: 'on-#{os}' })] })] }));
    assert.deepEqual((await parametersOf('t')).json.parameters, ['os']);
  });

  test('are an empty list for a template without any, and not found for a missing template', async () => {
    accepted(await post('t'));
    assert.deepEqual((await parametersOf('t')).json.parameters, []);
    failed(await server.get(`${PATH}/ghost/parameters`), 404, "Template with name 'ghost' was not found!");
  });
});

describe('authorization', () => {
  const rightsAt = (name: string) => `${PATH}/${name}/authorization`;
  const setRights = async (name: string, rights: object) => accepted(await server.put(rightsAt(name), rights, '*'));
  const withoutLinks = ({ _links: _, ...json }: Record<string, unknown>) => json;

  test('before any rights are set, administrators of groups may see the template', async () => {
    accepted(await post('t'));
    const { json, etag } = accepted(await server.get(rightsAt('t')));
    assert.equal(JSON.stringify(withoutLinks(json)), JSON.stringify(UNSET));
    const rights = {
      all_group_admins_are_view_users: false,
      admin: { users: ['keeper'], roles: [] },
      view: { users: [], roles: ['keepers'] },
    };
    const set = accepted(await server.put(rightsAt('t'), rights, etag));
    assert.deepEqual(withoutLinks(set.json), rights);
    assert.notEqual(set.etag, etag);
    assert.equal((await server.get(rightsAt('T'))).text, set.text);
    assert.equal((await server.get(rightsAt('t'), { headers: { 'If-None-Match': set.etag! } })).status, 304);
  });

  test('a PUT needs the current ETag, and roles that exist', async () => {
    accepted(await post('t'));
    assert.equal((await server.put(rightsAt('t'), UNSET)).status, 412);
    const { etag } = await server.get(rightsAt('t'));
    await setRights('t', { admin: { users: ['keeper'] } });
    const late = await server.put(rightsAt('t'), UNSET, etag);
    const { data } = stale(late, (await server.put(rightsAt('t'), UNSET)).json.message).json;
    assert.deepEqual([data.yours, data.theirs.length], [[], 1]);
    for (const list of ['admin', 'view']) {
      const reply = await server.put(rightsAt('t'), { [list]: { users: [], roles: ['ghost'] } }, '*');
      assert.equal(reply.status, 422);
      assert.deepEqual(errorsIn(reply.json.data), { [`${list}.roles`]: ['Role "ghost" does not exist.'] });
    }
    const twice = await server.put(rightsAt('t'), { view: { users: ['keeper', '', 'Keeper'], roles: ['Keepers', 'keepers'] } }, '*');
    assert.deepEqual(errorsIn(twice.json.data), {
      'view.users': ['User cannot be blank.', "User 'Keeper' already exists."],
      'view.roles': ["Role 'keepers' already exists."],
    });
    failed(await server.put(rightsAt('ghost'), UNSET, '*'), 404, "Template with name 'ghost' was not found!");
    failed(await server.get(rightsAt('ghost')), 404, "Template with name 'ghost' was not found!");
  });

  test('the template and its rights have tags of their own', async () => {
    const { etag } = accepted(await post('t'));
    await setRights('t', { admin: { users: ['keeper'] } });
    assert.equal((await server.get(`${PATH}/t`)).etag, etag);
  });

  test('users under admin may see and change it, by name or by role; others may not', async () => {
    accepted(await post('t'));
    accepted(await post('other'));
    const names = async (as: string) => {
      const reply = await server.get(PATH, { as });
      return reply.status === 200 ? reply.json._embedded.templates.map((one: { name: string }) => one.name) : reply.status;
    };
    assert.equal(await names(keeper), 403);
    assert.equal((await server.get(`${PATH}/t`, { as: keeper })).status, 403);
    for (const admin of [{ users: ['KEEPER'] }, { roles: ['KEEPERS'] }]) {
      await setRights('t', { admin });
      assert.deepEqual(await names(keeper), ['t']);
      accepted(await server.get(`${PATH}/t`, { as: keeper }));
      accepted(await server.get(`${PATH}/t/parameters`, { as: keeper }));
      accepted(await server.put(`${PATH}/t`, { stages: [stage('changed')] }, '*', { as: keeper }));
      failed(await server.get(`${PATH}/other`, { as: keeper }), 403, FORBIDDEN);
      failed(await server.put(`${PATH}/other`, { stages: [stage()] }, '*', { as: keeper }), 403, FORBIDDEN);
      assert.equal(await names(plain), 403);
      assert.equal((await server.get(`${PATH}/t`, { as: plain })).status, 403);
    }
    const tried = accepted(await server.put(`${rightsAt('t')}?dry_run=true`, { admin: { users: ['keeper', 'jez'] } }, '*', { as: keeper }));
    assert.ok(tried.json._plan.changes[0].differences.length > 0, 'they see what they may change');
    const [{ can_edit, can_administer }] = (await server.get(PATH, { as: keeper })).json._embedded.templates;
    assert.deepEqual([can_edit, can_administer], [true, false]);
    await setRights('t', {});
    assert.equal(await names(keeper), 403);
  });

  test('users under view may see it, and not change it', async () => {
    accepted(await post('t'));
    await setRights('t', { view: { users: ['plain'] } });
    accepted(await server.get(`${PATH}/t`, { as: plain }));
    accepted(await server.get(`${PATH}/t/parameters`, { as: plain }));
    for (const reply of [
      await server.put(`${PATH}/t`, { stages: [stage()] }, '*', { as: plain }),
      await server.delete(`${PATH}/t`, { as: plain }),
      await server.put(rightsAt('t'), UNSET, '*', { as: plain }),
    ]) {
      failed(reply, 403, FORBIDDEN);
    }
    assert.equal((await server.get(PATH, { as: plain })).json._embedded.templates[0].can_edit, false);
  });

  test('administrators of groups may see it as long as that is not switched off', async () => {
    accepted(await post('t'));
    accepted(await server.get(`${PATH}/t`, { as: boss }));
    failed(await server.put(`${PATH}/t`, { stages: [stage()] }, '*', { as: boss }), 403, FORBIDDEN);
    await setRights('t', { all_group_admins_are_view_users: false });
    failed(await server.get(`${PATH}/t`, { as: boss }), 403, FORBIDDEN);
    assert.deepEqual((await server.get(PATH, { as: boss })).json?._embedded?.templates ?? [], []);
  });

  test('only system administrators create templates', async () => {
    for (const as of [boss, keeper, plain]) {
      const reply = await server.post(PATH, { name: 'new', stages: [stage()] }, { as });
      assert.equal(reply.status, 403);
    }
  });

  test('rights go with their template, and a new one of the same name starts without', async () => {
    accepted(await post('t'));
    await setRights('t', { admin: { users: ['keeper'] } });
    accepted(await server.delete(`${PATH}/t`));
    accepted(await post('t'));
    assert.deepEqual(withoutLinks((await server.get(rightsAt('t'))).json), UNSET);
    assert.equal((await server.get(`${PATH}/t`, { as: keeper })).status, 403);
  });

  test('rights survive a restart', async () => {
    accepted(await post('t'));
    await setRights('t', { admin: { users: ['keeper'] } });
    await server.restart();
    accepted(await server.get(`${PATH}/t`, { as: keeper }));
  });
});
