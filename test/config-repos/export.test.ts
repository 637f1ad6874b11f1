// Export against a real server: files that parse back, archives that any tool opens, and which users get them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { jsonFormat, yamlFormat } from '../formats/support/formats.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { Lab } from '../materials/support/polling.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { failed } from '../support/requests/replies.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { ConfigRepoServer, yaml } from './support/config-repo-server.ts';
import { sentForm } from './support/sent-form.ts';

const PATH = '/api/admin/export';
const YAML = 'yaml.config.plugin';
const JSON_PLUGIN = 'json.config.plugin';
const NOT_YOURS = 'You are not authorized to perform this action.';

const lab = new Lab();
let server: TestServer;
let repos: ConfigRepoServer;
let groupAdmin: string;
let stranger: string;
before(async () => {
  server = await TestServer.start();
  repos = new ConfigRepoServer(server);
  groupAdmin = await addUser(server, 'ada');
  stranger = await addUser(server, 'eve');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'Own', authorization: { admins: { users: ['ada'] } } }));
  for (const name of ['Mine', 'other.one']) {
    const variables = [{ name: 'TOKEN', value: 'hush', secure: true }];
    accepted(
      await server.post('/api/admin/pipelines', {
        group: 'Own',
        pipeline: {
          name,
          environment_variables: variables,
          materials: [{ type: 'git', attributes: { url: `https://me:secret@scm.example.org/${name}.git` } }],
          stages: [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
        },
      }),
    );
  }
  const variables = [
    { name: 'REGION', value: 'eu' },
    { name: 'KEY', value: 'hush', secure: true },
  ];
  accepted(await server.post('/api/admin/environments', { name: 'qa', pipelines: [{ name: 'Mine' }], environment_variables: variables }));
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const environments = 'environments:\n  qa:\n    pipelines: [a]\n    agents: [uuid-1]\n';
  const idle = 'stages: [{s: {jobs: {j: {tasks: []}}}}]';
  await origin.commit('first', {
    'a.gocd.yaml': yaml('team', { a: undefined }, environments).replace('format_version: 10', 'format_version: 11'),
    'idle.gocd.yaml': `format_version: 11\npipelines:\n  idle: {group: team, materials: {m: {git: "https://scm.example.org/x"}}, ${idle}}\n`,
  });
  await repos.add('one', origin.path);
  assert.deepEqual(await repos.definitions('one'), ['team/a', 'team/idle', 'qa']);
});
after(async () => {
  await server.stop();
  lab.remove();
});

const pipeline = (name: string, plugin = YAML) => `${PATH}/pipelines/${name}?plugin_id=${plugin}`;

