// Every example of the OpenAPI document, sent to a running server: it is accepted, and answered as the document shows.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EXAMPLE_BASE, EXAMPLE_CIPHER_TEXT, EXAMPLE_TIME } from '../../src/api/answer-example.ts';
import { EXAMPLE_SERVER_ID } from '../../src/api/endpoints/config-xml.ts';
import { fingerprintOf } from '../../src/materials/fingerprint.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { endOfBackup } from '../support/backup.ts';
import { accepted } from '../support/callers.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { git } from '../support/git.ts';
import { addressOf, contentOf, OpenApi, type Operation, takesHeader } from '../support/openapi.ts';
import { basic, type Reply, TestServer } from '../support/server.ts';
import { SmtpTestServer } from '../support/smtp.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';
import { webhookSecretOf } from '../support/webhook-secret.ts';

let server: TestServer;
let api: OpenApi;
let certificates: Certificates;
let smtp: SmtpTestServer;
let npm: WebServer;
/** Made up by the server at its first start. */
let serverId: string;
const sent = new Set<string>();
/** The paths of what was created, in the order of creation: what came later may need what came before. */
const created: string[] = [];

before(async () => {
  certificates = await makeCertificates();
  server = await TestServer.start({ 'mail-ca': certificates.caFile });
  api = await OpenApi.of(server);
  const { username, password } = api.find(MAIL_TEST).request!.example;
  smtp = await SmtpTestServer.start({ certificates, isSecure: true, login: { username, password } });
  npm = await startWebServer((_, response) => void response.end(JSON.stringify({ 'dist-tags': { latest: '1.3.0' } })));
  serverId = /serverId="([^"]+)"/.exec((await server.get(DOCUMENT)).text)![1]!;
});
after(async () => {
  await server.stop();
  await smtp.stop();
  await npm.stop();
  await certificates.remove();
});

const DISABLE = 'POST /api/admin/maintenance_mode/disable';
const BACK_UP = 'POST /api/backups';
const MAIL_TEST = 'POST /api/config/mailserver/test';
const DOCUMENT = '/api/admin/config.xml';

/** What is about the configuration as a whole is tried while there is nothing in it; what is saved then takes away what was imported. */
const ABOUT_ALL = [
  'POST /api/admin/config/import',
  `POST ${DOCUMENT}`,
  `GET ${DOCUMENT}`,
  'GET /api/admin/config/current.xml',
  'GET /api/admin/config/{md5}.xml',
];

/** What must be so before an example can work, made from other examples; it may give something else to send. */
const PREPARATIONS: Readonly<Record<string, (operation: Operation) => Promise<Partial<Operation>>>> = {
  'GET /api/admin/config/{md5}.xml': knownDocument,
  'GET /api/admin/maintenance_mode/info': enableMaintenance,
  'GET /api/admin/maintenance_mode/wait': enableMaintenance,
  'DELETE /api/users': disabledUser,
  'DELETE /api/users/{login_name}': disabledUser,
  [MAIL_TEST]: throughTestServer,
  'POST /api/admin/internal/repositories/verify_connection': inTestRegistry,
  'POST /api/admin/internal/packages/verify_connection': fromTestRegistry,
  'POST /api/admin/internal/scms/verify_connection': inTestRepository,
  'GET /api/materials/{fingerprint}/modifications': ofTestRepository,
  'GET /api/materials/{fingerprint}/modifications/{offset}': ofTestRepository,
  'POST /api/admin/materials/git/notify': toldOf,
  'POST /api/admin/materials/hg/notify': toldOf,
  'POST /api/admin/materials/svn/notify': toldOf,
  'POST /api/admin/materials/scm/notify': toldOf,
};

