// Builds under load while the server and its agents are killed at any moment: afterwards everything has come to its end, once.
// More often: BUILD_KILLS=200 npm test -- test/stories/build-kill.test.ts
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { type AgentProcess, spawnAgent } from '../support/builds/agent-process.ts';
import { isEmbedded } from '../support/database/database.ts';
import { isStored, rowsIn } from '../support/database/sql.ts';
import { basic } from '../support/requests/basic.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';

/** Fewer on PostgreSQL: only the database differs there, and it is not killed. */
const ROUNDS = Number(process.env.BUILD_KILLS ?? (isEmbedded ? 20 : 4));
const VICTIMS = ['server', 'agent', 'both'] as const;
const MAX_ROUND_MS = 500;
const COMMIT_EVERY_MS = 400;
const LINES = 15;
const SECRET = 'kept-9f1c3e7a5b';
const AGENTS = 2;

const directory = mkdtempSync(join(tmpdir(), 'slipway-build-kill-'));
const dataDir = join(directory, 'data');
const built = join(directory, 'built');
const outputs: string[] = [];
let port: number;
let server: ServerProcess;
let origins: readonly GitOrigin[];
const agents: AgentProcess[] = [];

before(async () => {
  port = await freePort();
  writeFileSync(built, '');
  origins = [await GitOrigin.make(join(directory, 'one')), await GitOrigin.make(join(directory, 'two'))];
  for (const origin of origins) await origin.commit('first', { file: '0' });
  await startServer();
  await makePipelines();
});
after(async () => {
  for (const { child } of agents) child.kill('SIGKILL');
  await server.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

async function startServer(): Promise<void> {
  server = await startProcess(dataDir, ['--port', String(port), '--local-repositories', directory, '--allow-loopback', 'true']);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function ask(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      Accept: 'application/vnd.svc+json',
      Authorization: basic('admin', 'secret'),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  // On PostgreSQL, no server does the background work until the lease of the killed server has ended.
  if (response.status === 503) {
    await pause(COMMIT_EVERY_MS);
    return ask(method, path, body);
  }
  assert.ok(response.status < 300, JSON.stringify(json));
  return json;
}

/** Says that it was run, prints numbered lines, and tries to show a secret. */
const SCRIPT = `echo "$GO_PIPELINE_NAME/$GO_PIPELINE_COUNTER/$GO_STAGE_NAME/$GO_STAGE_COUNTER/$GO_JOB_NAME" >> "$BUILT"
for i in $(seq 1 ${LINES}); do printf 'line %03d of %s end\\n' $i "$HIDDEN"; sleep 0.01; done`;

async function makePipelines(): Promise<void> {
  const material = ({ path }: GitOrigin, destination: string) => ({
    type: 'git',
    attributes: { url: path, branch: 'main', auto_update: false, destination },
  });
  const dependency = (pipeline: string, stage: string) => ({ type: 'dependency', attributes: { pipeline, stage } });
  const job = (name: string) => ({ name, tasks: [{ type: 'exec', attributes: { command: 'sh', arguments: ['-c', SCRIPT] } }] });
  const stage = (name: string, ...jobs: readonly string[]) => ({ name, jobs: jobs.map(job) });
  const environment_variables = [
    { name: 'BUILT', value: built, secure: false },
    { name: 'HIDDEN', value: SECRET, secure: true },
  ];
  const add = (name: string, more: object) =>
    ask('POST', '/api/admin/pipelines', { group: 'g', pipeline: { name, environment_variables, ...more } });
  const [one, two] = origins.map((origin, index) => material(origin, `source-${index}`));
  await add('staged', {
    materials: [one],
    stages: [stage('build', 'compile'), stage('test', 'unit', 'e2e')],
    lock_behavior: 'unlockWhenFinished',
  });
  await add('wide', { materials: [one, two], stages: [stage('build', 'a', 'b', 'c')] });
  await add('below', { materials: [dependency('staged', 'test'), dependency('wide', 'build')], stages: [stage('join', 'all')] });
}

async function startAgent(context: TestContext, index: number, key = ''): Promise<void> {
  agents[index] = spawnAgent(context, { url: `http://127.0.0.1:${port}` }, join(directory, `agent-${index}`), { key });
}

/** Commits, and notifies the server of them as far as it is there. */
async function load(signal: AbortSignal): Promise<number> {
  let count = 0;
  for (; !signal.aborted; await pause(COMMIT_EVERY_MS)) {
    await origins[++count % origins.length]!.commit(`change ${count}`, { file: String(count) });
    await notify().catch(() => {}); // it is notified again at the end
  }
  return count;
}

async function notify(): Promise<void> {
  for (const { path } of origins) await ask('POST', '/api/admin/materials/git/notify', { repository_url: path });
}

async function killAndStart(context: TestContext, round: number): Promise<void> {
  await pause(Math.random() * MAX_ROUND_MS);
  const victims = VICTIMS[round % VICTIMS.length];
  const index = round % AGENTS;
  if (victims !== 'agent') {
    await server.end('SIGKILL');
    outputs.push(server.output());
  }
  if (victims !== 'server') {
    agents[index]!.child.kill('SIGKILL');
    await agents[index]!.ended;
  }
  if (victims !== 'server' && Math.random() < 0.5) await startAgent(context, index);
  if (victims !== 'agent') await startServer();
  if (agents[index]!.child.exitCode !== null || agents[index]!.child.signalCode !== null) await startAgent(context, index);
}

const rows = <T>(sql: string) => rowsIn(dataDir, sql) as Promise<readonly unknown[]> as Promise<readonly T[]>;

/** Nothing is under way, and nothing is left to be triggered. */
async function atRest(): Promise<boolean> {
  const tips = await Promise.all(origins.map((origin) => origin.tip()));
  const used = await rows<{ revision: string }>(
    `select m.revision from run_revisions r join modifications m on m.id = r.last where r.pipeline_key = 'wide' order by r.run_id desc, r.position limit 2`,
  );
  const below = await rows<{ revision: string }>(
    `select m.revision from run_revisions r join modifications m on m.id = r.last where r.pipeline_key = 'below' order by r.run_id desc, r.position limit 2`,
  );
  const newest = await rows<{ name: string; counter: number }>(
    'select pipeline_key as name, max(counter) as counter from runs group by pipeline_key',
  );
  const last = (name: string) => newest.find((one) => one.name === name)?.counter;
  const isAllBuilt =
    tips.every((tip) => used.some(({ revision }) => revision === tip)) &&
    below.some(({ revision }) => revision === `staged/${last('staged')}/test/1`) &&
    below.some(({ revision }) => revision === `wide/${last('wide')}/build/1`);
  // Last: a run that was scheduled just before counts as begun.
  return isAllBuilt && (await rows('select id from stage_runs where completed_at is null')).length === 0;
}

test(`${ROUNDS} kills of server and agents under load break nothing`, async (context) => {
  const { auto_register_key: key } = await ask('GET', '/api/admin/agent_registration');
  for (let index = 0; index < AGENTS; index++) await startAgent(context, index, key);
  await notify();
  await until('the first build', () => readFileSync(built, 'utf8') !== '');
  const loading = new AbortController();
  const loaded = load(loading.signal);
  for (let round = 0; round < ROUNDS; round++) await killAndStart(context, round);
  loading.abort();
  assert.ok((await loaded) > 0);
  await notify();
  await until('rest', atRest);
  await checkCounters();
  await checkJobs();
  await checkStages();
  assert.deepEqual(await rows('select * from pipeline_locks'), [], 'a lock that nobody holds');
  assert.deepEqual(await rows('select * from trigger_requests'), []);
  assert.deepEqual(await rows('select job_id from job_plans'), [], 'plans of jobs that have ended');
  assert.equal(await isStored(dataDir, SECRET), false, 'a secret in the database');
  await server.end('SIGTERM');
  outputs.push(server.output());
  checkSecret();
});

async function checkCounters(): Promise<void> {
  const runs = await rows<{ key: string; counter: number }>('select pipeline_key as key, counter from runs order by pipeline_key, counter');
  const last = await rows<{ key: string; last: number }>('select key, last from pipeline_counters');
  for (const [key, some] of Map.groupBy(runs, (run) => run.key)) {
    assert.deepEqual(
      some.map(({ counter }) => counter),
      some.map((_, index) => index + 1),
      `counters of ${key}`,
    );
    assert.equal(last.find((one) => one.key === key)?.last, some.length);
  }
}

interface JobOfRun {
  readonly locator: string;
  readonly state: string;
  readonly result: string;
}

/** Each was built as often as it was given out, and its console has all lines of the last time. */
async function checkJobs(): Promise<void> {
  const jobs = await rows<JobOfRun>(
    `select r.pipeline || '/' || r.counter || '/' || s.stage || '/' || s.counter || '/' || j.name as locator, j.state, j.result
     from jobs j join stage_runs s on s.id = j.stage_run_id join runs r on r.id = s.run_id order by j.id`,
  );
  const times = Map.groupBy(readFileSync(built, 'utf8').trim().split('\n'), (line) => line);
  for (const [locator, same] of Map.groupBy(jobs, (job) => job.locator)) {
    const [last, ...earlier] = same.toReversed();
    assert.deepEqual([last!.state, last!.result], ['Completed', 'Passed'], `${locator}\n${consoleOf(locator)}`);
    for (const { state } of earlier) assert.equal(state, 'Rescheduled', locator);
    const count = times.get(locator)?.length ?? 0;
    assert.ok(count >= 1 && count <= same.length, `${locator} was built ${count} times, and given out ${same.length} times`);
    checkConsole(locator, same.length);
  }
}

function consoleOf(locator: string): string {
  const path = join(dataDir, 'artifacts', 'pipelines', locator, 'cruise-output', 'console.log');
  return existsSync(path) ? readFileSync(path, 'utf8') : '(none)';
}

function checkConsole(locator: string, maxTimes: number): void {
  const text = consoleOf(locator);
  const numbers = [...text.matchAll(/line (\d+) of \*+ end\n/g)].map(([, number]) => Number(number));
  let [expected, times] = [1, 1];
  for (const number of numbers) {
    if (number === 1 && expected !== 1) [expected, times] = [1, times + 1];
    assert.equal(number, expected, `a line is lost or doubled in ${locator}:\n${text}`);
    expected++;
  }
  assert.equal(expected - 1, LINES, `the last time is whole in ${locator}:\n${text}`);
  assert.ok(times <= maxTimes, locator);
}

async function checkStages(): Promise<void> {
  const stages = await rows<{ run: number; stage: string; result: string; key: string }>(
    'select run_id as run, stage, result, pipeline_key as key from stage_runs order by id',
  );
  for (const { run, stage, result, key } of stages) {
    assert.equal(result, 'Passed');
    if (key === 'staged' && stage === 'build')
      assert.ok(
        stages.some((other) => other.run === run && other.stage === 'test'),
        `the stage after build in the run ${run}`,
      );
  }
}

function checkSecret(): void {
  for (const output of outputs) assert.ok(!output.includes(SECRET), 'in the log of the server');
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) assert.ok(!readFileSync(file).includes(SECRET), `in ${file}`);
  }
  for (let index = 0; index < AGENTS; index++) assert.ok(!agents[index]!.output().includes(SECRET), 'in the log of an agent');
}
