// Materials: listed once each to users who may see them, polled on demand, and their modifications a page at a time.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sha256 } from '../../../src/kit/bytes/hash.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import { healthOf } from '../../support/server/health.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { create, dependency, git, pipeline, removeAll } from '../pipelines/bodies.ts';

const LIST = '/api/config/materials';
const SCHEDULED = 'The material is now scheduled for an update. Please check relevant pipeline(s) for status.';
const NOT_FOUND =
  'Unable to find material. Materials must be configured not to poll for new changes before they can be used with the notification mechanism.';

let server: TestServer;
let viewer: string;
let operator: string;
let plain: string;
const lab = new Lab();
before(async () => {
  server = await startServer();
  viewer = await addUser(server, 'viewer');
  operator = await addUser(server, 'operator');
  plain = await addUser(server, 'plain');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'hidden' }));
  const authorization = { view: { users: ['viewer', 'operator'] }, operate: { users: ['operator'] } };
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g', authorization }));
});
after(async () => {
  await server.stop();
  lab.remove();
});
beforeEach(() => removeAll(server));

const fingerprint = (url: string, branch = 'master') => sha256(`type=GitMaterial<|>url=${url}<|>branch=${branch}`);
const modificationsPath = (url: string, branch?: string) => `/api/materials/${fingerprint(url, branch)}/modifications`;
const trigger = (url: string, as?: string, branch = 'main') =>
  server.ask('POST', `/api/internal/materials/${fingerprint(url, branch)}/trigger_update`, {
    headers: { 'X-Svc-Confirm': 'true' },
    ...(as !== undefined && { as }),
  });
const listed = async (as?: string) => accepted(await server.get(LIST, as === undefined ? {} : { as })).json._embedded.materials;
const add = async (name: string, materials: readonly object[], group = 'g') =>
  accepted(await create(server, pipeline(name, { materials }), group));

const failureMessage = async () => (await healthOf(server)).find(({ message }) => message.startsWith('Modification check failed'));
const pageOf = (reply: Reply) => accepted(reply).json._embedded;
const modificationsOf = (url: string, count: number) =>
  until(`modification ${count}`, async () => {
    const page = pageOf(await server.get(modificationsPath(url, 'main')));
    return page.pagination.total >= count && page;
  });