/** What proves that a hosting service knows the secret. */
const PROOFS: Readonly<Record<string, (secret: string, text: string) => Record<string, string>>> = {
  'POST /api/webhooks/github/notify': (secret, text) => ({ 'X-GitHub-Event': 'push', 'X-Hub-Signature': signature('sha1', secret, text) }),
  'POST /api/webhooks/gitlab/notify': (secret) => ({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': secret }),
  'POST /api/webhooks/bitbucket/notify': (secret) => ({ 'X-Event-Key': 'repo:push', Authorization: basic(secret, '') }),
  'POST /api/webhooks/hosted_bitbucket/notify': (secret, text) => ({
    'X-Event-Key': 'repo:refs_changed',
    'X-Hub-Signature': signature('sha256', secret, text),
  }),
};

/** The pipeline that examples name as a user of a package, an SCM and a template. */
const USER = {
  group: 'platform',
  pipeline: {
    name: 'packaging',
    template: 'build-and-test',
    parameters: [{ name: 'target', value: 'all' }],
    materials: [
      { type: 'package', attributes: { ref: 'left-pad' } },
      { type: 'plugin', attributes: { ref: 'tools', destination: 'tools' } },
    ],
  },
};

test('what is about all of the configuration is accepted in every form it can be sent in', async () => {
  for (const name of ABOUT_ALL) {
    const operation = await prepared(api.find(name));
    compare(operation, await send(operation));
    for (const request of operation.bodies.slice(1)) {
      const reply = await send({ ...operation, request });
      assert.equal(reply.status, operation.success.status, `${name} as ${request.type}: ${reply.text}`);
      assert.deepEqual(api.problems(operation.success.schemaAt, shown(reply)), [], `${name} as ${request.type}`);
    }
  }
});

test('a backup is made, before examples say that it is copied elsewhere', async () => {
  const operation = api.find(BACK_UP);
  const reply = await send(operation);
  compare(operation, reply);
  await endOfBackup(server, reply.headers.get('location')!);
});

test('what can be created or set without an address of its own is accepted', async () => {
  // Some examples refer to others, so those that fail get another try after the rest.
  let waiting = [...operationsOf('POST'), ...operationsOf('PATCH'), ...operationsOf('PUT')].filter(({ path }) => !path.includes('{'));
  for (let round = 0; waiting.length > 0; round++) {
    const failed: { operation: Operation; reply: Reply }[] = [];
    for (const operation of waiting) {
      const reply = await send(await prepared(operation));
      if (reply.status !== operation.success.status) failed.push({ operation, reply });
      else compare(operation, reply);
    }
    const isStuck = failed.length === waiting.length || round === 5;
    assert.ok(!isStuck, failed.map(({ operation, reply }) => `${operation.name}: ${reply.status} ${reply.text}`).join('\n'));
    waiting = failed.map(({ operation }) => operation);
  }
});

test('what the examples mention beside each other can be there', async () => {
  accepted(await server.post('/api/admin/pipelines', USER));
  // Of two tokens one is revoked by its owner, the other by an administrator.
  accepted(await send(api.find('POST /api/current_user/access_tokens')));
});

test('what is read is answered as the document shows', async () => {
  for (const named of operationsOf('GET')) {
    const operation = await prepared(named);
    compare(operation, await send(operation));
    if (PREPARATIONS[operation.name] === enableMaintenance) await send(api.find(DISABLE));
  }
});

test('what is changed at its own address is accepted', async () => {
  const inPath = ({ path }: Operation) => path.includes('{');
  for (const operation of [...operationsOf('PUT'), ...operationsOf('PATCH'), ...operationsOf('POST')].filter(inPath)) {
    compare(operation, await send(operation));
  }
});

test('what is deleted goes', async () => {
  accepted(await server.delete(`/api/admin/pipelines/${USER.pipeline.name}`));
  const placeOf = ({ path }: Operation) => created.indexOf(path.replace(/\/\{\w+\}$/, ''));
  for (const operation of operationsOf('DELETE').toSorted((one, other) => placeOf(other) - placeOf(one))) {
    compare(operation, await send(await prepared(operation)));
  }
});

test('nothing was left out', () => {
  const all = api.operations.filter(isOwn).map(({ name }) => name);
  assert.deepEqual(
    all.filter((name) => !sent.has(name)),
    [],
  );
});

/** Those of another protocol are tried by its own client. */
function isOwn({ protocol }: Operation): boolean {
  return protocol === undefined;
}

/** Without those that came before all others. */
function operationsOf(method: string): Operation[] {
  return api.operations.filter(
    (operation) => operation.method === method && isOwn(operation) && ![BACK_UP, ...ABOUT_ALL].includes(operation.name),
  );
}

async function prepared(operation: Operation): Promise<Operation> {
  return { ...operation, ...(await PREPARATIONS[operation.name]?.(operation)) };
}

async function send(operation: Operation): Promise<Reply> {
  const { method, name, request, success, path } = operation;
  sent.add(name);
  if (success.status === 302) return server.ask(method, addressOf(operation));
  const content = request ? await contentOf(request) : {};
  const reply = await server.ask(method, addressOf(operation), {
    ...content,
    ...(content.text !== undefined && { text: content.text.replaceAll(EXAMPLE_SERVER_ID, serverId) }),
    headers: {
      ...content.headers,
      ...PROOFS[name]?.(webhookSecretOf(server), content.text ?? JSON.stringify(content.body)),
      ...(takesHeader(operation, 'If-Match') && { 'If-Match': '*' }),
      ...(takesHeader(operation, 'X-Svc-Confirm') && { 'X-Svc-Confirm': 'true' }),
    },
    ...(success.type && { accept: success.type }),
  });
  if (reply.status < 300 && method !== 'GET') created.push(path);
  return reply;
}

/** The answer has the status, the type, the headers, the schema and the content that the document shows. */
function compare(operation: Operation, reply: Reply): void {
  const { name, method, path, success } = operation;
  const { type, headers = {}, schemaAt, body } = success;
  const isFollowed = success.status === 302;
  assert.equal(reply.status, isFollowed ? 200 : success.status, `${name}: ${reply.text}`);
  if (isFollowed) return;
  for (const header of Object.keys(headers)) assert.ok(reply.headers.has(header), `${name} answers without ${header}`);
  if (type === undefined) return;
  assert.equal(reply.headers.get('content-type')?.split(';')[0], type, name);
  const answer = shown(reply);
  assert.deepEqual(api.problems(schemaAt, answer), [], name);
  if (body.example === undefined) return;
  // What is created first does not yet show what will refer to it.
  const isComplete = method !== 'POST' || path.includes('{');
  if (ABOUT_ALL.includes(name)) assert.deepEqual(answer, body.example, name);
  else if (isComplete) assert.deepEqual(measured(withoutOthers(answer, body.example)), measured(body.example), name);
  else assert.deepEqual(shapeOf(answer), shapeOf(body.example), name);
}

/** The answer with all that differs from server to server, and from time to time, as the examples have it. */
function shown({ text, json }: Reply): unknown {
  if (json === undefined) return text.replaceAll(serverId, EXAMPLE_SERVER_ID);
  return JSON.parse(
    text
      .replaceAll(server.url, EXAMPLE_BASE)
      .replaceAll(server.dataDir, '/var/lib/slipway')
      .replace(/\bbackup_\d{8}-\d{6}\b/g, 'backup_20260131-093000')
      .replace(/v1:[^"]+/g, EXAMPLE_CIPHER_TEXT)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, EXAMPLE_TIME),
  );
}

/** Sizes and durations are another each time. */
function measured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(measured);
  if (!isObject(value)) return value;
  const isMeasure = (name: string, member: unknown) => typeof member === 'number' && ['bytes', 'total_bytes', 'seconds'].includes(name);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isMeasure(name, member) ? 'measured' : measured(member)]));
}

