// The failures of builds that need something first, and those of agents, as the OpenAPI document shows them: provoked on a running server.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { tokenOf } from '../../../src/api/endpoints/artifacts/view/token.ts';
import type { Work } from '../../../src/contracts/agent-protocol/work.ts';
import { openCipher } from '../../../src/kit/bytes/cipher.ts';
import { git, job, stage } from '../../builds/engine/lab.ts';
import { EXAMPLE_AGENT, type ExampleRuns, startExampleRuns } from '../../support/builds/example-runs.ts';
import { FakeAgent } from '../../support/builds/fake-agent.ts';
import { accepted } from '../../support/requests/callers.ts';
import { EMPTY_ARCHIVE } from '../../support/requests/empty-archive.ts';
import { askWithHugeBody } from '../../support/requests/huge-body.ts';
import { addressOf, contentOf, isOfBuilds, OpenApi, type Operation, type Response, takesHeader } from '../../support/requests/openapi.ts';
import { ADMIN_PASSWORD, type Ask, basic, type Reply, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const MORE_THAN_ANY_DISK_MB = '999999999';
const CONFIRM = { 'X-Svc-Confirm': 'true' };

let runs: ExampleRuns;
let server: TestServer;
/** Has no room on its disk. */
let full: TestServer;
let api: OpenApi;
/** Has a job, with a file in it. */
let busy: FakeAgent;
let work: Work;
/** Waits to be enabled. */
let pending: FakeAgent;
before(async () => {
  runs = await startExampleRuns();
  server = runs.lab.server;
  api = await OpenApi.of(server);
  full = await TestServer.start({ 'disk-warning-mb': MORE_THAN_ANY_DISK_MB, 'disk-full-mb': MORE_THAN_ANY_DISK_MB });
  while (!(await full.get('/api/server_health_messages')).text.includes('database')) await pause(20);
  pending = await FakeAgent.start({ url: server.url });
  await giveWork();
});
after(async () => {
  await Promise.all([pending.stop(), full.stop()]);
  await runs.lab.stop();
});

/** A running job with a fetch of an artifact that the job before has not left. */
async function giveWork(): Promise<void> {
  const { lab, origin } = runs;
  busy = await lab.agent({ resources: ['busy'] });
  const fetch = {
    type: 'fetch',
    attributes: { artifact_origin: 'gocd', stage: 'first', job: 'make', source: 'dist', is_source_a_file: false },
  };
  const [first, second] = [job('make', { resources: ['busy'] }), job('use', { resources: ['busy'], tasks: [fetch] })];
  await lab.pipeline('busy', { materials: [git(origin)], stages: [stage('first', { jobs: [first] }), stage('then', { jobs: [second] })] });
  await lab.run('busy', 1);
  await busy.finishNext();
  work = await busy.take();
  await busy.begin(work);
}

interface Shown {
  readonly message: string;
}

type Provoke = (operation: Operation, example: Shown) => Promise<Reply>;

const admin = basic('admin', ADMIN_PASSWORD);
const ofAgents = ({ path }: Operation) => path.startsWith('/agent/');

/** The request of the example, changed by `different`. */
async function ask(operation: Operation, different: Ask = {}, query = '', to = server): Promise<Reply> {
  const { request, method, success } = operation;
  const content = request?.example === undefined ? {} : await contentOf(request);
  return to.ask(method, addressOf(operation) + query, {
    ...content,
    ...(success.type && { accept: success.type }),
    ...different,
    headers: { ...content.headers, ...(takesHeader(operation, 'X-Svc-Confirm') && CONFIRM), ...different.headers },
  });
}

function withParameters(operation: Operation, values: Readonly<Record<string, string>>): Operation {
  const parameters = operation.parameters.map((one) => (one.in === 'path' ? { ...one, example: values[one.name] ?? one.example } : one));
  return { ...operation, parameters };
}

/** Sends requests between a beginning and an end, in the state between them. */
async function during(begin: () => Promise<unknown>, end: () => Promise<unknown>, provoke: () => Promise<Reply>): Promise<Reply> {
  await begin();
  try {
    return await provoke();
  } finally {
    await end();
  }
}

const confirmed = (path: string) => server.ask('POST', path, { headers: CONFIRM });
const paused = (provoke: () => Promise<Reply>) =>
  during(
    async () => accepted(await server.post('/api/pipelines/web/pause', { pause_cause: 'x' })),
    () => confirmed('/api/pipelines/web/unpause'),
    provoke,
  );

/** The answer while the artifacts of the stage run are marked as deleted. */
async function purged(operation: Operation): Promise<Reply> {
  const { database } = runs.lab.parts;
  const mark = (is: number) =>
    database.writeTransaction([
      database.query.updateTable('stage_runs').set({ artifacts_deleted: is }).where('pipeline_key', '=', 'web').compile(),
    ]);
  return during(
    () => mark(1),
    () => mark(0),
    () => ask(operation),
  );
}

const badCounter: Provoke = (operation) => ask(withParameters(operation, { pipeline_counter: 'x' }));

const STAGE_RUN = '/api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}';
const JOB_FOLDER = '/files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}';
const JOB_FILE = `${JOB_FOLDER}/{path}`;

const BY_ROUTE: Readonly<Record<string, Provoke>> = {
  'POST /api/pipelines/{pipeline_name}/pause 409': (operation) => paused(() => ask(operation)),
  'POST /api/pipelines/{pipeline_name}/schedule 409': async (operation, { message }) => {
    // On a busy machine the first may have become a run before the second comes, which the lock of that run refuses then.
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask(operation)));
    await runs.agent.finishNext();
    await runs.lab.result('web', 2, 'build');
    return replies.find(({ status, json }) => status === 409 && json.message === message) ?? replies[0]!;
  },
  'POST /api/pipelines/{pipeline_name}/schedule 422': (operation) =>
    ask(operation, { body: { environment_variables: [{ name: 'COLOUR', value: 'red' }] } }),
  'POST /api/pipelines/{pipeline_name}/unlock 409': async (operation) => {
    const reply = await ask(withParameters(operation, { pipeline_name: 'busy' }));
    const text = reply.text.replace('busy', 'web');
    return { ...reply, text, json: JSON.parse(text) };
  },
  [`POST ${STAGE_RUN}/run-failed-jobs 409`]: async (operation) => {
    const { lab, agent } = runs;
    const counter = (await lab.runs('web')).length + 1;
    await lab.request('web');
    await agent.complete(await agent.take(), 'Failed');
    await lab.result('web', counter, 'build');
    return paused(() => ask(withParameters(operation, { pipeline_counter: String(counter) })));
  },
  'DELETE /api/agents 422': (operation) => ask(operation, { body: { uuids: [EXAMPLE_AGENT, busy.uuid] } }),
  [`GET ${JOB_FILE} 416`]: async (operation) => {
    accepted(await server.ask('PUT', addressOf(operation), { text: 'hello', headers: { 'Content-Type': 'application/octet-stream' } }));
    return ask(operation, { headers: { Range: 'bytes=100-' } });
  },
  'GET /artifact_view/{address} 410': async (operation) => {
    const cipher = openCipher(join(server.dataDir, 'cipher.key'));
    const over = { userKey: 'admin', job: 1, folder: '', expiresAt: 1 };
    return ask({ ...operation, path: `/artifact_view/${tokenOf(over, (text) => cipher.signAddress(text))}/app.bin` });
  },
  'GET /artifact_view/{address} 416': async (operation) => {
    accepted(await server.ask('PUT', '/files/web/1/build/1/compile/viewed.bin', { text: 'hello' }));
    const { url } = accepted(await server.get('/api/jobs/web/1/build/1/compile/artifact_view?path=viewed.bin')).json;
    return ask({ ...operation, path: url.slice(server.url.length) }, { headers: { Range: 'bytes=100-' } });
  },
  [`POST ${JOB_FILE} 400`]: async (operation) => {
    const { text, headers } = await contentOf({ ...operation.request!, example: { other: 'x' } });
    return ask(withPath(operation, 'other.bin'), { text: text!, headers: headers! });
  },
  [`POST ${JOB_FILE} 409`]: (operation) => {
    const { file_checksum: _, ...example } = operation.request!.example;
    return purged({ ...withPath(operation, 'other.bin'), request: { ...operation.request!, example } });
  },
  [`POST ${JOB_FOLDER} 400`]: async (operation) => {
    const { text, headers } = await contentOf({ ...operation.request!, example: { other: 'x' } });
    return ask(operation, { text: text!, headers: headers! });
  },
  [`POST ${JOB_FOLDER} 409`]: (operation) =>
    purged({ ...operation, request: { ...operation.request!, example: { zipfile: EMPTY_ARCHIVE } } }),
  'GET /api/pipelines/{pipeline_name}/compare/{from_counter}/{to_counter} 422': (operation) =>
    ask(withParameters(operation, { from_counter: 'x' })),
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/cruise-output/console.log 416': (operation) =>
    ask(operation, { headers: { Range: 'bytes=1000000000-' } }),
  'PUT /api/dashboard/views 422': (operation) => ask(operation, { body: { filters: [{}] }, headers: { 'If-Match': '*' } }),
  'PATCH /api/agents 400': (operation) => ask(operation, { body: { uuids: [EXAMPLE_AGENT] } }),
  'DELETE /api/agents 400': (operation) => ask(operation, { body: { uuids: [] } }),
  'PATCH /api/agents/{uuid} 400': (operation) => ask(operation, { body: {} }),
};

