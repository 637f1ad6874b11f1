// Every example of the OpenAPI document, sent to a running server: it is accepted, and answered as the document shows.
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EXAMPLE_SERVER_ID } from '../../../src/api/endpoints/config-xml/routes.ts';
import { EXAMPLE_BASE, EXAMPLE_BOUND_TEXT, EXAMPLE_CIPHER_TEXT, EXAMPLE_TIME } from '../../../src/api/engine/answer-example.ts';
import { fingerprintOf } from '../../../src/materials/catalogue/fingerprint.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { webhookHeaders } from '../../support/configuration/webhook-secret.ts';
import { git } from '../../support/git.ts';
import { accepted } from '../../support/requests/callers.ts';
import { addressOf, contentOf, isOfBuilds, OpenApi, type Operation, takesHeader } from '../../support/requests/openapi.ts';
import { endOfBackup } from '../../support/server/backup.ts';
import { type Ask, type Reply, TestServer } from '../../support/server/server.ts';
import { type Certificates, makeCertificates } from '../../support/services/certificates.ts';
import { SmtpTestServer } from '../../support/services/smtp.ts';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';

let server: TestServer;
let api: OpenApi;
let certificates: Certificates;
let smtp: SmtpTestServer;
let npm: WebServer;
let receiver: WebServer;
const lab = new Lab();
/** Made up by the server at its first start. */
let serverId: string;
const sent = new Set<string>();
/** The paths of the created entities, in the order of creation: later ones may need earlier ones. */
const created: string[] = [];

before(async () => {
  certificates = await makeCertificates();
  server = await TestServer.start({ 'mail-ca': certificates.caFile, 'allow-private-webhooks': 'true' });
  api = await OpenApi.of(server);
  const { username, password } = api.find(MAIL_TEST).request!.example;
  smtp = await SmtpTestServer.start({ certificates, isSecure: true, login: { username, password } });
  npm = await startWebServer((_, response) => void response.end(JSON.stringify({ 'dist-tags': { latest: '1.3.0' } })));
  receiver = await startWebServer((_, response) => void response.writeHead(204).end());
  serverId = /serverId="([^"]+)"/.exec((await server.get(DOCUMENT)).text)![1]!;
});
after(async () => {
  await server.stop();
  await smtp.stop();
  await npm.stop();
  await receiver.stop();
  await certificates.remove();
  lab.remove();
});

const ACCOUNT_TOKEN = 'POST /api/admin/service_accounts/{name}/access_tokens';
const DISABLE = 'POST /api/admin/maintenance_mode/disable';
const BACK_UP = 'POST /api/backups';
const MAIL_TEST = 'POST /api/config/mailserver/test';
const DOCUMENT = '/api/admin/config.xml';

/** Operations on the whole configuration, tried while it is empty; the saved document replaces the imported entities. */
const ABOUT_ALL = [
  'POST /api/admin/config/import',
  `POST ${DOCUMENT}`,
  `GET ${DOCUMENT}`,
  'GET /api/admin/config/current.xml',
  'GET /api/admin/config/{md5}.xml',
];

/** Routes that list more than the examples have made: entities of a new server, and later changes and events. */
const MORE_THAN_EXAMPLES: ReadonlySet<string> = new Set([
  'GET /api/admin/access_tokens',
  'GET /api/admin/config/entities/{resource}/history',
  'GET /api/admin/config/entities/{resource}/{id}/blame',
  'GET /api/admin/config/entities/{resource}/{id}/history',
  'GET /api/admin/config/revisions',
  'GET /api/admin/environments',
  'GET /api/admin/internal/environments/merged',
  'GET /api/admin/internal/member_names',
  'GET /api/admin/events',
  'GET /api/admin/maintenance_mode/info',
  'GET /api/admin/maintenance_mode/wait',
  'GET /api/admin/pipeline_groups',
  'GET /api/admin/pipelines',
  'GET /api/admin/plugin_info',
  'GET /api/admin/repositories',
  'GET /api/admin/scms',
  'GET /api/admin/security/auth_configs',
  'GET /api/admin/webhooks/{id}/deliveries',
  'GET /api/auth/permissions',
  'GET /api/config/materials',
  'GET /api/config/pipeline_groups',
  'GET /api/current_user/access_tokens',
  'GET /api/forms',
  'GET /api/internal/config_repos',
  'GET /api/server_health_messages',
  'GET /api/users',
  'GET /metrics',
]);

