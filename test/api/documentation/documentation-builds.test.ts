// The examples of builds in the OpenAPI document, sent to a server that has the run they describe, and their failures provoked.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXAMPLE_OTHER_USER } from '../../../src/api/engine/failures.ts';
import { TestReportTable } from '../../../src/store/builds/test-reports.ts';
import { git, job, MANUAL, stage } from '../../builds/engine/lab.ts';
import { EXAMPLE_AGENT, type ExampleRuns, startExampleRuns } from '../../support/builds/example-runs.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { EMPTY_ARCHIVE } from '../../support/requests/empty-archive.ts';
import { addressOf, contentOf, isOfBuilds, OpenApi, type Operation, type Response, takesHeader } from '../../support/requests/openapi.ts';
import type { Ask, Reply, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

let runs: ExampleRuns;
let server: TestServer;
let api: OpenApi;
let stranger: string;
const sent = new Set<string>();
before(async () => {
  runs = await startExampleRuns({ 'trust-proxy': 'true' });
  server = runs.lab.server;
  api = await OpenApi.of(server);
  stranger = await addUser(server, EXAMPLE_OTHER_USER);
});
after(() => runs.lab.stop());

const CONFIRM = { 'X-Svc-Confirm': 'true' };
/** Agents speak these: their tests are those of the protocol. */
const ofAgents = ({ path }: Operation) => path.startsWith('/agent/');
const operations = () => api.operations.filter((one) => isOfBuilds(one) && !ofAgents(one));

async function ask(operation: Operation, different: Ask = {}, query = ''): Promise<Reply> {
  const { request, method, success } = operation;
  const content = request?.example === undefined ? {} : await contentOf(request);
  return server.ask(method, addressOf(operation) + query, {
    ...content,
    ...(success.type && { accept: success.type }),
    ...different,
    headers: {
      ...content.headers,
      ...(takesHeader(operation, 'X-Svc-Confirm') && CONFIRM),
      ...(takesHeader(operation, 'If-Match') && { 'If-Match': '*' }),
      ...different.headers,
    },
  });
}

function compare({ name, success }: Operation, reply: Reply): void {
  const { type, headers = {}, schemaAt, body, status } = success;
  assert.equal(reply.status, status, `${name}: ${reply.text}`);
  for (const header of Object.keys(headers)) assert.ok(reply.headers.has(header), `${name} answers without ${header}`);
  assert.equal(reply.headers.get('content-type')?.split(';')[0], type, name);
  const answer = reply.json ?? reply.text;
  assert.deepEqual(api.problems(schemaAt, answer), [], name);
  if (body.example === undefined) return;
  // Addresses and times are those of the server: the tests of the feeds check their contents.
  if (type?.endsWith('xml')) assert.equal(rootOf(String(answer)), rootOf(String(body.example)), name);
  else if (typeof body.example.message === 'string' || typeof answer === 'string') assert.deepEqual(answer, body.example, name);
  else assert.deepEqual(shapeOf(answer), shapeOf(body.example), name);
}

function rootOf(xml: string): string | undefined {
  return /<([a-zA-Z]+)/.exec(xml)?.[1];
}

/** The names of the members. The schema checks the elements of lists, and the details of the current build of an agent. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return 'value';
  const members = Object.entries(value).filter(([key]) => key !== 'build_details');
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, member]) => [key, shapeOf(member)]));
}

/** The preparation that an example needs; it may return another address, with the answer expected there. */
const PREPARATIONS: Readonly<Record<string, (operation: Operation) => Promise<Operation> | Operation>> = {
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/why': waitingJob,
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': leftFile,
  'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': realArchive,
  'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': anotherFile,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/artifact_view': viewedFile,
  'GET /artifact_view/{address}': addressedFile,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/tests': withTests,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/search': (operation) => ({
    ...operation,
    path: `${operation.path}?search=slipway`,
  }),
  'GET /api/pipelines/{pipeline_name}/tests/history': async (operation) => ({
    ...(await withTests(operation)),
    path: `${operation.path}?name=countsItems&class=org.example.CartTest`,
  }),
  'GET /api/materials/{fingerprint}/value_stream_map/{revision}': async (operation) =>
    withParameters(operation, { fingerprint: await runs.lab.fingerprintOf('web'), revision: await runs.origin.tip() }),
  'POST /api/pipelines/{pipeline_name}/unlock': lockedPipeline,
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-failed-jobs': failedRun,
  'POST /api/agents/{uuid}/kill_running_tasks': cancelledJob,
  'DELETE /api/agents/{uuid}': disabledAgent,
  'DELETE /api/agents': againDisabledAgent,
};

/** The requested run is built at once, so that nothing is under way when the next request comes. */
const BUILDS = /\/(?:schedule|run|run-failed-jobs|run-selected-jobs)$/;

const withParameters = (operation: Operation, values: Readonly<Record<string, string>>): Operation => ({
  ...operation,
  parameters: operation.parameters.map((one) => (one.in === 'path' && values[one.name] ? { ...one, example: values[one.name]! } : one)),
});

const withReplacedExample = (operation: Operation, from: string, to: string): Operation => {
  const { success } = operation;
  const example = JSON.parse(JSON.stringify(success.body.example).replaceAll(from, to));
  return { ...operation, success: { ...success, body: { ...success.body, example } } };
};

/** No agent has the resource that its job needs. */
async function waitingJob(operation: Operation): Promise<Operation> {
  const { lab, origin } = runs;
  await lab.pipeline('heavy', { materials: [git(origin)], stages: [stage('build', { jobs: [job('compile', { resources: ['gpu'] })] })] });
  await lab.run('heavy', 1);
  return withParameters(operation, { pipeline_name: 'heavy' });
}

async function leftFile(operation: Operation): Promise<Operation> {
  const reply = await server.ask('PUT', addressOf(operation), { text: 'hello', headers: { 'Content-Type': 'application/octet-stream' } });
  return { ...operation, description: accepted(reply).text };
}

/** The file whose address the example asks for. */
async function viewedFile(operation: Operation): Promise<Operation> {
  accepted(await server.ask('PUT', '/files/web/1/build/1/compile/viewed.html', { text: 'hello' }));
  return { ...operation, path: `${operation.path}?path=viewed.html` };
}

async function addressedFile(operation: Operation): Promise<Operation> {
  accepted(await server.ask('PUT', '/files/web/1/build/1/compile/addressed.bin', { text: 'hello' }));
  const { url } = accepted(await server.get('/api/jobs/web/1/build/1/compile/artifact_view?path=addressed.bin')).json;
  return { ...operation, path: url.slice(server.url.length) };
}

/** The operation with another file, for that of the example exists by now. */
function anotherFile(operation: Operation): Operation {
  const { request } = operation;
  const { file_checksum: checksum, ...files } = request!.example;
  const example = { ...files, file_checksum: checksum.replace('app.bin', 'new.bin') };
  return {
    ...withReplacedExample(withParameters(operation, { path: 'new.bin' }), 'app.bin', 'new.bin'),
    request: { ...request!, example },
  };
}

function realArchive(operation: Operation): Operation {
  return { ...operation, request: { ...operation.request!, example: { zipfile: EMPTY_ARCHIVE } } };
}

/** The first job has reported its test results. */
async function withTests(operation: Operation): Promise<Operation> {
  const { database } = runs.lab.parts;
  const { id, pipeline_key: key } = await database.query.selectFrom('jobs').selectAll().orderBy('id').limit(1).executeTakeFirstOrThrow();
  const reports = new TestReportTable(database);
  await database.writeRelaxed([reports.expect(id, '[]')]);
  await reports.clear(id);
  const failure = { message: 'expected: <3> but was: <2>', trace: null };
  await reports.add(id, key, [
    { position: 0, class: 'org.example.CartTest', name: 'countsItems', result: 'failed', duration_ms: 12, ...failure },
  ]);
  await reports.finish(id, 1, { total: 1, failed: 1, skipped: 0, duration_ms: 12, problems: '[]', slowest: '[]' });
  return operation;
}

async function failedOnce(): Promise<number> {
  const { lab } = runs;
  const counter = (await lab.runs('web')).length + 1;
  await lab.request('web');
  await runs.agent.complete(await runs.agent.take(), 'Failed');
  await lab.result('web', counter, 'build');
  return counter;
}

async function lockedPipeline(operation: Operation): Promise<Operation> {
  const { lab, origin, agent } = runs;
  const stages = [stage('build'), stage('deploy', MANUAL)];
  await lab.pipeline('locked', { materials: [git(origin)], stages, lock_behavior: 'lockOnFailure' });
  await lab.run('locked', 1);
  await agent.complete(await agent.take(), 'Failed');
  await lab.result('locked', 1, 'build');
  return withReplacedExample(withParameters(operation, { pipeline_name: 'locked' }), 'web', 'locked');
}

async function failedRun(operation: Operation): Promise<Operation> {
  const counter = String(await failedOnce());
  return withReplacedExample(withParameters(operation, { pipeline_counter: counter }), 'web/1/', `web/${counter}/`);
}

async function cancelledJob(operation: Operation): Promise<Operation> {
  const { lab, agent } = runs;
  const counter = (await lab.runs('web')).length + 1;
  await lab.request('web');
  const work = await agent.take();
  await agent.begin(work);
  accepted(await server.ask('POST', `/api/stages/web/${counter}/build/1/cancel`, { headers: CONFIRM }));
  return operation;
}

async function disabledAgent(operation: Operation): Promise<Operation> {
  await runs.agent.complete(runs.agent.works.at(-1)!, 'Cancelled');
  accepted(await server.patch(`/api/agents/${EXAMPLE_AGENT}`, { agent_config_state: 'Disabled' }));
  return operation;
}

async function againDisabledAgent(operation: Operation): Promise<Operation> {
  await runs.lab.agent({ uuid: EXAMPLE_AGENT });
  accepted(await server.patch(`/api/agents/${EXAMPLE_AGENT}`, { agent_config_state: 'Disabled' }));
  return operation;
}

async function sendExample(named: Operation): Promise<void> {
  sent.add(named.name);
  const operation = (await PREPARATIONS[named.name]?.(named)) ?? named;
  compare(operation, await ask(operation));
  if (takesHeader(operation, 'If-None-Match') && !HAS_OWN_ADDRESS.has(named.name)) await compareTags(operation);
  if (!BUILDS.test(named.path)) return;
  const { agent, lab } = runs;
  await agent.complete(await agent.take());
  await until('the end of the stage', () => lab.engine.state.active.ofPipeline('web').length === 0);
}

/** The address of the server is what these show. */
const HAS_OWN_ADDRESS: ReadonlySet<string> = new Set([
  'GET /api/admin/agent_registration',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/artifact_view',
]);

/** The ETag depends on the content, not on the name by which a client knows the server. */
async function compareTags(operation: Operation): Promise<void> {
  const names = ['cd.example.org', 'builds.example.net:8153'];
  const [first, other] = await Promise.all(names.map((host) => ask(operation, { headers: { 'X-Forwarded-Host': host } })));
  assert.match(first!.etag!, /^"[^"]+"$/, operation.name);
  assert.equal(other!.etag, first!.etag, operation.name);
}

test('every GET is answered as the document shows', async () => {
  for (const operation of operations().filter(({ method }) => method === 'GET')) {
    await sendExample(operation);
  }
});

test('failures are answered with the status and the words that are shown', async () => {
  const wrong: string[] = [];
  let provoked = 0;
  for (const operation of operations()) {
    for (const failure of operation.others) {
      const provoke = failure.body.example && PROVOCATIONS[failure.status];
      if (!provoke) continue;
      const reply = await provoke(operation, failure.body.example);
      provoked++;
      if (reply.status !== failure.status) wrong.push(`${operation.name}: ${reply.status} instead of ${failure.status}: ${reply.text}`);
      else wrong.push(...differences(operation, failure, reply));
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(provoked > 90, `${provoked} provoked`);
});

test('every write is answered as the document shows', async () => {
  // A PATCH decides which jobs the agent gets; the agent is deleted before the key changes with which it registers again.
  const turns = [/^POST (?!.*\/(?:kill_|rotate))/, /^PUT/, /kill_/, /^PATCH/, /^DELETE .*\{/, /^DELETE [^{]*$/, /rotate/];
  const writes = operations().filter(({ method }) => method !== 'GET');
  const inOrder = turns.flatMap((turn) => writes.filter(({ name }) => turn.test(name)));
  for (const operation of inOrder) await sendExample(operation);
});

test('every operation of builds was tried', () => {
  const left = operations().filter(({ name }) => !sent.has(name));
  assert.deepEqual(
    left.map(({ name }) => name),
    [],
  );
});

interface Shown {
  readonly message: string;
  readonly supported?: unknown;
}

/** How failures are provoked; the tests of runs, stages and agents provoke those that need a state of their own. */
const PROVOCATIONS: Readonly<Record<number, (operation: Operation, example: Shown) => Promise<Reply>>> = {
  401: (operation) => ask(operation, { as: '' }),
  403: (operation) => ask(operation, { as: stranger }),
  404: (operation, { message, supported }) => {
    if (supported) return ask(operation, { accept: 'application/vnd.svc.v99+json' });
    if (!operation.path.includes('{')) return ask(operation, { body: { ...operation.request!.example, uuids: ['unknown'] } });
    const [, unknown = 'unknown'] = /'([^'/]*)'/.exec(message) ?? [];
    return ask(withParameters(operation, { pipeline_name: unknown, uuid: unknown }));
  },
  415: (operation) => ask(operation, { headers: { 'Content-Type': 'text/plain' } }),
};

function differences({ name }: Operation, { status, schemaAt, body }: Response, reply: Reply): string[] {
  const shown = reply.json ?? reply.text;
  const at = `${name} ${status}`;
  const isSame = JSON.stringify(shown) === JSON.stringify(body.example);
  return [
    ...api.problems(schemaAt, shown).map((problem) => `${at}: ${problem}`),
    ...(isSame ? [] : [`${at}: ${JSON.stringify(shown)} instead of ${JSON.stringify(body.example)}`]),
  ];
}