/** Lists as short as those of the example: a server has more than what the examples made. */
function withoutOthers(answer: unknown, example: unknown): unknown {
  if (typeof example === 'string') return String(answer).includes(example.split('\n')[0]!) ? example : answer;
  if (Array.isArray(answer) && Array.isArray(example)) return membersLike(answer, example);
  if (!isObject(answer) || !isObject(example)) return answer;
  const { _embedded: given, ...rest } = answer;
  const { _embedded: wanted } = example;
  if (!isObject(given) || !isObject(wanted)) return answer;
  const lists = Object.entries(given).map(([key, list]) => [
    key,
    Array.isArray(list) ? membersLike(list, (wanted[key] ?? []) as unknown[]) : list,
  ]);
  return { ...rest, _embedded: Object.fromEntries(lists) };
}

function membersLike(list: readonly unknown[], wanted: readonly unknown[]): unknown[] {
  const found = wanted.flatMap((one) => list.filter((other) => nameOf(other) === nameOf(one)));
  return found.length === wanted.length ? found : [...list];
}

function nameOf(member: unknown): unknown {
  if (!isObject(member)) return JSON.stringify(member);
  return member._links ? JSON.stringify(member._links) : JSON.stringify(member.name ?? member.message ?? member);
}

/** Names and types, and nothing else; lists may still be empty. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (!isObject(value)) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function knownDocument({ parameters }: Operation): Promise<Partial<Operation>> {
  const md5 = (await server.get(DOCUMENT)).headers.get('X-CRUISE-CONFIG-MD5')!;
  return { parameters: parameters.map((parameter) => (parameter.name === 'md5' ? { ...parameter, example: md5 } : parameter)) };
}

/** The mail server of the example does not exist. */
async function throughTestServer({ request }: Operation): Promise<Partial<Operation>> {
  return { request: { ...request!, example: { ...request!.example, hostname: '127.0.0.1', port: smtp.port } } };
}

