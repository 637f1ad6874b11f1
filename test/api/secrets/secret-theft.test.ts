// Attacks on secrets: a user who may see a cipher text tries to have it sent, in clear, to a host of their choice.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { errorsIn } from '../../support/configuration/secret-bodies.ts';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';
import { git, pipeline } from '../pipelines/bodies.ts';

const ENVIRONMENTS = '/api/admin/environments';
const PIPELINES = '/api/admin/pipelines';
const REPOSITORIES = '/api/admin/repositories';
const VERIFY = '/api/admin/internal/repositories/verify_connection';
const MERGE = { 'Content-Type': 'application/merge-patch+json', 'If-Match': '*' };
const ELSEWHERE = /belongs to another place/;
const MOVED = /was entered for another address/;
const SECRET = 'hush-93aa';

let server: TestServer;
/** The place of the attacker's choice. */
let trap: WebServer;
const caught: (string | undefined)[] = [];
/** Sees the environments, and administers the group `mine`, so that package repositories are theirs, too. */
let mallory: string;
before(async () => {
  server = await startServer();
  trap = await startWebServer((request, response) => {
    caught.push(request.headers.authorization);
    response.writeHead(404).end();
  });
  mallory = await addUser(server, 'mallory');
  await addRole(server, 'watchers', ['mallory'], 'allow view environment *');
  const groups = '/api/admin/pipeline_groups';
  accepted(await server.post(groups, { name: 'mine', authorization: { admins: { users: ['mallory'] } } }));
  accepted(await server.post(groups, { name: 'theirs', authorization: { view: { users: ['mallory'] } } }));
  const environment_variables = [{ name: 'KEY', secure: true, value: SECRET }];
  accepted(await server.post(ENVIRONMENTS, { name: 'prod', environment_variables }));
  const materials = [git({ url: 'https://scm.example.org/web.git', username: 'me', password: SECRET, auto_update: false })];
  accepted(await server.post(PIPELINES, { group: 'theirs', pipeline: pipeline('web', { materials, environment_variables }) }));
});
after(async () => {
  await server.stop();
  await trap.stop();
});

function refused(reply: Reply, at: string, message: RegExp): void {
  assert.equal(reply.status, 422, reply.text);
  const found = errorsIn(reply.json.data ?? reply.json);
  assert.match(found[at]?.[0] ?? '', message, JSON.stringify(found));
  assert.deepEqual([caught, server.log.includes(SECRET), reply.text.includes(SECRET)], [[], false, false]);
}

const npm = (id: string, url: string, password: object) => ({
  repo_id: id,
  name: id,
  plugin_metadata: { id: 'slipway.package.npm', version: '1' },
  configuration: [
    { key: 'REPO_URL', value: url },
    { key: 'USERNAME', value: 'me' },
    { key: 'PASSWORD', ...password },
  ],
});

const visibleKey = async () =>
  accepted(await server.get(`${ENVIRONMENTS}/prod`, { as: mallory })).json.environment_variables[0].encrypted_value;
const webShown = async () => accepted(await server.get(`${PIPELINES}/web`)).json;

describe('a viewer of an environment', () => {
  test('cannot have its secret sent by a package repository', async () => {
    const stolen = npm('loot', trap.url, { encrypted_value: await visibleKey() });
    refused(await server.post(VERIFY, stolen, { as: mallory }), 'configuration.2.encrypted_value', ELSEWHERE);
    refused(await server.post(REPOSITORIES, stolen, { as: mallory }), 'configuration.2.encrypted_value', ELSEWHERE);
  });

  test('cannot put it into a pipeline of their own, as a variable or as a password', async () => {
    const encrypted_value = await visibleKey();
    const body = pipeline('loot', {
      environment_variables: [{ name: 'KEY', secure: true, encrypted_value }],
      materials: [git({ url: `${trap.url}/a.git`, username: 'me', encrypted_password: encrypted_value, auto_update: false })],
    });
    const reply = await server.post(PIPELINES, { group: 'mine', pipeline: body }, { as: mallory });
    refused(reply, 'environment_variables.0.encrypted_value', ELSEWHERE);
    refused(reply, 'materials.0.attributes.encrypted_password', ELSEWHERE);
  });
});

describe('a viewer of a pipeline group', () => {
  test('finds nothing in the list of materials that would open anywhere', async () => {
    const { json } = accepted(await server.get('/api/config/materials', { as: mallory }));
    const { encrypted_password } = json._embedded.materials.find((one: { type: string }) => one.type === 'git').attributes;
    assert.match(encrypted_password, /^v2:/);
    const own = pipeline('loot', { materials: [git({ url: 'https://scm.example.org/web.git', username: 'me', encrypted_password })] });
    refused(
      await server.post(PIPELINES, { group: 'mine', pipeline: own }, { as: mallory }),
      'materials.0.attributes.encrypted_password',
      ELSEWHERE,
    );
  });
});

