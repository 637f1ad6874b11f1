// Paths of the server's machine as materials: which users may enter which, on a server that allows one folder.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConfigRepoServer } from '../../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { writeSecretsFile } from '../../support/configuration/secrets-file.ts';
import { accepted, addRole, addUser } from '../../support/requests/callers.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';
import { git, PATH, pipeline, removeAll } from '../pipelines/bodies.ts';

const MESSAGE =
  'A path of the machine of the server may be used here only below a folder of SLIPWAY_LOCAL_REPOSITORIES (--local-repositories), or when a system administrator enters it.';
const SCM_CHECK = '/api/admin/internal/scms/verify_connection';
const COMMIT = 'a commit that nobody may read';
const lab = new Lab();
const allowed = lab.newPath('allowed');
const secret = lab.newPath('secret');
let server: TestServer;
let jane: string;
let carl: string;

before(async () => {
  for (const [folder, message] of [
    [allowed, 'open'],
    [secret, COMMIT],
  ] as const) {
    mkdirSync(folder);
    await (await GitOrigin.make(join(folder, 'app'))).commit(message, { 'a.txt': 'a' });
  }
  symlinkSync(secret, join(allowed, 'out'));
  server = await TestServer.start({ 'local-repositories': allowed });
  jane = await addUser(server, 'jane');
  carl = await addUser(server, 'carl');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g', authorization: { admins: { users: ['jane'] } } }));
  await addRole(server, 'repos', ['carl'], 'allow administer config_repo *');
});
after(async () => {
  await server.stop();
  lab.remove();
});
beforeEach(() => removeAll(server));

/** Existing and missing paths: the answers about both must be the same. */
const outside = () => [
  join(secret, 'app'),
  join(secret, 'missing'),
  '/nowhere/at/all',
  `file://${secret}/app`,
  `file://${secret}/missing`,
  `file:${secret}/app`,
  join(allowed, 'out', 'app'),
  join(allowed, 'out', 'missing'),
  `${allowed}/../${secret.split('/').at(-1)}/app`,
  `${allowed}/app/../app`,
  'app',
  '../../app',
  '~/app',
  '~root/app',
  'C:\\repositories\\app',
  '\\\\host\\share\\app',
];

function refused(reply: Reply, errors: (data: Reply['json']) => unknown): void {
  assert.equal(reply.status, 422, reply.text);
  assert.ok([errors(reply.json.data)].flat().includes(MESSAGE), reply.text);
  assert.ok(!reply.text.includes(COMMIT));
}
const ofPipeline = (data: Reply['json']) => data.materials[0].attributes.errors.url;