describe('the list', () => {
  test('shows every material once, in the order and the words of the first pipeline that uses it', async () => {
    await add('one', [
      git({ url: 'https://bob:pass@git.example.com/app', branch: 'feature', destination: 'a', filter: { ignore: ['doc/*'] } }),
    ]);
    await add('two', [git({ url: 'https://bob:pass@git.example.com/app', branch: 'feature', name: 'other' }), dependency('one')]);
    const reply = await server.get(LIST, { accept: 'application/vnd.svc.v2+json' });
    assert.equal(reply.headers.get('content-type'), 'application/vnd.svc.v2+json; charset=utf-8');
    assert.equal(
      accepted(reply).text,
      JSON.stringify({
        _links: { doc: { href: `${server.url}/api/docs#materials` }, self: { href: `${server.url}${LIST}` } },
        _embedded: {
          materials: [
            {
              type: 'git',
              fingerprint: 'fe28ea241379bb9237df99af7c855fff4af0d6159d2a1f9da6abeeb35413ff52',
              attributes: {
                url: 'https://bob:******@git.example.com/app',
                destination: 'a',
                filter: { ignore: ['doc/*'] },
                invert_filter: false,
                name: null,
                auto_update: true,
                branch: 'feature',
                submodule_folder: null,
                shallow_clone: false,
              },
            },
            {
              type: 'dependency',
              fingerprint: sha256('type=DependencyMaterial<|>pipelineName=one<|>stageName=s'),
              attributes: { pipeline: 'one', stage: 's', name: null, auto_update: true, ignore_for_scheduling: false },
            },
          ],
        },
      }),
    );
  });

  test('has a tag that changes with its content, and only then', async () => {
    await add('one', [git({ url: 'https://git.example.com/one' })]);
    const tagOf = async (as?: string) => (await server.get(LIST, as === undefined ? {} : { as })).etag!;
    const before = await tagOf();
    assert.equal((await server.ask('GET', LIST, { headers: { 'If-None-Match': before } })).status, 304);
    await add('two', [git({ url: 'https://git.example.com/one', name: 'again' })]);
    assert.equal(await tagOf(), before);
    await add('three', [git({ url: 'https://git.example.com/three' })]);
    assert.notEqual(await tagOf(), before);
    assert.equal((await server.ask('GET', LIST, { headers: { 'If-None-Match': before } })).status, 200);
    assert.notEqual(await tagOf(plain), await tagOf());
  });

  test('the value of a parameter counts, in the secret part of an address, too', async () => {
    const parameters = [
      { name: 'host', value: 'git.example.com' },
      { name: 'pass', value: 'pass' },
    ];
    const materials = [git({ url: 'https://bob:#{pass}@#{host}/app', branch: 'feature' })];
    accepted(await create(server, pipeline('one', { parameters, materials })));
    const [material] = await listed();
    assert.equal(material.fingerprint, 'fe28ea241379bb9237df99af7c855fff4af0d6159d2a1f9da6abeeb35413ff52');
    assert.equal(material.attributes.url, 'https://bob:******@git.example.com/app');
  });

  test('materials of the other types have the attributes of GoCD', async () => {
    const scm = { name: 'tools', id: 'scm-id', plugin_metadata: { id: 'github.pr', version: '1' } };
    accepted(await server.post('/api/admin/scms', { ...scm, configuration: [{ key: 'url', value: 'https://git.example.com/app.git' }] }));
    await add('one', [
      { type: 'hg', attributes: { url: 'https://bob:pass@hg.example.com/app##feature', destination: 'a' } },
      {
        type: 'svn',
        attributes: { url: 'https://svn.example.com/repo/trunk', username: 'admin', check_externals: true, destination: 'b' },
      },
      {
        type: 'p4',
        attributes: { port: 'p4.example.com:1666', username: 'bob', view: '//depot/dir1/... //something/...', destination: 'c' },
      },
      {
        type: 'tfs',
        attributes: {
          url: 'https://tfs.example.com/collection',
          username: 'bob',
          domain: 'CORP',
          project_path: '$/app',
          password: 'x',
          destination: 'd',
        },
      },
      { type: 'plugin', attributes: { ref: 'scm-id', destination: 'e' } },
    ]);
    const [hg, svn, p4, tfs, plugin] = await listed();
    assert.equal(hg.fingerprint, '2d91f757dcd6a6a1ecb6d7ec58daf837259a47a7f8b41c186b45127a0e02f35d');
    assert.equal(hg.attributes.url, 'https://bob:******@hg.example.com/app##feature');
    assert.equal(svn.fingerprint, '85b9a25518b9a64dc968d5e3d76445a031855afddd2c42d9faf75db54b5b316c');
    assert.equal(p4.fingerprint, '10d39509a94db9eba0d84c838b544b4c3e7b046404b86c33caf5fef8030eb3b0');
    assert.equal('url' in p4.attributes, false);
    assert.equal(tfs.fingerprint, 'a31db55b15a22b7a9b7523bfc711d76e8e8f199be6b050e5b8e5ea3fa9b6ef3b');
    assert.equal('password' in tfs.attributes, false);
    assert.equal(plugin.fingerprint, '54fb351c3947df59599479f759e6c06067f94b316cf5cedd1518d3017ab1c01d');
    assert.deepEqual(plugin.attributes, { ref: 'scm-id', filter: null, destination: 'e', invert_filter: false });
    const changed = { ...scm, configuration: [{ key: 'url', value: 'https://git.example.com/other.git' }] };
    accepted(await server.put('/api/admin/scms/tools', changed, '*'));
    assert.equal((await listed())[4].fingerprint, sha256('plugin-id=github.pr<|>url=https://git.example.com/other.git'));
    const names = [hg, svn, p4, tfs].map(({ attributes }) => Object.keys(attributes).join(' '));
    const common = 'destination filter invert_filter name auto_update';
    assert.deepEqual(names, [
      `url ${common}`,
      `url ${common} username check_externals`,
      `${common} username port use_tickets view`,
      `url ${common} username encrypted_password domain project_path`,
    ]);
    await removeAll(server);
    accepted(await server.delete('/api/admin/scms/tools'));
  });

  test('shows each user the materials of the groups they may see', async () => {
    await add(
      'secret',
      [
        git({ url: 'https://git.example.com/both', name: 'hidden-name' }),
        git({ url: 'https://git.example.com/hidden', destination: 'x' }),
      ].map((one, index) => ({ ...one, attributes: { ...one.attributes, destination: `d${index}` } })),
      'hidden',
    );
    await add('open', [git({ url: 'https://git.example.com/both', name: 'open-name' })]);
    assert.deepEqual(
      (await listed(viewer)).map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['open-name'],
    );
    assert.equal((await listed()).length, 2);
    assert.deepEqual(await listed(plain), []);
    failed(
      await server.get(modificationsPath('https://git.example.com/hidden'), { as: viewer }),
      403,
      'Unauthorized { Do not have view permission to this material }',
    );
    accepted(await server.get(modificationsPath('https://git.example.com/both'), { as: viewer }));
  });

  test('a material of a config repo alone is neither listed nor found', async () => {
    const url = 'https://git.example.com/repo';
    const repo = {
      id: 'repo',
      plugin_id: 'yaml.config.plugin',
      material: { type: 'git', attributes: { url } },
      configuration: [],
      rules: [],
    };
    accepted(await server.post('/api/admin/config_repos', repo));
    assert.deepEqual(await listed(), []);
    failed(await server.get(modificationsPath(url)), 404, 'Not Found { Material not found }');
    accepted(await server.delete('/api/admin/config_repos/repo'));
  });
});