describe('a pipeline', () => {
  test('is refused in this order', async () => {
    failed(await server.get(`${PATH}/pipelines/Mine`, { as: stranger }), 403, NOT_YOURS);
    failed(await server.get(`${PATH}/pipelines/a?plugin_id=${YAML}`, { as: groupAdmin }), 403, NOT_YOURS);
    failed(await server.get(`${PATH}/pipelines/gone`, { as: stranger }), 403, NOT_YOURS);
    for (const as of [groupAdmin, basic('admin', ADMIN_PASSWORD)])
      failed(await server.get(`${PATH}/pipelines/gone`, { as }), 404, "Pipeline with name 'gone' was not found!");
    for (const query of ['', '?plugin_id=', '?plugin_id=%20'])
      failed(await server.get(`${PATH}/pipelines/Mine${query}`), 400, 'Request is missing parameter `plugin_id`');
    for (const id of ['gone', 'cd.go.authentication.passwordfile'])
      failed(await server.get(pipeline('Mine', id)), 422, `Plugin \`${id}\` is not a config-repo plugin.`);
  });

  test('comes as a file of the format', async () => {
    for (const [plugin, type, name] of [
      [YAML, 'application/x-yaml; charset=utf-8', 'Mine.gocd.yaml'],
      [JSON_PLUGIN, 'application/json; charset=utf-8', 'Mine.gopipeline.json'],
    ] as const) {
      const { headers, text } = accepted(await server.get(pipeline('mine', plugin), { as: groupAdmin }));
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`);
      assert.ok(!text.includes('hush') && !text.includes('secret'), text);
    }
  });

  test('is not sent again to a client that has it, and is when something of it changes', async () => {
    const { etag } = accepted(await server.get(pipeline('other.one')));
    const known = { headers: { 'If-None-Match': etag! } };
    const again = await server.get(pipeline('other.one'), known);
    assert.deepEqual([again.status, again.text, again.etag], [304, '', etag]);
    accepted(await server.get(pipeline('other.one', JSON_PLUGIN), known));
    const { json, etag: version } = accepted(await server.get('/api/admin/pipelines/other.one'));
    accepted(await server.put('/api/admin/pipelines/other.one', { ...json, lock_behavior: 'unlockWhenFinished' }, version));
    assert.match(accepted(await server.get(pipeline('other.one'), known)).text, /lock_behavior: unlockWhenFinished/);
  });

  test('a pipeline of a config repo can be exported, and the export equals the definition in force', async () => {
    const { text } = accepted(await server.get(pipeline('a')));
    const ask = await sentForm({
      'a.gocd.yaml': `${text.replace('10', '11')}environments:\n  qa:\n    pipelines: [a]\n    agents: [uuid-1]\n`,
      'idle.gocd.yaml': accepted(await server.get(pipeline('idle'))).text,
    });
    const { json } = accepted(await server.ask('POST', `/api/admin/config_repo_ops/preflight?pluginId=${YAML}&repoId=one&plan=true`, ask));
    const nothing = { created: [], changed: [], deleted: [] };
    const plan = { pipelines: nothing, pipeline_groups: nothing, environments: nothing, scms: nothing };
    assert.deepEqual(json, { errors: [], valid: true, plan });
  });
});

async function archive(path: string, as?: string): Promise<{ files: ReadonlyMap<string, string>; headers: Headers }> {
  const reply = await fetch(server.url + path, { headers: { Authorization: as ?? basic('admin', ADMIN_PASSWORD) } });
  assert.equal(reply.status, 200);
  const zip = await promisify<Buffer, yauzl.ZipFile>((bytes, done) => yauzl.fromBuffer(bytes, { lazyEntries: false }, done))(
    Buffer.from(await reply.arrayBuffer()),
  );
  const files = new Map<string, Promise<string>>();
  zip.on('entry', (entry: yauzl.Entry) => files.set(entry.fileName, textOf(zip, entry)));
  await new Promise((resolve) => zip.once('end', resolve));
  return { files: new Map(await Promise.all([...files].map(async ([name, text]) => [name, await text] as const))), headers: reply.headers };
}

async function textOf(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<string> {
  const stream = await promisify<yauzl.Entry, NodeJS.ReadableStream>((one, done) => zip.openReadStream(one, done))(entry);
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

describe('an archive', () => {
  test('an archive of a group is for its administrators', async () => {
    const { files, headers } = await archive(`${PATH}/groups/own?plugin_id=${YAML}`, groupAdmin);
    assert.deepEqual([...files.keys()], ['pipelines/Own/Mine.gocd.yaml', 'pipelines/Own/other.one.gocd.yaml']);
    assert.equal(headers.get('content-type'), 'application/zip');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="Own.zip"');
    assert.equal(files.get('pipelines/Own/Mine.gocd.yaml'), accepted(await server.get(pipeline('Mine'))).text);
    failed(await server.get(`${PATH}/groups/own?plugin_id=${YAML}`, { as: stranger }), 403, NOT_YOURS);
    failed(await server.get(`${PATH}/groups/team?plugin_id=${YAML}`, { as: groupAdmin }), 403, NOT_YOURS);
    failed(await server.get(`${PATH}/groups/gone?plugin_id=${YAML}`), 404, "Pipeline group with name 'gone' was not found!");
    failed(await server.get(`${PATH}/groups/own`), 400, 'Request is missing parameter `plugin_id`');
  });

  test('an archive of everything is for administrators, and holds environments as all their sources say', async () => {
    const { files, headers } = await archive(`${PATH}?plugin_id=${JSON_PLUGIN}`);
    assert.deepEqual(
      [...files.keys()],
      [
        'pipelines/Own/Mine.gopipeline.json',
        'pipelines/Own/other.one.gopipeline.json',
        'pipelines/team/a.gopipeline.json',
        'pipelines/team/idle.gopipeline.json',
        'environments/qa.goenvironment.json',
      ],
    );
    const { environment_variables: variables, ...rest } = JSON.parse(files.get('environments/qa.goenvironment.json')!);
    assert.deepEqual(rest, { format_version: 11, name: 'qa', agents: ['uuid-1'], pipelines: ['Mine', 'a'] });
    assert.deepEqual(variables[0], { name: 'REGION', value: 'eu' });
    assert.match(variables[1].encrypted_value, /^v1:/);
    failed(await server.get(`${PATH}?plugin_id=${YAML}`, { as: groupAdmin }), 403, NOT_YOURS);
    const again = await server.get(`${PATH}?plugin_id=${JSON_PLUGIN}`, { headers: { 'If-None-Match': headers.get('etag')! } });
    assert.equal(again.status, 304);
  });

  test('parses back', async () => {
    for (const [plugin, format] of [
      [YAML, yamlFormat],
      [JSON_PLUGIN, jsonFormat],
    ] as const) {
      const { files } = await archive(`${PATH}?plugin_id=${plugin}`);
      const chosen = format.choose(files.keys(), new Map(), new Map());
      assert.equal(chosen.length, 5);
      const { pipelines, environments, problems, warnings } = format.join(
        chosen.map((file) => format.parse(file, Buffer.from(files.get(file.path)!))),
      );
      assert.deepEqual([problems, warnings], [[], []]);
      assert.deepEqual(pipelines.map(({ name }) => name).toSorted(), ['Mine', 'a', 'idle', 'other.one']);
      assert.deepEqual(
        environments.map(({ name, agents }) => [name, agents]),
        [['qa', ['uuid-1']]],
      );
    }
  });
});