describe('pipelines', () => {
  const create = (url: string, as?: string, more: object = {}) =>
    server.post(PATH, { group: 'g', pipeline: pipeline('p', { materials: [git({ url, branch: 'main' })], ...more }) }, as ? { as } : {});
  const etag = async () => (await server.get(`${PATH}/p`)).etag!;
  const change = async (body: object, as = jane) => server.put(`${PATH}/p`, { group: 'g', ...pipeline('p', body) }, await etag(), { as });

  test('a group administrator names none outside the folder, and gets the same answer for all', async () => {
    for (const url of outside()) refused(await create(url, jane), ofPipeline);
    for (const type of ['hg', 'svn'])
      for (const url of [`file://${secret}/app`, `file://${secret}/missing`]) {
        const materials = [{ type, attributes: { url } }];
        refused(await server.post(PATH, { group: 'g', pipeline: pipeline('p', { materials }) }, { as: jane }), ofPipeline);
      }
    assert.equal((await server.get(`${PATH}/p`)).status, 404);
  });

  test('every user may name paths in the folder', async () => {
    for (const url of [join(allowed, 'app'), `file://${allowed}/app`, join(allowed, 'missing')]) {
      accepted(await create(url, jane));
      accepted(await server.delete(`${PATH}/p`, { as: jane }));
    }
  });

  test('a group administrator names no path outside the folder by the value of a parameter either', async () => {
    const parameters = [{ name: 'where', value: join(secret, 'app') }];
    refused(await create('#{where}', jane, { parameters }), ofPipeline);
    const inside = [{ name: 'where', value: join(allowed, 'app') }];
    accepted(await create('#{where}', jane, { parameters: inside }));
    const materials = [git({ url: '#{where}', branch: 'main' })];
    refused(await change({ materials, parameters }), ofPipeline);
  });

  test('a group administrator names no path outside the folder by an address with a password', async () => {
    refused(await create(`file://bob:word@${secret}/app`, jane), ofPipeline);
  });

  test('a path entered by a system administrator stays when others change the rest', async () => {
    const url = join(secret, 'app');
    accepted(await create(url));
    const materials = [git({ url, branch: 'main' })];
    accepted(await change({ materials, lock_behavior: 'unlockWhenFinished' }));
    accepted(await server.patch(`${PATH}/p`, { lock_behavior: 'none' }, { as: jane, headers: mergePatch(await etag()) }));
    accepted(await change({ materials: [git({ url, branch: 'main', name: 'code', filter: { ignore: ['x'] } })] }));
    for (const other of [
      git({ url, branch: 'other' }),
      git({ url: `file://${url}`, branch: 'main' }),
      { type: 'hg', attributes: { url } },
      git({ url: join(secret, 'missing'), branch: 'main' }),
    ])
      refused(await change({ materials: [other] }), ofPipeline);
    const copy = pipeline('copy', { materials });
    refused(await server.post(PATH, { group: 'g', pipeline: copy }, { as: jane }), ofPipeline);
    // Once it is gone it is entered anew.
    accepted(await change({}));
    refused(await change({ materials }), ofPipeline);
    accepted(await server.put(`${PATH}/p`, { group: 'g', ...pipeline('p', { materials }) }, await etag()));
  });

  test('a dry run refuses a path outside the folder, too', async () => {
    const body = { group: 'g', pipeline: pipeline('p', { materials: [git({ url: join(secret, 'app') })] }) };
    refused(await server.post(`${PATH}?dry_run=true`, body, { as: jane }), ofPipeline);
  });
});

function mergePatch(etag: string): Record<string, string> {
  return { 'Content-Type': 'application/merge-patch+json', 'If-Match': etag };
}

describe('SCMs', () => {
  const scm = (url: string, more: object = {}) => ({
    id: 'scm',
    name: 'scm',
    plugin_metadata: { id: 'git-path', version: '1.0.0' },
    configuration: [
      { key: 'path', value: 'a.txt' },
      { key: 'url', value: url },
      { key: 'branch', value: 'main' },
    ],
    ...more,
  });
  const ofScm = (data: Reply['json']) => data.configuration[1].errors.url;

  test('a group administrator neither saves nor tries out an SCM outside the folder', async () => {
    for (const url of outside()) {
      refused(await server.post('/api/admin/scms', scm(url), { as: jane }), ofScm);
      const tried = await server.post(SCM_CHECK, scm(url), { as: jane });
      refused(tried, ofScm);
      assert.equal(tried.json.message, 'Check connection failed. Reason(s): Validation failed.');
    }
    assert.equal((await server.post(SCM_CHECK, scm(` ${join(allowed, 'app')} `), { as: jane })).status, 200);
  });

  test('a group administrator leads no SCM out of the folder through a secret that is kept elsewhere', async () => {
    const referring = scm('{{SECRET:[s][url]}}');
    accepted(
      await server.post('/api/admin/secret_configs', {
        id: 's',
        plugin_id: 'cd.go.secrets.file-based-plugin',
        properties: [{ key: 'SecretsFilePath', value: 's.json' }],
        rules: [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }],
      }),
    );
    const tried = async (url: string) => {
      writeSecretsFile(join(server.dataDir, 's.json'), { url });
      return server.post(SCM_CHECK, referring, { as: jane });
    };
    const replies = [await tried(join(secret, 'app')), await tried(join(secret, 'missing'))];
    for (const { status, json } of replies) {
      assert.equal(status, 422);
      assert.match(json.message, /does not lead into a folder of SLIPWAY_LOCAL_REPOSITORIES/);
    }
    assert.equal(replies[0]!.text, replies[1]!.text);
    assert.equal((await tried(join(allowed, 'app'))).status, 200);
    accepted(await server.delete('/api/admin/secret_configs/s'));
  });

  test('an SCM of a system administrator outside the folder can be tried out and otherwise changed by others', async () => {
    const own = scm(join(secret, 'app'));
    accepted(await server.post('/api/admin/scms', own));
    assert.equal((await server.post(SCM_CHECK, own, { as: jane })).status, 200);
    const { etag } = await server.get('/api/admin/scms/scm');
    accepted(await server.put('/api/admin/scms/scm', scm(join(secret, 'app'), { auto_update: false }), etag, { as: jane }));
    refused(await server.post(SCM_CHECK, scm(join(secret, 'missing')), { as: jane }), ofScm);
    const other = scm(join(secret, 'app'));
    other.configuration[0] = { key: 'path', value: '.' };
    refused(await server.post(SCM_CHECK, other, { as: jane }), ofScm);
    accepted(await server.delete('/api/admin/scms/scm'));
  });
});