describe('modifications', () => {
  test('there are none for a material that was never polled', async () => {
    await add('one', [git()]);
    const url = 'https://scm.example.org/a.git';
    assert.deepEqual(accepted(await server.get(`${modificationsPath(url)}/3`)).json, {
      _links: {
        self: { href: `${server.url}${modificationsPath(url)}` },
        doc: { href: `${server.url}/api/docs#materials` },
        find: { href: `${server.url}/api/materials/:fingerprint/modifications/{offset}` },
      },
      _embedded: { modifications: [], pagination: { page_size: 10, offset: 3, total: 0 } },
    });
    const message = "The query parameter 'offset', if specified, must be a positive integer.";
    for (const offset of ['-1', 'abc', '1.5']) failed(await server.get(`${modificationsPath(url)}/${offset}`), 400, message);
  });

  test('come with a poll on request, and a failure is reported until a poll succeeds', async () => {
    const origin = await GitOrigin.make(lab.newPath('origin'));
    const first = await origin.commit('first', { 'a.txt': 'a' });
    await add('one', [git({ url: origin.path, branch: 'main' })]);
    failed(await trigger(origin.path, viewer), 401, 'Do not have permission to trigger this material');
    failed(await trigger(origin.path, plain), 401, 'Do not have view permission to this material');
    failed(await trigger('https://git.example.com/unknown', operator), 401, 'Do not have view permission to this material');
    failed(await trigger('https://git.example.com/unknown'), 404, 'Material not found');
    const triggered = await trigger(origin.path, operator);
    assert.deepEqual([triggered.status, triggered.json], [201, { message: 'OK' }]);
    const page = await modificationsOf(origin.path, 1);
    const [{ id, modified_time, ...rest }] = page.modifications;
    assert.deepEqual(rest, { user_name: 'Ann Other <ann@example.org>', email_address: null, revision: first, comment: 'first' });
    assert.ok(Number.isSafeInteger(id) && Math.abs(modified_time - Date.now()) < 60_000);
    assert.deepEqual(page.pagination, { page_size: 10, offset: 0, total: 1 });

    for (let index = 1; index <= 11; index++) await origin.commit(`next ${index}`);
    await until('a free moment', async () => (await trigger(origin.path, operator)).status === 201);
    const next = await modificationsOf(origin.path, 12);
    const comments = ({ modifications }: typeof next) => modifications.map(({ comment }: { comment: string }) => comment);
    assert.deepEqual(comments(next), [
      'next 11',
      'next 10',
      'next 9',
      'next 8',
      'next 7',
      'next 6',
      'next 5',
      'next 4',
      'next 3',
      'next 2',
    ]);
    const last = pageOf(await server.get(`${modificationsPath(origin.path, 'main')}/10`));
    assert.deepEqual([comments(last), last.pagination], [['next 1', 'first'], { page_size: 10, offset: 10, total: 12 }]);

    await origin.run('branch', '-m', 'main', 'gone');
    await until('a free moment', async () => (await trigger(origin.path, operator)).status === 201);
    const message = await until('the message', async () => (await healthOf(server))[0]);
    assert.equal(message.message, `Modification check failed for material: URL: ${origin.path}, Branch: main\nAffected pipelines are one.`);
    assert.equal(message.level, 'ERROR');
    await origin.run('branch', '-m', 'gone', 'main');
    await until('a free moment', async () => (await trigger(origin.path, operator)).status === 201);
    await until('silence', async () => (await healthOf(server)).length === 0);
  });

  test('a failure shows no password, and goes with the material', async () => {
    const url = 'http://bob:hunter2@127.0.0.1:1/app.git';
    await add('one', [git({ url, branch: 'main' })]);
    assert.equal((await trigger(url)).status, 201);
    const message = await until('the message', async () => (await healthOf(server))[0]);
    assert.match(
      message.message,
      /^Modification check failed for material: URL: http:\/\/bob:\*{6}@127\.0\.0\.1:1\/app\.git, Branch: main\n/,
    );
    assert.ok(!JSON.stringify(message).includes('hunter2') && !server.log.includes('hunter2'));
    await removeAll(server);
    await until('silence', async () => (await healthOf(server)).length === 0);
  });

  test('a type that cannot be polled yet, or whose plugin is missing, is reported', async () => {
    accepted(
      await server.post('/api/admin/scms', {
        id: 'scm-id',
        name: 'tools',
        auto_update: false,
        plugin_metadata: { id: 'github.pr', version: '1' },
        configuration: [{ key: 'url', value: 'https://git.example.com/app.git' }],
      }),
    );
    await add('one', [{ type: 'plugin', attributes: { ref: 'scm-id' } }]);
    const answer = await server.post('/api/admin/materials/scm/notify', { scm_name: 'TOOLS' });
    assert.deepEqual([answer.status, answer.json], [202, { message: SCHEDULED }]);
    const message = await until('the message', async () =>
      (await healthOf(server)).find(({ message }) => message.startsWith('Modification check failed')),
    );
    assert.equal(message.detail, "Plugin with id 'github.pr' is not found.");
    await removeAll(server);
    accepted(await server.delete('/api/admin/scms/tools'));
  });
});