describe('an administrator of one pipeline group', () => {
  test('cannot use a variable of another one, not even under its name', async () => {
    const { environment_variables } = await webShown();
    const copy = { group: 'mine', pipeline: pipeline('copy', { environment_variables }) };
    refused(await server.post(PIPELINES, copy, { as: mallory }), 'environment_variables.0.encrypted_value', ELSEWHERE);
    const { etag, text } = await server.get(`${PIPELINES}/web`);
    accepted(await server.delete(`${PIPELINES}/web`));
    const usurper = { group: 'mine', pipeline: pipeline('web', { environment_variables }) };
    refused(await server.post(PIPELINES, usurper, { as: mallory }), 'environment_variables.0.encrypted_value', ELSEWHERE);
    const { _links, ...before } = JSON.parse(text);
    assert.equal(accepted(await server.post(PIPELINES, { group: 'theirs', pipeline: before })).etag, etag);
  });

  test('cannot lead a package repository, whose password they do not know, to another host', async () => {
    accepted(await server.post(REPOSITORIES, npm('npm', 'https://npm.example.org', { value: SECRET })));
    const own = `${REPOSITORIES}/npm`;
    const { encrypted_value } = (await server.get(own, { as: mallory })).json.configuration[2];
    const led = npm('npm', trap.url, { encrypted_value });
    refused(await server.post(VERIFY, led, { as: mallory }), 'configuration.2.encrypted_value', MOVED);
    refused(await server.put(own, led, '*', { as: mallory }), 'configuration.2.encrypted_value', MOVED);
    const configuration = led.configuration;
    refused(await server.patch(own, { configuration }, { as: mallory, headers: MERGE }), 'configuration.2.encrypted_value', MOVED);
    // Neither by removing it first, nor through another plugin, nor by an address in another setting.
    refused(
      await server.put(
        own,
        { ...npm('npm', 'https://npm.example.org', { encrypted_value }), plugin_metadata: { id: 'x', version: '1' } },
        '*',
      ),
      'configuration.2.encrypted_value',
      MOVED,
    );
    accepted(await server.delete(own, { as: mallory }));
    refused(await server.post(REPOSITORIES, led, { as: mallory }), 'configuration.2.encrypted_value', MOVED);
  });

  test('cannot hide the address of a repository behind a password in it', async () => {
    const settings = (url: string, token: object) => ({
      id: 'hidden',
      name: 'hidden',
      plugin_metadata: { id: 'com.example.scm', version: '1' },
      configuration: [
        { key: 'where', value: url },
        { key: 'token', ...token },
      ],
    });
    const path = '/api/admin/scms';
    const { json } = accepted(await server.post(path, settings('https://me:one@scm.example.org/a', { value: SECRET })));
    const { encrypted_value } = json.configuration[1];
    const led = settings('https://me:two@evil.example.org/a', { encrypted_value });
    refused(await server.put(`${path}/hidden`, led, '*', { as: mallory }), 'configuration.1.encrypted_value', MOVED);
    accepted(await server.put(`${path}/hidden`, settings('https://me:two@scm.example.org/b', { encrypted_value }), '*'));
  });

  test('cannot lead a material to another host by a member that does not count, or by a parameter', async () => {
    const own = (more: object) => ({ group: 'mine', ...pipeline('own', more) });
    const p4 = (attributes: object) => ({ type: 'p4', attributes: { view: '//x', destination: 'p4', auto_update: false, ...attributes } });
    const secret = 'https://me:hush-url@#{host}/b.git';
    const parameters = (host: string) => [{ name: 'host', value: host }];
    const login = { username: 'me', destination: 'git', auto_update: false };
    const first = own({
      parameters: parameters('scm.example.org'),
      materials: [
        p4({ port: 'p4.example.org:1666', password: SECRET }),
        git({ url: 'https://#{host}/a.git', ...login, password: SECRET }),
        git({ url: secret, destination: 'url', auto_update: false }),
      ],
    });
    accepted(await server.post(PIPELINES, { group: 'mine', pipeline: first }, { as: mallory }));
    const { json } = accepted(await server.get(`${PIPELINES}/own`, { as: mallory }));
    const { _links, ...shown } = json;
    accepted(await server.put(`${PIPELINES}/own`, shown, '*', { as: mallory }));
    const [perforce, ...others] = shown.materials;
    const disguised = { ...perforce.attributes, port: 'evil.example.org:1666', url: 'p4.example.org:1666' };
    refused(
      await server.put(`${PIPELINES}/own`, { ...shown, materials: [{ type: 'p4', attributes: disguised }, ...others] }, '*', {
        as: mallory,
      }),
      'materials.0.attributes.encrypted_password',
      MOVED,
    );
    const led = await server.put(`${PIPELINES}/own`, { ...shown, parameters: parameters('evil.example.org') }, '*', { as: mallory });
    refused(led, 'materials.1.attributes.encrypted_password', MOVED);
    refused(led, 'materials.2.attributes.url', MOVED);
  });

  test('cannot have a merge bring a secret to the host of their own version', async () => {
    const own = `${REPOSITORIES}/merged`;
    const open = {
      ...npm('merged', 'https://npm.example.org', {}),
      configuration: [{ key: 'REPO_URL', value: 'https://npm.example.org' }],
    };
    const { etag } = accepted(await server.post(REPOSITORIES, open));
    accepted(await server.put(own, npm('merged', 'https://npm.example.org', { value: SECRET }), etag));
    const led = { ...open, configuration: [{ key: 'REPO_URL', value: trap.url }] };
    const merged = await server.put(own, led, etag, { as: mallory, headers: { Prefer: 'merge' } });
    refused(merged, 'configuration.2.encrypted_value', MOVED);
  });
});