describe('config repos', () => {
  const repos = () => new ConfigRepoServer(server);

  test('users who administer them without being system administrators name no path outside the folder', async () => {
    const add = (url: string) => server.post('/api/admin/config_repos', repos().body('r', url), { as: carl });
    for (const url of outside()) refused(await add(url), (data) => data.material.attributes.errors.url);
    accepted(await add(join(allowed, 'app')));
    await repos().rest('r');
    await repos().remove('r');
  });

  test('files of a config repo name no path outside the folder, even if the repository is outside', async () => {
    const definitions = await GitOrigin.make(lab.newPath('definitions'));
    const file = (material: readonly string[]) =>
      [
        'format_version: 10',
        'pipelines:',
        '  p:',
        '    group: g',
        '    materials:',
        '      code:',
        ...material.map((line) => `        ${line}`),
      ]
        .concat(
          '    stages:',
          '      - s:',
          '          jobs:',
          '            j:',
          '              tasks:',
          '                - exec:',
          '                    command: make',
          '',
        )
        .join('\n');
    await definitions.commit('none');
    await repos().add('r', definitions.path);
    const outcomeOf = async (...material: readonly string[]) => {
      await definitions.commit('next', { 'p.gocd.yaml': file(material) });
      await repos().update('r');
      const { json } = await server.get('/api/admin/config_repos/r/parses');
      return JSON.stringify(json._embedded.parses[0]);
    };
    for (const url of [join(secret, 'app'), join(secret, 'missing'), `file://${secret}/app`])
      assert.ok((await outcomeOf(`git: ${url}`)).includes(MESSAGE), url);
    const declared = await outcomeOf(
      'plugin_configuration:',
      '  id: git-path',
      '  version: 1',
      'options:',
      `  url: ${secret}/app`,
      '  path: a.txt',
    );
    assert.ok(declared.includes(MESSAGE), declared);
    assert.equal((await server.get(`${PATH}/p`)).status, 404);
    assert.ok(!(await outcomeOf(`git: ${allowed}/app`, 'branch: main')).includes(MESSAGE));
    assert.equal((await server.get(`${PATH}/p`)).status, 200);
    // The repository itself was entered by an administrator.
    assert.ok(!(await outcomeOf('type: configrepo')).includes(MESSAGE));
    assert.equal((await server.get(`${PATH}/p`)).json.materials[0].attributes.url, definitions.path);
    await repos().remove('r');
  });
});

test('by default no folder is open', async () => {
  const closed = await TestServer.start({ 'local-repositories': '' });
  try {
    const max = await addUser(closed, 'max');
    accepted(await closed.post('/api/admin/pipeline_groups', { name: 'g', authorization: { admins: { users: ['max'] } } }));
    const body = { group: 'g', pipeline: pipeline('p', { materials: [git({ url: join(allowed, 'app') })] }) };
    refused(await closed.post(PATH, body, { as: max }), ofPipeline);
    accepted(await closed.post(PATH, body));
  } finally {
    await closed.stop();
  }
});
