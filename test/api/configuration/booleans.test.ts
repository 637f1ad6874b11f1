// Every boolean of every body, as the OpenAPI document shows them: nothing but true and false is taken for one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kinds } from '../../support/configuration/samples.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { addressOf, OpenApi, type Operation, type Schema } from '../../support/requests/openapi.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';

/** One boolean in the body of an operation. */
interface Leaf {
  readonly name: string;
  /** A body with nothing but the way to the boolean, and this value in its place. */
  holding(value: unknown): unknown;
}

const WRONG: readonly unknown[] = [1, 0, 'yes', 'true', 'FALSE', '', [], {}];
/** GoCD takes texts for this one, because people set it from a form of its own pages. */
const TEXTS_COUNT = 'email_me';

/** Users have the name of all other samples. */
const ACCOUNT = 'sample-program';

let server: TestServer;
let api: OpenApi;
let filter: number;
before(async () => {
  server = await TestServer.start();
  api = await OpenApi.of(server);
  for (const { shape, path, sample } of kinds) {
    for (const [neededPath, needed] of Object.entries(sample.needs ?? {})) accepted(await server.post(neededPath, needed));
    const body = sample.body(1);
    accepted(shape === 'singleton' ? await server.put(path, body, '*') : await server.post(path, sample.wrap?.(body) ?? body));
  }
  await addUser(server, 'sample');
  accepted(await server.post('/api/admin/service_accounts', { name: ACCOUNT }));
  const content = { pipeline: '[Any Pipeline]', stage: '[Any Stage]', event: 'All', match_commits: true };
  filter = accepted(await server.post('/api/notification_filters', content)).json.id;
});
after(() => server.stop());

/** The path of polls, which want the token of an agent first; test/agents tries their members. */
const POLL_PATH = '/agent/v1/poll';

test('a text or a number for a boolean gets 422 that names the member, and changes nothing', async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const operation of api.operations.filter(({ method, path }) => method !== 'GET' && path !== POLL_PATH)) {
    for (const leaf of leavesOf(operation)) {
      for (const value of WRONG) {
        if (leaf.name === TEXTS_COUNT && ['true', 'FALSE'].includes(String(value))) continue;
        const reply = await send(operation, leaf.holding(value));
        tried++;
        if (!isRefused(reply, leaf.name))
          wrong.push(`${operation.name} ${leaf.name} ${JSON.stringify(value)}: ${reply.status} ${reply.text}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(tried > 500, `${tried} tried`);
});

describe('a secret', () => {
  const SECRET = 'not-to-be-stored-in-clear';

  test('is not stored in clear, nor repeated, when `secure` is no boolean', async () => {
    for (const secure of WRONG) {
      const variables = [{ name: 'KEY', secure, value: SECRET }];
      refused(await server.post('/api/admin/environments', { name: 'careless', environment_variables: variables }), 'secure');
      const patch = { environment_variables: { add: variables } };
      refused(await server.patch('/api/admin/environments/sample', patch), 'secure');
    }
    assert.equal((await server.get('/api/admin/environments/careless')).status, 404);
  });

  for (const mark of ['secure', 'is_secure']) {
    test(`is not stored in clear, nor repeated, when \`${mark}\` of a property is no boolean`, async () => {
      for (const value of WRONG) {
        const configuration = [{ key: 'anything', value: SECRET, [mark]: value }];
        refused(await server.put('/api/admin/config_repos/sample', { ...repo(), configuration }, '*'), mark);
      }
      const configuration = [{ key: 'anything', value: SECRET, [mark]: true }];
      const { json } = accepted(await server.put('/api/admin/config_repos/sample', { ...repo(), configuration }, '*'));
      assert.deepEqual(Object.keys(json.configuration[0]), ['key', 'encrypted_value']);
    });
  }

  const repo = () => kinds.find(({ name }) => name === 'configRepos')!.sample.body(1);

  function refused(reply: Reply, member: string): void {
    assert.ok(isRefused(reply, member), reply.text);
    assert.ok(!reply.text.includes(SECRET), reply.text);
  }
});

test('email_me may also be a text, as some clients send it', async () => {
  for (const [text, flag] of [
    ['TRUE', true],
    ['false', false],
  ] as const) {
    assert.equal(accepted(await server.patch('/api/current_user', { email_me: text })).json.email_me, flag);
  }
});

/** A plan is an answer, also when nothing can come of it. */
function isRefused({ status, text, json }: Reply, member: string): boolean {
  const messages = [
    `Could not read property '${member}' as a Boolean`,
    'does not look like a boolean',
    `\`${member}\` must be true or false.`,
  ];
  return (status === 422 || (status === 200 && json.errors?.length > 0)) && messages.some((message) => text.includes(message));
}

async function send(operation: Operation, part: unknown): Promise<Reply> {
  const { method, request } = operation;
  const isPatch = request!.type.includes('merge-patch');
  const body = isPatch ? part : merged(request!.example, part);
  const path = operation.path.startsWith('/api/notification_filters/')
    ? `/api/notification_filters/${filter}`
    : addressOf(withSample(operation));
  return server.ask(method, `${path}?dry_run=true`, {
    text: JSON.stringify(body),
    headers: { 'Content-Type': request!.type, 'If-Match': '*' },
  });
}

function withSample(operation: Operation): Operation {
  const example = operation.path.includes('/service_accounts/') ? ACCOUNT : 'sample';
  const parameters = operation.parameters.map((parameter) => (parameter.in === 'path' ? { ...parameter, example } : parameter));
  return { ...operation, parameters };
}

function leavesOf({ request }: Operation): Leaf[] {
  return request?.schema && request.type.includes('json') ? [...leavesIn(request.schema, '', (value) => value)] : [];
}

/** The booleans of a schema. `name` is the member it stands in, `around` puts a value to its place in the body. */
function* leavesIn(given: Schema, name: string, around: Leaf['holding']): Generator<Leaf> {
  const schema = given.$ref ? api.document.components.schemas[given.$ref.split('/').at(-1)] : given;
  if (schema.type === 'boolean') yield { name, holding: around };
  for (const variant of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) yield* leavesIn(variant, name, around);
  if (schema.items) yield* leavesIn(schema.items, name, (value) => around([value]));
  const { properties = {}, required = [] } = schema;
  const besides = Object.fromEntries(required.map((member: string) => [member, properties[member].const ?? 'sample']));
  for (const [member, inner] of Object.entries<Schema>(properties)) {
    yield* leavesIn(inner, member, (value) => around(name === '' ? { [member]: value } : { ...besides, [member]: value }));
  }
}

/** The members of a body and of its example: a member of both is merged where both values are objects. */
function merged(example: unknown, part: unknown): unknown {
  if (!isObject(example) || !isObject(part)) return part;
  return { ...example, ...Object.fromEntries(Object.entries(part).map(([name, value]) => [name, merged(example[name], value)])) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