const PROVOCATIONS: Readonly<Record<number, Provoke>> = {
  400: (operation, { message }) => {
    if (message.includes('dry_run')) return ask(operation, {}, '?dry_run=maybe');
    if (message.includes('pipeline_counter')) return badCounter(operation, { message });
    return ask(operation, message.includes('not valid JSON') ? { body: undefined, text: '[]' } : {});
  },
  409: (operation, { message }) =>
    message.includes('is paused') ? paused(() => ask(operation)) : message.includes('were deleted') ? purged(operation) : ask(operation),
  412: (operation) => ask(operation, { headers: { 'If-Match': '"older"' } }),
  413: (operation, { message }) =>
    askWithHugeBody({
      method: operation.method,
      url: server.url + addressOf(operation),
      type: operation.request!.type,
      bytes: Number(/\d+/.exec(message) ?? 2 ** 52) + 1,
      as: admin,
    }),
  422: (operation, { message }) => {
    if (message.includes('pipeline counter')) return badCounter(operation, { message });
    if (message.includes('console.state')) return ask(withPath(operation, 'cruise-output/console.state'));
    return ask(operation);
  },
  507: (operation) => ask(operation, {}, '', full),
};

function withPath(operation: Operation, path: string): Operation {
  return { ...operation, path: operation.path.replace('{path}', path) };
}

