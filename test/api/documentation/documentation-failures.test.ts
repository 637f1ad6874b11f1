// Every failure that the OpenAPI document shows, provoked on a running server: it is answered as the document says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { UNKNOWN_MD5 } from '../../../src/api/endpoints/config-xml/routes.ts';
import { EXAMPLE_BASE, EXAMPLE_BOUND_TEXT, EXAMPLE_CIPHER_TEXT } from '../../../src/api/engine/answer-example.ts';
import { EXAMPLE_OTHER_USER } from '../../../src/api/engine/failures.ts';
import { webhookHeaders } from '../../support/configuration/webhook-secret.ts';
import { changeRows } from '../../support/database/sql.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { addUser, tokenOf } from '../../support/requests/callers.ts';
import { askWithHugeBody } from '../../support/requests/huge-body.ts';
import { addressOf, contentOf, isOfBuilds, OpenApi, type Operation, type Response } from '../../support/requests/openapi.ts';
import { ADMIN_PASSWORD, type Ask, basic, type Reply, TestServer } from '../../support/server/server.ts';

const FAULTY = '/api/faulty';
const MORE_THAN_ANY_DISK_MB = '999999999';

let server: TestServer;
/** Has no room on its disk. */
let full: TestServer;
/** Has compacted its history. */
let compacted: TestServer;
let api: OpenApi;
let stranger: string;
let token: string;
before(async () => {
  server = await TestServer.start(
    {},
    {
      routes: [
        {
          method: 'GET',
          path: FAULTY,
          version: 1,
          permission: 'user',
          description: { chapter: 'version', summary: 'Fails', response: { type: 'string' } },
          handle: () => {
            throw new Error('on purpose');
          },
        },
      ],
    },
  );
  full = await TestServer.start({ 'disk-warning-mb': MORE_THAN_ANY_DISK_MB, 'disk-full-mb': MORE_THAN_ANY_DISK_MB });
  while (!(await full.get('/api/server_health_messages')).text.includes('database')) await pause(20);
  compacted = await TestServer.start();
  await compacted.restart(() => changeRows(compacted.dataDir, 'insert into compaction (kept_from, done_to) values (2, 1)'));
  api = await OpenApi.of(server);
  await createExamples();
  stranger = await addUser(server, EXAMPLE_OTHER_USER);
  token = await tokenOf(server, basic('admin', ADMIN_PASSWORD));
});
after(async () => {
  await server.stop();
  await full.stop();
  await compacted.stop();
});

interface Shown {
  readonly message: string;
  readonly supported?: unknown;
  readonly data?: unknown;
}

/** Sends a request that is refused with this status. */
type Provoke = (operation: Operation, example: Shown) => Promise<Reply>;