describe('another pipeline as a material', () => {
  const UP = sha256('type=DependencyMaterial<|>pipelineName=up42<|>stageName=up42_stage');
  const stages = [{ name: 'up42_stage', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
  const page = `/api/materials/${UP}/modifications`;

  beforeEach(async () => {
    accepted(await create(server, { ...pipeline('up42', { materials: [git({ url: 'https://git.example.com/up' })] }), stages }, 'hidden'));
    await add('down', [dependency('up42', 'up42_stage', { name: 'upstream', ignore_for_scheduling: true })]);
  });

  test('is listed with its fingerprint to users who see the pipeline that depends on it', async () => {
    const [material, ...others] = await listed(viewer);
    assert.deepEqual(
      [material, others],
      [
        {
          type: 'dependency',
          fingerprint: '21f7963a8eca6cced5b4f20b57b4e9cb8edaed29d683c83621a77dfb499c553d',
          attributes: { pipeline: 'up42', stage: 'up42_stage', name: 'upstream', auto_update: true, ignore_for_scheduling: true },
        },
        [],
      ],
    );
    assert.equal(UP, material.fingerprint);
  });

  test('has no modifications before the other pipeline has run', async () => {
    assert.deepEqual(pageOf(await server.get(page, { as: viewer })), {
      modifications: [],
      pagination: { page_size: 10, offset: 0, total: 0 },
    });
    failed(await server.get(page, { as: plain }), 403, 'Unauthorized { Do not have view permission to this material }');
  });

  test('is not polled: an operator who asks for a poll gets 201, and nothing fails', async () => {
    const ask = (as: string) =>
      server.ask('POST', `/api/internal/materials/${UP}/trigger_update`, { as, headers: { 'X-Svc-Confirm': 'true' } });
    for (let turn = 0; turn < 3; turn++) assert.equal((await ask(operator)).status, 201);
    failed(await ask(viewer), 401, 'Do not have permission to trigger this material');
    assert.equal(await failureMessage(), undefined);
    assert.equal(pageOf(await server.get(page)).pagination.total, 0);
  });

  test('goes with the pipeline that depends on it', async () => {
    accepted(await server.delete('/api/admin/pipelines/down'));
    failed(await server.get(page), 404, 'Not Found { Material not found }');
    assert.deepEqual(await listed(viewer), []);
  });
});

describe('a notification of a change', () => {
  const notify = (type: string, body: object, as?: string) =>
    server.post(`/api/admin/materials/${type}/notify`, body, as === undefined ? {} : { as });

  test('finds materials that are not polled, with or without credentials, in any letter case', async () => {
    const url = 'https://bob:pass@git.example.com/App';
    await add('one', [git({ url, auto_update: false })]);
    for (const notified of [url, 'HTTPS://git.example.com/app', 'https://git.example.com/App']) {
      const reply = await server.post('/api/admin/materials/git/notify?dry_run=true', { repository_url: notified });
      assert.deepEqual([reply.status, reply.json], [202, { message: SCHEDULED }], notified);
    }
    failed(await notify('git', { repository_url: 'https://bob:wrong@git.example.com/App' }), 404, NOT_FOUND);
    failed(await notify('hg', { repository_url: url }), 404, NOT_FOUND);
    failed(await notify('git', { repository_url: url }, plain), 403, 'You are not authorized to access this resource!');
  });

  test('does not find materials that are polled, nor missing ones', async () => {
    await add('one', [git({ url: 'https://git.example.com/polled' })]);
    failed(await notify('git', { repository_url: 'https://git.example.com/polled' }), 404, NOT_FOUND);
    failed(await notify('scm', { scm_name: 'none' }), 404, NOT_FOUND);
    failed(await notify('svn', { uuid: 'none' }), 404, NOT_FOUND);
  });

  test('must name the repository', async () => {
    failed(await notify('git', { a: 1 }), 422, 'Json `{"a":1}` does not contain property \'repository_url\'');
    failed(await notify('svn', { a: 1 }), 422, 'Request payload should contain repository_url or uuid');
    failed(await notify('scm', {}), 422, "Json `{}` does not contain property 'scm_name'");
  });

  test('works for a config repo', async () => {
    const origin = await GitOrigin.make(lab.newPath('origin'));
    const material = { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } };
    accepted(await server.post('/api/admin/config_repos', { id: 'repo', plugin_id: 'yaml', material, configuration: [], rules: [] }));
    assert.equal((await notify('git', { repository_url: origin.path })).status, 202);
    const message = await until('the message', async () => await failureMessage());
    assert.match(message.message, /\nNo pipelines affected, may only affect configuration repositories\.$/);
    accepted(await server.delete('/api/admin/config_repos/repo'));
    await until('silence', async () => (await failureMessage()) === undefined);
  });

  test('leads to a poll of the material', async () => {
    const origin = await GitOrigin.make(lab.newPath('origin'));
    await origin.commit('first');
    await add('one', [git({ url: origin.path, branch: 'main', auto_update: false })]);
    assert.equal((await notify('git', { repository_url: origin.path })).status, 202);
    await modificationsOf(origin.path, 1);
    await origin.commit('second');
    assert.equal((await notify('git', { repository_url: origin.path })).status, 202);
    await modificationsOf(origin.path, 2);
  });
});