async function inTestRegistry({ request }: Operation): Promise<Partial<Operation>> {
  const configuration = [{ key: 'REPO_URL', value: npm.url }];
  return { request: { ...request!, example: { ...request!.example, configuration } } };
}

async function fromTestRegistry({ request }: Operation): Promise<Partial<Operation>> {
  const repository = await inTestRegistry(api.find('POST /api/admin/repositories'));
  const id = 'test-registry';
  await server.post('/api/admin/repositories', { ...repository.request!.example, repo_id: id, name: id });
  return { request: { ...request!, example: { ...request!.example, package_repo: { id } } } };
}

async function inTestRepository({ request }: Operation): Promise<Partial<Operation>> {
  const url = (await GitOrigin.make(join(server.dataDir, 'test-repository'))).path;
  await git(url, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  const others = request!.example.configuration.filter(({ key }: { key: string }) => key !== 'url');
  return { request: { ...request!, example: { ...request!.example, configuration: [{ key: 'url', value: url }, ...others] } } };
}

/** A material with one modification, in the place of the one that does not exist. */
async function ofTestRepository({ parameters, success }: Operation): Promise<Partial<Operation>> {
  const origin = await GitOrigin.make(join(server.dataDir, 'polled-repository'));
  if ((await server.get('/api/admin/pipelines/polled')).status === 404) {
    await origin.commit('Take the new logo');
    const materials = [{ type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } }];
    await addPipeline('polled', materials);
    await server.post('/api/admin/materials/git/notify', { repository_url: origin.path });
  }
  const fingerprint = fingerprintOf({ type: 'git', url: origin.path, branch: 'main' });
  const path = `/api/materials/${fingerprint}/modifications`;
  let given = (await server.get(path)).json._embedded.modifications;
  for (; given.length === 0; given = (await server.get(path)).json._embedded.modifications) await pause(20);
  const known = parameters.find(({ name }) => name === 'fingerprint')!.example!;
  const example = JSON.parse(JSON.stringify(success.body.example).replaceAll(known, fingerprint));
  const [{ id, modified_time }] = given;
  Object.assign(example._embedded.modifications[0], { id, modified_time, revision: await origin.tip() });
  return {
    parameters: parameters.map((parameter) => (parameter.name === 'fingerprint' ? { ...parameter, example: fingerprint } : parameter)),
    success: { ...success, body: { ...success.body, example } },
  };
}

/** A material that is not polled, as the example has it. */
async function toldOf({ path, request }: Operation): Promise<Partial<Operation>> {
  const [, , , , type = ''] = path.split('/');
  const { repository_url: url, scm_name: name } = request!.example;
  if (name !== undefined) {
    const plugin_metadata = { id: 'git-path', version: '1.0.0' };
    const configuration = [
      { key: 'url', value: join(server.dataDir, 'nowhere') },
      { key: 'path', value: 'shop' },
    ];
    await server.post('/api/admin/scms', { id: name, name, auto_update: false, plugin_metadata, configuration });
  }
  const attributes = name === undefined ? { url, auto_update: false } : { ref: name };
  await addPipeline(`told-of-${type}`, [{ type: name === undefined ? type : 'plugin', attributes }]);
  return {};
}

async function addPipeline(name: string, materials: readonly object[]): Promise<void> {
  const stages = [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
  await server.post('/api/admin/pipelines', { group: 'told', pipeline: { name, materials, stages } });
}

function signature(algorithm: string, secret: string, text: string): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(text).digest('hex')}`;
}

async function enableMaintenance(): Promise<Partial<Operation>> {
  await send(api.find('POST /api/admin/maintenance_mode/enable'));
  return {};
}

async function disabledUser(): Promise<Partial<Operation>> {
  const { request } = api.find('POST /api/users');
  await server.post('/api/users', request!.example);
  const users = [request!.example.login_name];
  accepted(await server.patch('/api/users/operations/state', { users, operations: { enable: false } }));
  return {};
}