/** Requests for failures where the status alone does not determine the request. */
const OWN_PROVOCATIONS: Readonly<Record<string, Provoke>> = {
  'POST /api/admin/config.xml 404': (operation) => save(operation, '*'),
  'POST /api/admin/config.xml 409': (operation) => save(operation, UNKNOWN_MD5),
  'POST /api/admin/config/import 400': (operation) => ask(operation, { headers: { 'X-Svc-Cipher-Key': 'none' } }),
  'POST /api/admin/config/import 422': (operation) => ask(operation, { text: operation.request!.example.replace(/url="[^"]*"/, 'url=""') }),
  'POST /api/admin/config_repo_ops/preflight 413': (operation, example) =>
    PROVOCATIONS[413]!({ ...operation, path: `${operation.path}?pluginId=yaml.config.plugin` }, example),
  'POST /api/admin/config_repo_ops/preflight 415': (operation) =>
    ask(operation, { headers: { 'Content-Encoding': 'br' } }, '?pluginId=yaml.config.plugin'),
  'POST /api/session 401': (operation) => ask(operation, { body: { ...operation.request!.example, password: 'wrong' } }),
  'DELETE /api/admin/sessions 400': (operation) => ask(operation),
  'GET /api/admin/export 422': unknownPlugin,
  'GET /api/admin/export/groups/{group_name} 422': unknownPlugin,
  'GET /api/admin/export/pipelines/{pipeline_name} 422': unknownPlugin,
  'POST /api/admin/config/plan/{id}/apply 409': movedPlan,
  'POST /api/admin/config/entities/{resource}/{id}/revert 412': staleRevert,
  'POST /api/admin/config/entities/{resource}/revert 412': staleRevert,
  'POST /api/admin/config/entities/{resource}/{id}/revert 410': (operation) => ask(operation, { body: { revision: 1 } }, '', compacted),
  'POST /api/admin/config/entities/{resource}/revert 410': (operation) => ask(operation, { body: { revision: 1 } }, '', compacted),
  'PATCH /api/admin/config/revisions/{revision} 412': (operation) =>
    ask(withRevision(operation, '1'), { headers: { 'If-Match': '"older"' } }),
  'POST /api/admin/internal/pipelines/verify_connection 422': blankRepository,
  'POST /api/admin/internal/config_repos/verify_connection 422': blankRepository,
  'POST /api/config/mailserver/test 406': (operation) =>
    ask(operation, { body: { ...operation.request!.example, hostname: '127.0.0.1', port: 1 } }),
  'PUT /api/admin/service_accounts/{name} 422': (operation) => ask(operation, { body: { owner: 'nobody' } }),
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/revoke 409': revokedToken,
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate 409': revokedToken,
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/revoke 412': staleToken,
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate 412': staleToken,
  'GET /api/admin/artifacts/purge_preview 400': (operation) => ask(operation, {}, '?after=yesterday'),
  'GET /api/admin/events 409': (operation) => ask(operation, {}, '?after=9000000000'),
  'GET /api/backups/{id} 400': (operation) => ask(withParameters(operation, 'last')),
  'GET /api/materials/{fingerprint}/modifications 404': unknownMaterial,
  'GET /api/internal/materials/{fingerprint}/modifications 404': unknownMaterial,
  'GET /api/materials/{fingerprint}/modifications/{offset} 404': unknownMaterial,
  'POST /api/internal/materials/{fingerprint}/trigger_update 404': unknownMaterial,
  'GET /api/materials/{fingerprint}/modifications/{offset} 400': (operation) => ask(withParameters(operation, 'last')),
  'POST /api/config-repository.git/git-receive-pack 403': (operation) => ask(operation),
  'POST /api/webhooks/github/config_repos/{id} 404': unknownConfigRepo,
  'POST /api/webhooks/gitlab/config_repos/{id} 404': unknownConfigRepo,
  'POST /api/webhooks/bitbucket/config_repos/{id} 404': unknownConfigRepo,
  'POST /api/webhooks/hosted_bitbucket/config_repos/{id} 404': unknownConfigRepo,
};

function blankRepository(operation: Operation): Promise<Reply> {
  return ask(operation, { body: { ...operation.request!.example, material: { type: 'git', attributes: { url: '' } } } });
}

const PROVOCATIONS: Readonly<Record<number, Provoke>> = {
  400: (operation, { message = '' }) => {
    if (message.includes('dry_run')) return ask(operation, {}, '?dry_run=maybe');
    if (message.includes('`at`')) return ask(operation, {}, '?at=yesterday');
    return ask(operation, message.includes('not valid JSON') ? { body: undefined, text: '[]' } : {});
  },
  401: (operation) => ask(operation, { as: '' }),
  403: (operation, { message }) => ask(operation, { as: message.includes('access token') ? token : stranger }),
  404: (operation, { message, supported }) => {
    if (supported) return ask(operation, { accept: 'application/vnd.svc.v99+json' });
    const [, unknown = ''] = /'(.*)'/.exec(message) ?? [];
    return ask(withParameters(operation, unknown));
  },
  // The work of the first request may not have begun yet when the others come, or have ended already.
  409: async (operation) => {
    let replies: readonly Reply[] = [];
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end && !replies.some(({ status }) => status === 409))
      replies = await Promise.all(Array.from({ length: 5 }, () => ask(operation)));
    return replies.find(({ status }) => status === 409) ?? replies[0]!;
  },
  410: (operation) => ask(withRevision(operation, '1'), {}, operation.method === 'GET' ? '?at=1' : '', compacted),
  412: (operation) => ask(operation, { headers: { 'If-Match': '"older"' } }),
  413: (operation, { message }) =>
    askWithHugeBody({
      method: operation.method,
      url: server.url + addressOf(operation),
      type: operation.request!.type,
      bytes: Number(/\d+/.exec(message)) + 1,
      as: basic('admin', ADMIN_PASSWORD),
    }),
  415: (operation) => ask(operation, { headers: { 'Content-Type': 'text/plain' } }),
  422: (operation, { data }) => ask(operation, data ? {} : { body: {} }),
  500: () => server.get(FAULTY),
  507: (operation) => ask(operation, {}, '', full),
};

const ACCOUNT_TOKENS = '/api/admin/service_accounts/release-bot/access_tokens';

async function tokenOfAccount(): Promise<string> {
  return String((await server.post(ACCOUNT_TOKENS, { description: 'to be refused' })).json.id);
}

async function staleToken(operation: Operation): Promise<Reply> {
  return ask(withId(operation, await tokenOfAccount()), { headers: { 'If-Match': '"older"' } });
}

async function revokedToken(operation: Operation): Promise<Reply> {
  const id = await tokenOfAccount();
  await server.post(`${ACCOUNT_TOKENS}/${id}/revoke`, { revoke_cause: 'lost' });
  return ask(withId(operation, id));
}

function withId(operation: Operation, example: string): Operation {
  return { ...operation, parameters: operation.parameters.map((one) => (one.name === 'id' ? { ...one, example } : one)) };
}

function unknownPlugin(operation: Operation): Promise<Reply> {
  return ask(operation, {}, '?plugin_id=unknown');
}

/** An environment of the plan is created before the plan is applied. */
async function movedPlan(operation: Operation): Promise<Reply> {
  const name = 'moved-before-plan';
  const { json } = await server.post('/api/admin/config/plan', { environments: [{ name }] });
  await server.post('/api/admin/environments', { name });
  return ask(withParameters(operation, json.id));
}

async function staleRevert(operation: Operation): Promise<Reply> {
  await server.post('/api/admin/environments', { name: 'preview' });
  await server.put('/api/admin/config/server/default_job_timeout', { default_job_timeout: '30' });
  const [{ revision }] = (await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions;
  return ask(operation, { body: { revision }, headers: { 'If-Match': '"older"' } });
}

/** Only a caller that proves to know the secret learns that there is no such repo. */
async function unknownConfigRepo(operation: Operation, example: Shown): Promise<Reply> {
  if (example.supported) return PROVOCATIONS[404]!(operation, example);
  const text = JSON.stringify(operation.request!.example);
  return ask(withParameters(operation, 'gone'), { text, headers: await webhookHeaders(server, operation.path, text) });
}

/** 429 comes below; 504 takes several servers: test/stories/replicas/keeper.test.ts. */
const BY_OTHER_TESTS: ReadonlySet<number> = new Set([429, 504]);

test('each failure is answered with the status and the words that are shown', async () => {
  const wrong: string[] = [];
  let provoked = 0;
  for (const operation of api.operations.filter((one) => one.path !== FAULTY && !isOfBuilds(one))) {
    for (const failure of failuresOf(operation)) {
      const provoke = OWN_PROVOCATIONS[`${operation.name} ${failure.status}`] ?? PROVOCATIONS[failure.status];
      if (!provoke) {
        assert.ok(BY_OTHER_TESTS.has(failure.status), `${operation.name} shows a ${failure.status} that nobody has provoked`);
        continue;
      }
      const reply = await provoke(operation, failure.body.example);
      provoked++;
      if (reply.status !== failure.status) wrong.push(`${operation.name}: ${reply.status} instead of ${failure.status}: ${reply.text}`);
      else wrong.push(...differences(operation, failure, reply));
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(provoked > 800, `${provoked} provoked`);
});

test('If-Match is asked for where the document says that it is required, and nowhere else', async () => {
  const wrong: string[] = [];
  for (const operation of api.operations) {
    const parameter = operation.parameters.find(({ name }) => name === 'If-Match');
    if (!parameter) continue;
    const content = operation.request && (await contentOf(operation.request));
    const reply = await server.ask(operation.method, `${addressOf(operation)}?dry_run=true`, content);
    if ((reply.status === 412) !== (parameter.required === true)) wrong.push(`${operation.name}: ${reply.status} ${reply.text}`);
  }
  assert.deepEqual(wrong, []);
});

test('a client that guesses passwords too often gets 429', async () => {
  const operation = api.find('GET /api/current_user');
  const failure = operation.others.find(({ status }) => status === 429)!;
  let reply: Reply;
  do reply = await ask(operation, { as: basic('guesser', 'wrong') });
  while (reply.status === 401);
  assert.equal(reply.status, 429);
  assert.equal(withoutNumbers(reply.json.message), withoutNumbers(failure.body.example.message));
  for (const header of Object.keys(failure.headers ?? {})) assert.ok(reply.headers.has(header), header);
});

test('a user who encrypts too often gets 429', async () => {
  const operation = api.find('POST /api/admin/encrypt');
  const failure = operation.others.find(({ status }) => status === 429)!;
  let reply = await ask(operation);
  for (let tries = 0; tries < 60 && reply.status === 200; tries++) reply = await ask(operation);
  assert.equal(reply.status, 429);
  assert.deepEqual(reply.json, failure.body.example);
});

function failuresOf({ others }: Operation): Response[] {
  return others.filter(({ status, body }) => status >= 400 && body.example !== undefined);
}

function differences({ name }: Operation, { status, type, headers = {}, schemaAt, body }: Response, reply: Reply): string[] {
  const text = reply.text
    .replaceAll(server.url, EXAMPLE_BASE)
    .replace(`${MORE_THAN_ANY_DISK_MB}MB`, '100MB')
    .replace(/v1:[^"]+/g, EXAMPLE_CIPHER_TEXT)
    .replace(/v2:[^"]+/g, EXAMPLE_BOUND_TEXT)
    .replace(/(the last one is )\d+/, '$12');
  const shown = reply.json === undefined ? text : JSON.parse(text);
  const at = `${name} ${status}`;
  return [
    ...(reply.headers.get('content-type')?.startsWith(`${type};`) || status === 500 ? [] : [`${at}: ${reply.headers.get('content-type')}`]),
    ...Object.keys(headers).flatMap((header) => (reply.headers.has(header) ? [] : [`${at}: no ${header}`])),
    ...api.problems(schemaAt, shown).map((problem) => `${at}: ${problem}`),
    ...(lacksReasons(status, shown, name) ? [`${at}: it does not say who has changed what`] : []),
    ...(JSON.stringify(withoutVarying(status, shown)) === JSON.stringify(body.example)
      ? []
      : [`${at}: ${JSON.stringify(shown)} instead of ${JSON.stringify(body.example)}`]),
  ];
}

/** The changes made meanwhile, their authors and times: only the running server knows them, and the schema checks their form. */
function withoutVarying(status: number, shown: Shown): Shown {
  if (status !== 412 && status !== 409) return shown;
  const { data: _, ...rest } = shown;
  return rest;
}

/** A client that names the version its write is based on is shown the changes since; entities beside the configuration have no history. */
function lacksReasons(status: number, { data }: Shown, name: string): boolean {
  return status === 412 && data === undefined && !BESIDE_CONFIGURATION.test(name);
}

const BESIDE_CONFIGURATION = /\/(users|current_user|notification_filters|access_tokens|service_accounts|revisions)\b/;

/** The request of the example, changed by `different`. */
async function ask(operation: Operation, different: Ask = {}, query = '', to = server): Promise<Reply> {
  const { request, method } = operation;
  const content = request?.example === undefined ? {} : await contentOf(request);
  return to.ask(method, addressOf(operation) + query, {
    ...content,
    ...different,
    headers: {
      ...content.headers,
      ...(['PUT', 'PATCH'].includes(method) && { 'If-Match': '*' }),
      ...(method === 'POST' && !request && { 'X-Svc-Confirm': 'true' }),
      ...different.headers,
    },
  });
}

const WRONG_DOCUMENT = '<cruise schemaVersion="139">\n  <environments>\n    <environment />\n  </environments>\n</cruise>\n';

function save(operation: Operation, basedOn: string): Promise<Reply> {
  return ask(operation, { text: WRONG_DOCUMENT, headers: { 'If-Match': basedOn } });
}

/** A number is good for the offset, too. */
function unknownMaterial(operation: Operation): Promise<Reply> {
  return ask(withParameters(operation, '0'));
}

function withRevision(operation: Operation, value: string): Operation {
  const parameters = operation.parameters.map((parameter) =>
    parameter.name === 'revision' ? { ...parameter, example: value } : parameter,
  );
  return { ...operation, parameters };
}

function withParameters(operation: Operation, value: string): Operation {
  const parameters = operation.parameters.map((parameter) => (parameter.in === 'path' ? { ...parameter, example: value } : parameter));
  return { ...operation, parameters };
}

/** Creates the entities of the examples. */
async function createExamples(): Promise<void> {
  const isChange = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'dry_run');
  const creations = api.operations.filter(
    (operation) =>
      operation.method === 'POST' &&
      !operation.path.includes('{') &&
      operation.name !== 'POST /api/backups' &&
      isChange(operation) &&
      !isOfBuilds(operation),
  );
  for (let round = 0; round < 3; round++) for (const operation of creations) await ask(operation);
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, 'N');
}