describe('a user who edits an entity', () => {
  test('cannot turn the password of a material into a variable, or one variable into another', async () => {
    const shown = await webShown();
    const { encrypted_password } = shown.materials[0].attributes;
    for (const encrypted_value of [encrypted_password, shown.environment_variables[0].encrypted_value]) {
      const environment_variables = [...shown.environment_variables, { name: 'LOOT', secure: true, encrypted_value }];
      refused(
        await server.put(`${PIPELINES}/web`, { ...shown, environment_variables }, '*'),
        'environment_variables.1.encrypted_value',
        ELSEWHERE,
      );
    }
  });

  test('moves variables between a pipeline, its stages and its jobs, and puts lists into another order', async () => {
    const { _links, environment_variables, ...shown } = await webShown();
    const [stage] = shown.stages;
    const moved = {
      ...shown,
      environment_variables: [],
      stages: [{ ...stage, name: 'renamed', jobs: [{ ...stage.jobs[0], environment_variables }] }],
    };
    const { json } = accepted(await server.put(`${PIPELINES}/web`, moved, '*'));
    assert.deepEqual(json.stages[0].jobs[0].environment_variables, environment_variables);
    accepted(await server.put(`${PIPELINES}/web`, { ...shown, environment_variables }, '*'));
  });

  test('may move a pipeline to another group with the secrets that were shown', async () => {
    const { _links, ...shown } = await webShown();
    const moved = accepted(await server.put(`${PIPELINES}/web`, { ...shown, group: 'mine' }, '*'));
    assert.notEqual(moved.json.environment_variables[0].encrypted_value, shown.environment_variables[0].encrypted_value);
    const { _links: _, ...again } = moved.json;
    assert.equal(accepted(await server.put(`${PIPELINES}/web`, again, '*')).etag, moved.etag);
    accepted(await server.put(`${PIPELINES}/web`, { ...again, group: 'theirs' }, '*'));
  });
});

describe('a portable text', () => {
  test('is in the document of administrators, works everywhere, and only for the host that the same secret is stored for', async () => {
    const xml = (await server.get('/api/admin/config.xml', { accept: null })).text;
    const [, portable] = /<variable name="KEY" secure="true">\s*<encryptedValue>(v1:[^<]+)/.exec(xml) ?? [];
    const variable = { name: 'OTHER', secure: true, encrypted_value: portable };
    accepted(await server.post(ENVIRONMENTS, { name: 'copy', environment_variables: [variable] }));
    const own = `${REPOSITORIES}/portable`;
    accepted(await server.post(REPOSITORIES, npm('portable', 'https://npm.example.org', { encrypted_value: portable })));
    accepted(await server.put(own, npm('portable', 'https://npm.example.org/path', { encrypted_value: portable }), '*'));
    refused(await server.put(own, npm('portable', trap.url, { encrypted_value: portable }), '*'), 'configuration.2.encrypted_value', MOVED);
  });

  test('a portable text of the document may be taken to another host there, by administrators', async () => {
    const { headers, text } = await server.get('/api/admin/config.xml', { accept: null });
    assert.ok(text.includes('https://npm.example.org/path'));
    const form = new URLSearchParams({
      xmlFile: text.replace('https://npm.example.org/path', 'https://two.example.org/path'),
      md5: headers.get('x-cruise-config-md5')!,
    });
    const saved = await server.ask('POST', '/api/admin/config.xml', {
      accept: null,
      text: String(form),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Svc-Confirm': 'true' },
    });
    assert.equal(saved.status, 200, saved.text);
  });
});

test('nothing was sent, and no answer to viewers shows a portable cipher text', async () => {
  assert.deepEqual(caught, []);
  for (const path of [
    ENVIRONMENTS,
    REPOSITORIES,
    '/api/admin/scms',
    '/api/config/materials',
    '/api/admin/pipelines',
    '/api/admin/packages',
  ]) {
    const { text } = await server.get(path, { as: mallory });
    assert.doesNotMatch(text, /v1:[0-9a-f]{8}:/, path);
  }
});