async function provokeAll(operations: readonly Operation[], byRoute: typeof BY_ROUTE, common: typeof PROVOCATIONS): Promise<number> {
  const wrong: string[] = [];
  let provoked = 0;
  for (const operation of operations)
    for (const failure of operation.others) {
      const { status, body } = failure;
      const at = `${operation.name} ${status}`;
      if (status < 400 || !body.example || ELSEWHERE.has(at)) continue;
      const provoke = byRoute[at] ?? common[status];
      if (!provoke) {
        wrong.push(`${at} is shown, and nobody has provoked it`);
        continue;
      }
      const reply = await provoke(operation, body.example);
      provoked++;
      if (reply.status !== status) wrong.push(`${at}: ${reply.status} instead: ${reply.text}`);
      else wrong.push(...differences(at, failure, reply));
    }
  assert.deepEqual(wrong, []);
  return provoked;
}

function differences(at: string, { schemaAt, body }: Response, reply: Reply): string[] {
  const text = reply.text.replace(`${MORE_THAN_ANY_DISK_MB}MB`, '100MB');
  const shown = reply.json === undefined ? text : JSON.parse(text);
  return [
    ...api.problems(schemaAt, shown).map((problem) => `${at}: ${problem}`),
    ...(JSON.stringify(shown) === JSON.stringify(body.example)
      ? []
      : [`${at}: ${JSON.stringify(shown)} instead of ${JSON.stringify(body.example)}`]),
  ];
}

/** Other tests provoke the errors common to all routes, and on these routes those for missing rights and missing entities. */
const BY_OTHER_TESTS: ReadonlySet<number> = new Set([401, 403, 404, 415, 429, 500, 503, 504]);

test('refused requests of users are answered as the document shows', async () => {
  const operations = api.operations.filter((one) => isOfBuilds(one) && !ofAgents(one));
  const some = operations.map((one) => ({ ...one, others: one.others.filter(({ status }) => !BY_OTHER_TESTS.has(status)) }));
  const provoked = await provokeAll(some, BY_ROUTE, PROVOCATIONS);
  assert.ok(provoked > 40, `${provoked} provoked`);
});

/** Asks as the agent at work, about its job and the revision of it. */
async function askAsAgent(operation: Operation, different: Ask = {}, about: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const { request } = operation;
  const content = request?.type === 'application/json' && { body: { ...request.example, instance: busy.instance, epoch: work.epoch } };
  return ask(ofJob(operation, about), { accept: null, as: busy.authorization, ...content, ...different }, queryOf(operation, about));
}

function ofJob(operation: Operation, { job: id = String(work.job) }: Readonly<Record<string, string>>): Operation {
  return withParameters(operation, { job: id, fetch: '0' });
}

function queryOf({ parameters }: Operation, about: Readonly<Record<string, string>>): string {
  const known: Readonly<Record<string, string>> = { epoch: String(work.epoch), offset: '0', path: 'a.txt', ...about };
  const named = parameters.filter(({ name, in: location }) => location === 'query' && known[name] !== undefined);
  return `?${new URLSearchParams(named.map(({ name }) => [name, known[name]!]))}`;
}