const PREVIEW = '/api/admin/environments/preview';
const TIMEOUT = '/api/admin/config/server/default_job_timeout';

/** The preparation that an example needs, made from other examples; it may change the request or the expected answer. */
const PREPARATIONS: Readonly<Record<string, (operation: Operation) => Promise<Partial<Operation>>>> = {
  'GET /api/current_user/sessions': ownSessions,
  'DELETE /api/current_user/sessions/{id}': ownSession,
  'GET /api/admin/sessions': ownSessions,
  'DELETE /api/admin/sessions/{id}': ownSession,
  'DELETE /api/admin/sessions': async ({ path }) => ({ path: `${path}?login_name=admin` }),
  'GET /api/admin/config/{md5}.xml': knownDocument,
  'POST /api/admin/config/plan/{id}/apply': madePlan,
  'POST /api/current_user/sealed_drafts/open': sealedDraft,
  'POST /api/admin/config/revisions/{revision}/revert': (operation) => reverted(operation, changedEnvironment, PREVIEW),
  'POST /api/admin/config/entities/{resource}/{id}/revert': (operation) => reverted(operation, changedEnvironment, PREVIEW),
  'POST /api/admin/config/entities/{resource}/revert': (operation) => reverted(operation, changedTimeout, TIMEOUT),
  'GET /api/admin/config/revisions': changedEnvironment,
  'GET /api/admin/config/revisions/{revision}': changedEnvironment,
  'PATCH /api/admin/config/revisions/{revision}': changedEnvironment,
  'GET /api/admin/config/entities/{resource}/{id}/history': changedEnvironment,
  'GET /api/admin/config/entities/{resource}/{id}/blame': changedEnvironment,
  'GET /api/admin/config/entities/{resource}/history': changedTimeout,
  'GET /api/admin/config/entities/{resource}/blame': changedTimeout,
  // The free disk space differs between machines.
  'GET /api/admin/artifacts/purge_preview': async ({ path }) => ({ path: `${path}?free_bytes=${64 * 1024 ** 3}` }),
  'GET /api/admin/events': newestEvent,
  'GET /api/admin/webhooks/{id}/deliveries': deliveredWebhook,
  'POST /api/admin/webhooks/{id}/replay': replayedWebhook,
  'POST /api/admin/webhooks/{id}/test': reachableWebhook,
  'GET /api/admin/maintenance_mode/info': enableMaintenance,
  'POST /api/admin/config_repo_ops/preflight': async ({ path }) => ({ path: `${path}?pluginId=yaml.config.plugin` }),
  'GET /api/admin/export': inYaml,
  'GET /api/admin/export/groups/{group_name}': inYaml,
  'GET /api/admin/export/pipelines/{pipeline_name}': inYaml,
  'GET /api/admin/maintenance_mode/wait': enableMaintenance,
  [ACCOUNT_TOKEN]: nextToken,
  'POST /api/current_user/access_tokens/{id}/rotate': rotatableToken,
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate': rotatableToken,
  'DELETE /api/users': disabledUser,
  'DELETE /api/users/{login_name}': disabledUser,
  [MAIL_TEST]: throughTestServer,
  'POST /api/admin/internal/repositories/verify_connection': inTestRegistry,
  'POST /api/admin/internal/packages/verify_connection': fromTestRegistry,
  'POST /api/admin/internal/scms/verify_connection': inTestRepository,
  'POST /api/admin/internal/pipelines/verify_connection': atTestRepository,
  'POST /api/admin/internal/config_repos/verify_connection': atTestRepository,
  'GET /api/materials/{fingerprint}/modifications': ofTestRepository,
  'GET /api/materials/{fingerprint}/modifications/{offset}': ofTestRepository,
  'GET /api/internal/elastic/profiles/{id}/usages': usedProfile,
  'GET /api/internal/materials/{fingerprint}/modifications': ofTestRepository,
  'GET /api/internal/materials': withAllMaterials,
  'POST /api/admin/materials/git/notify': notified,
  'POST /api/admin/materials/hg/notify': notified,
  'POST /api/admin/materials/svn/notify': notified,
  'POST /api/admin/materials/scm/notify': notified,
  'PUT /api/admin/pipelines/{id}/extract_to_template': anotherPipeline,
  'POST /api/admin/config_repos/{id}/trigger_update': idleConfigRepo,
  'GET /api/admin/config_repos/{id}/status': idleConfigRepo,
  'GET /api/admin/config_repos/{id}/definitions': publishedConfigRepo,
  'GET /api/admin/config_repos/{id}/parses': unparsedConfigRepo,
  'GET /api/admin/config_repos/{id}/sources': publishedConfigRepo,
  'GET /api/internal/config_repos': publishedConfigRepo,
  'POST /api/webhooks/github/config_repos/{id}': hookedConfigRepo,
  'POST /api/webhooks/gitlab/config_repos/{id}': hookedConfigRepo,
  'POST /api/webhooks/bitbucket/config_repos/{id}': hookedConfigRepo,
  'POST /api/webhooks/hosted_bitbucket/config_repos/{id}': hookedConfigRepo,
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

/** The pipeline whose stages become a template. */
const EXTRACTED = 'extracted';
/** The pipeline that uses an elastic agent profile. */
const NIGHTLY = 'nightly';

test('operations on the whole configuration accept every content type they document', async () => {
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

test('every POST, PATCH and PUT without a path parameter is accepted', async () => {
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

test('the pipeline and the tokens that the examples mention can be created', async () => {
  accepted(await server.post('/api/admin/pipelines', USER));
  // Of two tokens one is revoked by its owner, the other by an administrator.
  accepted(await send(api.find('POST /api/current_user/access_tokens')));
  accepted(await send(api.find(ACCOUNT_TOKEN)));
});

test('every GET is answered as the document shows', async () => {
  for (const named of operationsOf('GET')) {
    const operation = await prepared(named);
    const reply = await send(operation);
    compare(operation, reply);
    if ('ETag' in (operation.success.headers ?? {})) {
      assert.match(reply.etag ?? '', /^"[^"]+"$/, named.name);
      const { type } = operation.success;
      const again = await server.get(addressOf(operation), { headers: { 'If-None-Match': '*' }, ...(type && { accept: type }) });
      assert.equal(again.status, 304, named.name);
    }
    if (PREPARATIONS[operation.name] === enableMaintenance) await send(api.find(DISABLE));
  }
});

test('every PUT, PATCH and POST with a path parameter is accepted', async () => {
  const inPath = ({ path }: Operation) => path.includes('{');
  for (const named of [...operationsOf('PUT'), ...operationsOf('PATCH'), ...operationsOf('POST')].filter(inPath)) {
    const operation = await prepared(named);
    compare(operation, await send(operation));
  }
});

test('every DELETE is answered as the document shows', async () => {
  for (const name of [USER.pipeline.name, EXTRACTED, NIGHTLY]) accepted(await server.delete(`/api/admin/pipelines/${name}`));
  const indexOf = ({ path }: Operation) => created.indexOf(path.replace(/\/\{\w+\}$/, ''));
  for (const operation of operationsOf('DELETE').toSorted((one, other) => indexOf(other) - indexOf(one))) {
    compare(operation, await send(await prepared(operation)));
  }
});

test('every operation was tried', () => {
  const all = api.operations.filter(isSpecific).map(({ name }) => name);
  assert.deepEqual(
    all.filter((name) => !sent.has(name)),
    [],
  );
});

/** Whether an operation is tried here; another protocol is tried by its own client. */
function isSpecific(operation: Operation): boolean {
  return operation.protocol === undefined && !isOfBuilds(operation);
}

/** The operations of a method, without those that came before all others. */
function operationsOf(method: string): Operation[] {
  return api.operations.filter(
    (operation) => operation.method === method && isSpecific(operation) && ![BACK_UP, ...ABOUT_ALL].includes(operation.name),
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
  const ask = {
    ...content,
    ...(content.text !== undefined && { text: content.text.replaceAll(EXAMPLE_SERVER_ID, serverId) }),
    headers: {
      ...content.headers,
      ...(await webhookHeaders(server, path, content.text ?? JSON.stringify(content.body))),
      ...(takesHeader(operation, 'If-Match') && { 'If-Match': '*' }),
      ...(takesHeader(operation, 'X-Svc-Confirm') && { 'X-Svc-Confirm': 'true' }),
    },
    ...(success.type && { accept: success.type }),
  };
  const tried = supportsDryRun(operation) ? await tryOut(operation, ask) : undefined;
  const reply = await server.ask(method, addressOf(operation), ask);
  if (tried) assert.equal(tried.status, reply.status, `${name} tried: ${tried.text}; done: ${reply.text}`);
  if (reply.status < 300 && method !== 'GET') created.push(path);
  return reply;
}

function supportsDryRun({ parameters }: Operation): boolean {
  return parameters.some(({ in: location, name }) => location === 'query' && name === 'dry_run');
}

/** Sends a dry run of the request, after which the document is as before. */
async function tryOut(operation: Operation, ask: Ask): Promise<Reply> {
  const address = addressOf(operation);
  const md5 = async () => (await server.get(DOCUMENT)).headers.get('X-CRUISE-CONFIG-MD5');
  const earlier = await md5();
  const reply = await server.ask(operation.method, `${address}${address.includes('?') ? '&' : '?'}dry_run=true`, ask);
  assert.equal(reply.headers.get('X-Svc-Dry-Run'), 'true', operation.name);
  assert.equal(await md5(), earlier, `${operation.name} changed something when it was only tried`);
  if (reply.status < 300 && takesHeader(operation, 'X-Svc-Reason')) {
    assert.deepEqual(Object.keys(reply.json._plan ?? {}), ['changes', 'affected'], `${operation.name} does not say what it would do`);
  }
  return reply;
}

/** The answer has the status, the type, the headers, the schema and the content that the document shows. */
function compare(operation: Operation, reply: Reply): void {
  const { name, method, path, success } = operation;
  const { type, headers = {}, schemaAt, body } = success;
  assert.equal(reply.status, success.status, `${name}: ${reply.text}`);
  for (const header of Object.keys(headers)) assert.ok(reply.headers.has(header), `${name} answers without ${header}`);
  if (type === undefined) return;
  assert.equal(reply.headers.get('content-type')?.split(';')[0], type, name);
  const answer = shown(reply);
  assert.deepEqual(api.problems(schemaAt, answer), [], name);
  if (body.example === undefined) return;
  // A new entity does not yet show the entities that will refer to it.
  const isComplete = method !== 'POST' || path.includes('{');
  if (ABOUT_ALL.includes(name)) assert.deepEqual(answer, body.example, name);
  else if (isComplete) {
    const like = MORE_THAN_EXAMPLES.has(name) ? withoutOthers(answer, body.example) : answer;
    assert.deepEqual(measured(like), measured(body.example), name);
  } else assert.deepEqual(shapeOf(answer), shapeOf(body.example), name);
}

/** The answer with all that differs from server to server, and from time to time, as the examples have it. */
function shown({ text, json }: Reply): unknown {
  if (json === undefined) return text.replaceAll(serverId, EXAMPLE_SERVER_ID);
  return JSON.parse(
    text
      .replaceAll(server.url, EXAMPLE_BASE)
      .replaceAll(server.dataDir, '/var/lib/slipway')
      .replace(/"id":"[0-9a-f]{8}","url"/, '"id":"embedded","url"')
      .replace(/"id":"[0-9a-f]{8}-\d+","reload"/, '"id":"6f1d2c3b-42","reload"')
      .replace(/"silent_ms":\d+,"lag":\d+/, '"silent_ms":0,"lag":0')
      .replace(`"host":${JSON.stringify(hostname())}`, '"host":"build-1"')
      .replace(/"time_zone":"[^"]+"/, '"time_zone":"Europe/Berlin"')
      .replace(/\bbackup_\d{8}-\d{6}\b/g, 'backup_20260131-093000')
      .replace(/"token":"[0-9a-f]{40}"/, '"token":"0123456789abcdef0123456789abcdef01234567"')
      .replace(/v1:[^"]+/g, EXAMPLE_CIPHER_TEXT)
      .replace(/v2:[^"]+/g, EXAMPLE_BOUND_TEXT)
      .replace(/"All \d+ events (.*) is \d+:[0-9a-f]{64}"/, `"All 2 events $1 is 2:${'9b0e42'.padEnd(64, '0')}"`)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, EXAMPLE_TIME),
  );
}

/** Sizes and durations are another each time. */
function measured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(measured);
  if (!isObject(value)) return value;
  const isMeasure = (name: string, member: unknown) =>
    typeof member === 'number' && ['bytes', 'total_bytes', 'disk_free_bytes', 'seconds', 'milliseconds'].includes(name);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isMeasure(name, member) ? 'measured' : measured(member)]));
}

/** Lists as short as those of the example: a server has more entries than the examples made. */
function withoutOthers(answer: unknown, example: unknown): unknown {
  if (typeof example === 'string') return String(answer).includes(example.split('\n')[0]!) ? example : answer;
  if (Array.isArray(answer) && Array.isArray(example)) return membersLike(answer, example);
  if (!isObject(answer) || !isObject(example)) return answer;
  const { _embedded: given, ...rest } = answer;
  const { _embedded: wanted } = example;
  if (!isObject(given) || !isObject(wanted)) return withoutOtherMembers(answer, example);
  const lists = Object.entries(given).map(([key, list]) => [
    key,
    Array.isArray(list) ? membersLike(list, (wanted[key] ?? []) as unknown[]) : list,
  ]);
  return { ...rest, _embedded: Object.fromEntries(lists) };
}

/** Makes lists deeper in an answer as short as those of the example, too; texts stay as they are. */
function withoutOtherMembers(answer: unknown, example: unknown): unknown {
  if (Array.isArray(answer) && Array.isArray(example)) return membersLike(answer, example);
  if (!isObject(answer) || !isObject(example)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, member]) => [name, withoutOtherMembers(member, example[name])]));
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

/** The example with the newest event of the server. */
async function newestEvent({ success }: Operation): Promise<Partial<Operation>> {
  const path = '/api/admin/environments';
  await server.delete(`${path}/told`);
  accepted(await server.post(path, { name: 'told' }));
  const { _embedded } = shown(await server.get('/api/admin/events?page_size=1')) as { _embedded: { events: unknown[] } };
  const { example } = success.body;
  assert.deepEqual(shapeOf(_embedded.events[0]), shapeOf(example._embedded.events[0]));
  return { success: { ...success, body: { ...success.body, example: { ...example, _embedded } } } };
}

/** The example with the id that the next token gets. */
async function nextToken({ path, success }: Operation): Promise<Partial<Operation>> {
  const home = path.replace(/\/\{id\}.*/, '').replace('{name}', 'release-bot');
  const { id } = accepted(await server.post(home, { description: 'for the nightly build' })).json;
  const { example } = success.body;
  const self = `/${example.id}"`;
  const next = JSON.parse(JSON.stringify({ ...example, id: id + 1 }).replace(self, () => `/${id + 1}"`));
  return { success: { ...success, body: { ...success.body, example: next } } };
}

/** A new token to rotate, for the tokens of the examples are revoked by then. */
async function rotatableToken(operation: Operation): Promise<Partial<Operation>> {
  const { success } = await nextToken(operation);
  const old = String(success!.body.example.id - 1);
  return { success: success!, parameters: operation.parameters.map((one) => (one.name === 'id' ? { ...one, example: old } : one)) };
}

/** The example with the sessions of the server. */
async function ownSessions({ success, path }: Operation): Promise<Partial<Operation>> {
  const { _embedded } = shown(await server.get(path)) as { _embedded: { sessions: unknown[] } };
  const { example } = success.body;
  assert.deepEqual(shapeOf(_embedded.sessions[0]), shapeOf(example._embedded.sessions[0]));
  return { success: { ...success, body: { ...success.body, example: { ...example, _embedded } } } };
}

/** The id of an existing session. */
async function ownSession({ parameters }: Operation): Promise<Partial<Operation>> {
  accepted(await send(api.find('POST /api/session')));
  const { json } = await server.get('/api/current_user/sessions');
  const { id } = json._embedded.sessions[0];
  return { parameters: parameters.map((parameter) => (parameter.name === 'id' ? { ...parameter, example: id } : parameter)) };
}

/** The webhook of the examples, with a receiver that can be reached and wants everything. */
async function reachableWebhook({ parameters }: Operation): Promise<Partial<Operation>> {
  const { example } = api.find('POST /api/admin/webhooks').request!;
  const id = parameters.find(({ name }) => name === 'id')!.example;
  accepted(await server.put(`/api/admin/webhooks/${id}`, { ...example, url: receiver.url, filter: {} }, '*'));
  return {};
}

/** The example with the last delivery of the server. */
async function deliveredWebhook(operation: Operation): Promise<Partial<Operation>> {
  await reachableWebhook(operation);
  for (;;) {
    const { queue, _embedded } = shown(await server.get(addressOf(operation))) as Record<string, Record<string, Record<number, object>>>;
    const { body } = operation.success;
    const isDone = Number(queue!.behind) === 0 && _embedded!.deliveries![0];
    if (!isDone) await pause(20);
    else {
      const deliveries = [{ ...isDone, type: 'configuration.changed', attempt: 1 }];
      return { success: { ...operation.success, body: { ...body, example: { ...body.example, queue, _embedded: { deliveries } } } } };
    }
  }
}

/** A replay of a webhook, which has as much to do as there are events. */
async function replayedWebhook(operation: Operation): Promise<Partial<Operation>> {
  await deliveredWebhook({ ...operation, path: operation.path.replace('replay', 'deliveries') });
  const { body } = operation.success;
  const { number } = (await server.get('/api/admin/events?page_size=1')).json._embedded.events[0];
  const example = { queue: { ...body.example.queue, behind: number } };
  return { success: { ...operation.success, body: { ...body, example } } };
}

async function inYaml({ path }: Operation): Promise<Partial<Operation>> {
  return { path: `${path}?plugin_id=yaml.config.plugin` };
}

async function knownDocument({ parameters }: Operation): Promise<Partial<Operation>> {
  const md5 = (await server.get(DOCUMENT)).headers.get('X-CRUISE-CONFIG-MD5')!;
  return { parameters: parameters.map((parameter) => (parameter.name === 'md5' ? { ...parameter, example: md5 } : parameter)) };
}

/** The environment that the examples of the history are about, made and changed by revisions with other numbers. */
async function changedEnvironment(operation: Operation): Promise<Partial<Operation>> {
  const path = '/api/admin/environments';
  const body = (value: string) => ({ name: 'preview', environment_variables: [{ name: 'REGION', value }] });
  await server.delete(`${path}/preview`);
  const created = await server.post(path, body('north'));
  const changed = await server.put(`${path}/preview`, body('south'), '*', { headers: { 'X-Svc-Reason': 'The north is full' } });
  return withRevisions(operation, created, changed);
}

/** A revert with the ETag that the reverted entity gets back. */
async function reverted(operation: Operation, change: typeof changedEnvironment, path: string): Promise<Partial<Operation>> {
  const changed = await change(operation);
  const [{ revision }] = (await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions;
  const { etag } = await server.get(`${path}?at=${revision - 1}`);
  return { ...changed, success: withTag(changed.success!, etag!) };
}

/** A plan that was made just now. */
async function madePlan({ path, parameters, success }: Operation): Promise<Partial<Operation>> {
  const { request } = api.find(`POST ${path.slice(0, path.indexOf('/{'))}`);
  const { json } = accepted(await server.post('/api/admin/config/plan', request!.example));
  const example = { ...success.body.example, id: json.id };
  return {
    parameters: parameters.map((parameter) => (parameter.name === 'id' ? { ...parameter, example: json.id } : parameter)),
    success: withTag({ ...success, body: { ...success.body, example } }, json.changes[0].etag),
  };
}

async function sealedDraft({ path, request }: Operation): Promise<Partial<Operation>> {
  const seal = api.find(`POST ${path.slice(0, path.lastIndexOf('/'))}`);
  const { sealed } = accepted(await server.post(seal.path, seal.request!.example)).json;
  return { request: { ...request!, example: { ...(request!.example as object), sealed } } };
}

function withTag(success: Operation['success'], etag: string): Operation['success'] {
  const text = JSON.stringify(success.body.example).replace(/"etag":"\w+"/g, `"etag":"${etag.replaceAll('"', '')}"`);
  return { ...success, body: { ...success.body, example: JSON.parse(text) } };
}

async function changedTimeout(operation: Operation): Promise<Partial<Operation>> {
  const set = (minutes: string) =>
    server.put(TIMEOUT, { default_job_timeout: minutes }, '*', {
      headers: { 'X-Svc-Reason': 'They need longer' },
    });
  return withRevisions(operation, await set('30'), await set('90'));
}

/** The operation with the numbers of two real changes in the place of those in the examples. */
function withRevisions({ parameters, request, success }: Operation, ...changes: Reply[]): Partial<Operation> {
  const [first, second] = changes.map((reply) => accepted(reply).headers.get('x-svc-revision')!);
  const numbered = (example: unknown) =>
    JSON.parse(
      JSON.stringify(example)
        .replace(/\b41\b/g, first!)
        .replace(/\b42\b/g, second!),
    );
  return {
    ...(request && { request: { ...request, example: numbered(request.example) } }),
    parameters: parameters.map((parameter) => (parameter.name === 'revision' ? { ...parameter, example: second! } : parameter)),
    success: { ...success, body: { ...success.body, example: numbered(success.body.example) } },
  };
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

async function atTestRepository({ request }: Operation): Promise<Partial<Operation>> {
  const origin = await GitOrigin.make(join(lab.directory, 'tried-repository'));
  await origin.commit('first');
  const material = { type: 'git', attributes: { url: origin.path, branch: 'main' } };
  return { request: { ...request!, example: { ...request!.example, material } } };
}

async function inTestRepository({ request }: Operation): Promise<Partial<Operation>> {
  const url = (await GitOrigin.make(join(lab.directory, 'test-repository'))).path;
  await git(url, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  const others = request!.example.configuration.filter(({ key }: { key: string }) => key !== 'url');
  return { request: { ...request!, example: { ...request!.example, configuration: [{ key: 'url', value: url }, ...others] } } };
}

/** A material with one modification, in the place of the one that does not exist. */
async function ofTestRepository({ parameters, success }: Operation): Promise<Partial<Operation>> {
  const origin = await GitOrigin.make(join(lab.directory, 'polled-repository'));
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
  const [shown] = (example._embedded ?? example).modifications;
  // Moments that are written as texts are compared as such anyway.
  const facts = { ...('id' in shown && { id }), ...(typeof shown.modified_time === 'number' && { modified_time }) };
  Object.assign(shown, facts, { revision: await origin.tip() });
  return {
    parameters: parameters.map((parameter) => (parameter.name === 'fingerprint' ? { ...parameter, example: fingerprint } : parameter)),
    success: { ...success, body: { ...success.body, example } },
  };
}

/** A pipeline whose job uses the profile of the example. */
async function usedProfile({ parameters }: Operation): Promise<Partial<Operation>> {
  const tasks = [{ type: 'exec', attributes: { command: 'make' } }];
  const elastic_profile_id = parameters.find(({ name }) => name === 'id')!.example;
  const stages = [{ name: 'build', jobs: [{ name: 'compile', elastic_profile_id, tasks }] }];
  const materials = [{ type: 'git', attributes: { url: 'https://scm.example.org/nightly.git' } }];
  accepted(await server.post('/api/admin/pipelines', { group: 'told', pipeline: { name: NIGHTLY, materials, stages } }));
  return {};
}

/** The example with all materials of the server: that of the example is among them, but was never polled. */
async function withAllMaterials({ success }: Operation): Promise<Partial<Operation>> {
  const { example } = success.body;
  const { materials } = shown(await server.get('/api/internal/materials')) as { materials: { config: { fingerprint: string } }[] };
  const [{ config, modification }] = example.materials;
  const known = materials.filter((one) => 'modification' in one && one.modification !== null);
  assert.deepEqual(materials.find((one) => one.config.fingerprint === config.fingerprint)?.config, config);
  assert.deepEqual(shapeOf((known[0] as { modification?: unknown } | undefined)?.modification), shapeOf(modification));
  return { success: { ...success, body: { ...success.body, example: { ...example, materials } } } };
}

/** A material that is not polled, as the example has it. */
async function notified({ path, request }: Operation): Promise<Partial<Operation>> {
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

/** A pipeline like that of the example, whose own stages other examples are about. */
async function anotherPipeline({ parameters, success }: Operation): Promise<Partial<Operation>> {
  const { pipeline } = api.find('POST /api/admin/pipelines').request!.example;
  const [name, group] = [EXTRACTED, 'told'];
  accepted(await server.post('/api/admin/pipelines', { group, pipeline: { ...pipeline, name, group } }));
  const { _links, ...example } = success.body.example;
  const self = { href: _links.self.href.replace(/[^/]+$/, name) };
  return {
    parameters: withId(parameters, name),
    success: { ...success, body: { ...success.body, example: { _links: { ..._links, self }, ...example, name, group } } },
  };
}

const CONFIG_REPOS = '/api/admin/config_repos';
const PUBLISHED = ['build', 'deploy']
  .map(
    (name) =>
      `  ${name}: {group: team-a, materials: {me: {type: configrepo}}, stages: [{s: {jobs: {j: {tasks: [exec: {command: make}]}}}}]}`,
  )
  .join('\n');

/** Nothing is under way with the config repo of the example. */
async function idleConfigRepo({ parameters }: Operation): Promise<Partial<Operation>> {
  await endOfUpdate(String(parameters.find(({ name }) => name === 'id')!.example));
  return {};
}

/** A config repo that defines the entities of the example. */
async function publishedConfigRepo({ parameters, success }: Operation): Promise<Partial<Operation>> {
  const id = 'published';
  const revision = await addConfigRepo(id, `format_version: 10\npipelines:\n${PUBLISHED}\nenvironments:\n  qa: {}\n`);
  const example = structuredClone(success.body.example);
  if (example.revision) example.revision = revision;
  if (example._embedded) {
    // Which names there are, and how the repo is configured, is as this server has it.
    const { json } = await server.get('/api/internal/config_repos');
    const { parse_info: _, ...repo } = json._embedded.config_repos.find((one: { id: string }) => one.id === id);
    const [{ parse_info: info }] = example._embedded.config_repos;
    for (const modification of [info.latest_parsed_modification, info.good_modification]) modification.revision = revision;
    const shownRepo = JSON.parse(JSON.stringify(repo).replaceAll(server.url, EXAMPLE_BASE).replaceAll(server.dataDir, '/var/lib/slipway'));
    example._embedded.config_repos = [{ ...shownRepo, parse_info: info }];
    example.auto_completion = json.auto_completion;
  }
  return { parameters: withId(parameters, id), success: { ...success, body: { ...success.body, example } } };
}

/** A config repo with the mistake of the example. */
async function unparsedConfigRepo({ parameters, success }: Operation): Promise<Partial<Operation>> {
  const id = 'unparsed';
  const revision = await addConfigRepo(id, 'format_version: 10\npipelnes: {}\n');
  const known = String(parameters.find(({ name }) => name === 'id')!.example);
  const example = JSON.parse(JSON.stringify(success.body.example).replaceAll(`/${known}/`, `/${id}/`));
  const [{ id: number, duration_ms }] = (await server.get(`${CONFIG_REPOS}/${id}/parses`)).json._embedded.parses;
  Object.assign(example._embedded.parses[0], { id: number, duration_ms, revision });
  return { parameters: withId(parameters, id), success: { ...success, body: { ...success.body, example } } };
}

function withId(parameters: Operation['parameters'], id: string): Operation['parameters'] {
  return parameters.map((parameter) => (parameter.name === 'id' ? { ...parameter, example: id } : parameter));
}

/** Gives the revision with the one file of a new config repo, which has been read. */
async function addConfigRepo(id: string, text: string): Promise<string> {
  const origin = await GitOrigin.make(join(lab.directory, id));
  if ((await server.get(`${CONFIG_REPOS}/${id}`)).status === 404) {
    await origin.commit('Deploy after the build', { 'build.gocd.yaml': text });
    const material = { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } };
    const rules = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
    // The example of plugin settings has another pattern for all repos.
    const configuration = [{ key: 'file_pattern', value: '*.yaml' }];
    accepted(await server.post(CONFIG_REPOS, { id, plugin_id: 'yaml.config.plugin', material, configuration, rules }));
    await endOfUpdate(id);
  }
  return origin.tip();
}

async function endOfUpdate(id: string): Promise<void> {
  while ((await server.get(`${CONFIG_REPOS}/${id}/status`)).json.in_progress) await pause(20);
}

/** A config repo of the name in the example, which has been looked at in vain. */
async function hookedConfigRepo({ parameters }: Operation): Promise<Partial<Operation>> {
  const id = parameters.find(({ name }) => name === 'id')!.example!;
  const material = { type: 'git', attributes: { url: join(server.dataDir, 'nowhere', id), auto_update: false } };
  accepted(await server.post('/api/admin/config_repos', { id, plugin_id: 'yaml.config.plugin', material, configuration: [], rules: [] }));
  const isBusy = async () => (await server.get(`/api/admin/config_repos/${id}/status`)).json.in_progress;
  for (let turn = 0; await isBusy(); turn++) {
    assert.ok(turn < 400, `${id} does not come to an end`);
    await pause(25);
  }
  return {};
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