const REGISTRATION = 'POST /agent/v1/registration';
const CONSOLE = 'PUT /agent/v1/jobs/{job}/console';
const FILE = 'PUT /agent/v1/jobs/{job}/artifacts/file';
const PUBLICATION = 'POST /agent/v1/jobs/{job}/artifacts/publication';

/** Published once, and then as something else. */
async function publishedTwice(operation: Operation): Promise<Reply> {
  const file = operation.request!.example.files[0];
  const send = (text: string) => askAsAgent(api.find(FILE), { text, body: undefined }, { path: file.path });
  const publish = (text: string) => {
    const digest = (name: string) => createHash(name).update(text).digest('hex');
    const files = [{ path: file.path, bytes: text.length, sha256: digest('sha256'), md5: digest('md5') }];
    return askAsAgent(operation, {
      body: { ...operation.request!.example, instance: busy.instance, epoch: work.epoch, files, folders: [] },
    });
  };
  await send('first');
  await publish('first');
  await send('other');
  return publish('other');
}

/** How much room there is, the server knows after its first look at the disk. */
function exceedFreeSpace(operation: Operation): Promise<Reply> {
  return until('the first look at the disk', async () => {
    const reply = await askAsAgent(operation, { headers: { 'X-Svc-Artifact-Size': String(10 ** 14) } });
    return reply.status === 413 && reply;
  });
}

const OWN_OF_AGENTS: Readonly<Record<string, Provoke>> = {
  [`${REGISTRATION} 409`]: (operation) => ask(operation, { as: '' }),
  [`${REGISTRATION} 403`]: (operation) => ask(operation, { as: busy.authorization }),
  // By another process than the one that has registered.
  'POST /agent/v1/poll 409': (operation) => ask(operation, { as: busy.authorization }),
  [`${CONSOLE} 409`]: async (operation) => {
    await busy.printAt(work, 0, 'x'.repeat(22));
    return askAsAgent(operation, {}, { offset: '100' });
  },
  [`${FILE} 413`]: exceedFreeSpace,
  'PUT /agent/v1/jobs/{job}/artifacts/archive 413': exceedFreeSpace,
  [`${PUBLICATION} 409`]: publishedTwice,
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/files 404': (operation) => askAsAgent(operation),
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/file 404': (operation) => askAsAgent(operation),
  'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive 404': (operation) => askAsAgent(operation),
};

function hugeOfAgent(operation: Operation, bytes: number): Promise<Reply> {
  const url = server.url + addressOf(ofJob(operation, {})) + queryOf(operation, {});
  return askWithHugeBody({ method: operation.method, url, type: operation.request!.type, bytes, as: busy.authorization });
}

const PROVOCATIONS_OF_AGENTS: Readonly<Record<number, Provoke>> = {
  400: (operation) => askAsAgent(operation, { body: undefined, text: '[]' }),
  401: (operation) => askAsAgent(operation, { as: 'Bearer 0123' }),
  403: (operation) => askAsAgent(operation, { as: pending.authorization }),
  404: (operation) => askAsAgent(operation, {}, { job: 'unknown' }),
  409: (operation) => askAsAgent(operation, {}, { job: '1' }),
  413: (operation, { message }) => hugeOfAgent(operation, Number(/\d+/.exec(message)) + 1),
  415: (operation) => askAsAgent(operation, { headers: { 'Content-Type': 'text/plain' } }),
};

/** Failures for which something must break, or be cut in the middle: the tests of these parts provoke them. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'POST /api/pipelines/{pipeline_name}/schedule 507',
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/run 507',
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-failed-jobs 507',
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-selected-jobs 507',
  `PUT ${JOB_FILE} 400`,
  `PUT ${JOB_FILE} 413`,
  `POST ${JOB_FILE} 413`,
  `POST ${JOB_FOLDER} 413`,
  // A folder with more files than fit into an archive: test/artifacts/many-files.test.ts.
  `GET ${JOB_FILE} 422`,
  // Two requests that send one file at the same time.
  `${FILE} 409`,
  // There is nothing to fetch here.
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/file 416',
]);

test('refused requests of agents are answered as the document shows', async () => {
  const operations = api.operations.filter(ofAgents);
  const some = operations.map((one) => ({
    ...one,
    others: one.others.filter(({ status }) => ![429, 500, 503, 504, 507].includes(status)),
  }));
  const provoked = await provokeAll(some, OWN_OF_AGENTS, PROVOCATIONS_OF_AGENTS);
  assert.ok(provoked > 40, `${provoked} provoked`);
});
