// Tests over HTTP: those of a job, flaky and slow ones, and the history of one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BuildRouteParts } from '../../../src/api/endpoints/runs/parts.ts';
import { testRoutes } from '../../../src/api/endpoints/tests/routes.ts';
import type { PipelineDefinition } from '../../../src/builds/configured.ts';
import { buildTables } from '../../../src/builds/runs/build-tables.ts';
import { TestReportTable } from '../../../src/store/builds/test-reports.ts';
import { TestResults } from '../../../src/store/builds/test-results.ts';
import type { Database } from '../../../src/store/database.ts';
import { MAX_SEARCHED_RESULTS } from '../../../src/test-reports/questions/first-failure.ts';
import { openTestDatabase } from '../../support/database/database.ts';
import { givePassword } from '../../support/requests/callers.ts';
import { OpenApi } from '../../support/requests/openapi.ts';
import { TestServer } from '../../support/server/server.ts';
import { BuildRows, resultOf } from '../../test-reports/build-rows.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-tests-'));
let database: Database;
let server: TestServer;
let viewer: string;
let stranger: string;
let pipelines = 0;

const exists = (name: string) => name.toLowerCase().startsWith('shop');
const pipelineOf = (name: string): PipelineDefinition => ({
  key: name.toLowerCase(),
  name: `Shop${name.slice(4)}`,
  group: 'first',
  labelTemplate: '',
  lockBehavior: 'none',
  timer: null,
  parameters: [],
  variables: [],
  stages: [],
  materials: [],
  definedBy: undefined,
});
const config: BuildRouteParts['config'] = {
  find: async (name) => (exists(name) ? pipelineOf(name) : undefined),
  at: async () => undefined,
  stagesOf: () => undefined,
  groupOf: (name) => (exists(name) ? 'first' : undefined),
  keys: () => [],
  materials: async () => [],
  usersOf: async () => [],
  below: async () => [],
  dependentsOf: () => [],
  environmentOf: () => undefined,
  pluginOfProfile: () => null,
  revision: 1,
  jobTimeout: 0,
};

before(async () => {
  database = await openTestDatabase(join(directory, 'test.db'));
  const routes = testRoutes({
    access: {
      mayView: ({ loginName }, { group }) => group === 'first' && ['admin', 'vera'].includes(loginName),
      may: () => false,
      mayOperate: () => false,
      passes: ({ loginName }) => loginName === 'admin',
    },
    config,
    tables: buildTables(database),
    reports: new TestReportTable(database),
    results: new TestResults(database),
  });
  server = await TestServer.start({}, { routes });
  viewer = givePassword(server, 'vera');
  stranger = givePassword(server, 'eve');
});
after(async () => {
  await server.stop();
  await database.close();
  rmSync(directory, { recursive: true });
});

/** A pipeline of its own for each test. */
function newPipeline(): { readonly name: string; readonly rows: BuildRows } {
  const number = ++pipelines;
  return { name: `Shop${number}`, rows: new BuildRows(database, `Shop${number}`, number * 100_000) };
}

const testsOf = (locator: string, query = '') => server.get(`/api/jobs/${locator}/tests${query}`);
const refusal = async (path: string) => {
  const { status, json } = await server.get(path);
  return [status, json.message];
};

describe('the tests of a job', () => {
  test('are counted, and failures are shown with the run they began in', async () => {
    const { name, rows } = newPipeline();
    await rows.tested(1, { adds: 'passed', pays: 'failed' });
    await rows.tested(2, { adds: 'failed', pays: 'failed' });
    await rows.tested(3, { adds: 'failed', pays: 'failed', ships: 'skipped', prints: 'passed' });
    const { status, json } = await testsOf(`${name}/3/test/1/unit`);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      _links: {},
      total: 4,
      failed: 2,
      skipped: 1,
      duration: 0.046,
      failures: [
        { name: 'adds', class: 'CartTest', duration: 0.01, message: 'adds failed', trace: 'at adds', first_failed_in: 2 },
        { name: 'pays', class: 'CartTest', duration: 0.011, message: 'pays failed', trace: 'at pays', first_failed_in: 1 },
      ],
      problems: [],
    });
    for (const same of [`${name.toLowerCase()}/latest/Test/latest/UNIT`, `${name}/3/test/latest/unit`])
      assert.deepEqual((await testsOf(same)).json, json);
  });

  test('come a page of failures at a time', async () => {
    const { name, rows } = newPipeline();
    const job = rows.job(rows.run(1));
    await rows.flush();
    await rows.report(
      job,
      Array.from({ length: 60 }, (_, position) => resultOf(position, `t${position}`, position % 2 ? 'failed' : 'passed')),
    );
    const names: string[] = [];
    let address: string | undefined = `${server.url}/api/jobs/${name}/latest/test/1/unit/tests?page_size=12`;
    let pages = 0;
    while (address) {
      const { json } = await server.get(address.slice(server.url.length));
      names.push(...json.failures.map((one: { name: string }) => one.name));
      assert.equal(json.failed, 30);
      address = json._links.next?.href;
      pages++;
    }
    assert.equal(pages, 3);
    assert.deepEqual(
      names,
      Array.from({ length: 30 }, (_, index) => `t${2 * index + 1}`),
    );
  });

  test('the tests of a job that was not run again are those of when it ran', async () => {
    const { name, rows } = newPipeline();
    const run = rows.run(1);
    const job = await rows.testedIn(run, { adds: 'failed' });
    rows.job(run, { stageCounter: 2, originalId: job.id });
    await rows.flush();
    const { status, json } = await testsOf(`${name}/1/test/2/unit`);
    assert.deepEqual([status, json.failures[0].first_failed_in], [200, 1]);
  });

  test('say when they may have failed for longer than was looked at', async () => {
    const { name, rows } = newPipeline();
    for (let index = 0; index < MAX_SEARCHED_RESULTS + 2; index++) await rows.tested(index, { adds: 'failed' });
    const [failure] = (await testsOf(`${name}/latest/test/1/unit`)).json.failures;
    assert.deepEqual([failure.first_failed_in, failure.may_have_failed_earlier], [2, true]);
  });

  test('are shown with the files that could not be read', async () => {
    const { name, rows } = newPipeline();
    const { job } = await rows.tested(1, { adds: 'passed' });
    const reports = new TestReportTable(database);
    const problems = [{ file: 'a.xml', message: 'The file is empty.' }];
    await database.writeRelaxed([reports.expect(job.id, '[]')]);
    assert.deepEqual(await refusal(`/api/jobs/${name}/1/test/1/unit/tests`), [
      404,
      `The test results of the job '${name}/1/test/1/unit' are being read. Try again later.`,
    ]);
    const early = (await testsOf(`${name}/1/test/1/unit`, '?allow_empty=true')).json;
    assert.deepEqual(
      [early.total, early.message],
      [0, `The test results of the job '${name}/1/test/1/unit' are being read. Try again later.`],
    );
    const counts = { total: 1, failed: 0, skipped: 0, duration_ms: 0, slowest: '[]' };
    await reports.finish(job.id, 1, { ...counts, problems: JSON.stringify(problems) });
    assert.deepEqual((await testsOf(`${name}/1/test/1/unit`)).json.problems, problems);
  });

  test('are refused for a missing job or pipeline', async () => {
    const { name, rows } = newPipeline();
    rows.job(rows.run(1));
    await rows.flush();
    const path = `/api/jobs/${name}/1/test/1/unit/tests`;
    assert.deepEqual(await refusal(path), [404, `There are no test results of the job '${name}/1/test/1/unit'.`]);
    const none = await server.get(`${path}?allow_empty=true`);
    assert.deepEqual([none.status, none.json.total, none.json.failures], [200, 0, []]);
    assert.equal(none.json.message, `There are no test results of the job '${name}/1/test/1/unit'.`);
    const api = await OpenApi.of(server);
    const operation = 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/tests';
    assert.deepEqual(api.problems(api.find(operation).success.schemaAt, none.json), []);
    assert.deepEqual(await refusal(`${path}?allow_empty=yes`), [
      400,
      'Value `yes` is not allowed for query parameter named `allow_empty`. Valid values are true, false.',
    ]);
    for (const locator of [`${name}/2/test/1/unit`, `${name}/1/other/1/unit`, `${name}/1/test/2/unit`, `${name}/1/test/1/other`])
      assert.deepEqual(await refusal(`/api/jobs/${locator}/tests`), [404, `No job instance was found for '${locator}'.`]);
    assert.deepEqual(await refusal('/api/jobs/other/1/test/1/unit/tests'), [404, "Pipeline with name 'other' was not found!"]);
    const noNumber = "The params 'stage_counter' must be a number greater than 0.";
    assert.deepEqual(await refusal(path.replace('test/1', 'test/0')), [400, noNumber]);
    for (const query of ['?page_size=9', '?page_size=101', '?after=x', '?before=1', '?form=1'])
      assert.equal((await server.get(path + query)).status, 400, query);
  });
});

describe('the tests of a pipeline', () => {
  test('are flaky ones, and the slowest of the newest reports', async () => {
    const { name, rows } = newPipeline();
    await rows.tested(1, { flaky: 'passed', broken: 'failed' });
    await rows.tested(1, { flaky: 'failed', broken: 'failed' });
    const slow = async (test: string, ms: number, stage: string) => {
      const job = rows.job(rows.run(2), { stage });
      await rows.flush();
      await rows.report(job, [resultOf(0, test, 'passed')], [{ class: 'CartTest', name: test, ms }]);
    };
    await slow('was slow', 9000, 'test');
    await slow('is slow', 1500, 'test');
    await slow('is slower', 2500, 'later');
    const { status, json } = await server.get(`/api/pipelines/${name}/tests`);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      flaky: [{ name: 'flaky', class: 'CartTest', passed: 1, failed: 1, last_failed_in: 2 }],
      is_cut: false,
      slowest: [
        { name: 'is slower', class: 'CartTest', duration: 2.5, counter: 5, stage: 'later', job: 'unit' },
        { name: 'is slow', class: 'CartTest', duration: 1.5, counter: 4, stage: 'test', job: 'unit' },
      ],
    });
  });

  test('are none where there are no results', async () => {
    const { name } = newPipeline();
    assert.deepEqual((await server.get(`/api/pipelines/${name}/tests`)).json, { flaky: [], is_cut: false, slowest: [] });
    assert.equal((await server.get(`/api/pipelines/${name}/tests?after=1`)).status, 400);
  });
});

describe('the history of a test', () => {
  test('has one entry for each run, a page at a time', async () => {
    const { name, rows } = newPipeline();
    for (let index = 0; index < 12; index++) await rows.tested(index, { 'adds & pays': index === 11 ? 'failed' : 'passed' });
    const first = await server.get(`/api/pipelines/${name}/tests/history?class=CartTest&name=adds%20%26%20pays`);
    assert.equal(first.status, 200);
    assert.deepEqual([first.json.name, first.json.class], ['adds & pays', 'CartTest']);
    assert.deepEqual(first.json.runs.slice(0, 2), [
      { counter: 12, label: 'label-12', result: 'failed', duration: 0.01, message: 'adds & pays failed' },
      { counter: 11, label: 'label-11', result: 'passed', duration: 0.01, message: null },
    ]);
    const second = await server.get(first.json._links.next.href.slice(server.url.length));
    assert.deepEqual(
      second.json.runs.map(({ counter }: { counter: number }) => counter),
      [2, 1],
    );
    assert.deepEqual(second.json._links, {});
  });

  test('is refused for a missing test or a wrong parameter', async () => {
    const { name, rows } = newPipeline();
    await rows.tested(1, { adds: 'passed' });
    const path = `/api/pipelines/${name}/tests/history`;
    assert.deepEqual(await refusal(`${path}?name=adds`), [404, `There are no results of the test 'adds' in the pipeline '${name}'.`]);
    const of = `${path}?name=pays&class=CartTest`;
    assert.deepEqual(await refusal(of), [404, `There are no results of the test 'pays' of 'CartTest' in the pipeline '${name}'.`]);
    assert.deepEqual(await refusal(path), [400, 'The query parameter `name` is missing.']);
    assert.equal((await server.get(`${path}?name=adds&class=CartTest&after=x`)).status, 400);
    assert.equal((await server.get(`${path}?name=adds&suite=x`)).status, 400);
    assert.equal((await server.get('/api/pipelines/other/tests/history?name=a')).status, 404);
  });
});

test('an answer that the client has is not sent again, until it changes', async () => {
  const { name, rows } = newPipeline();
  await rows.tested(1, { adds: 'failed' });
  for (const path of [
    `/api/jobs/${name}/latest/test/1/unit/tests`,
    `/api/pipelines/${name}/tests`,
    `/api/pipelines/${name}/tests/history?name=adds&class=CartTest`,
  ]) {
    const { etag } = await server.get(path);
    const headers = { 'If-None-Match': etag! };
    assert.equal((await server.get(path, { headers })).status, 304, path);
    await rows.tested(1, { adds: path.includes('history') ? 'passed' : 'skipped', [path]: 'passed' });
    if (!path.endsWith('/tests') || path.includes('jobs')) assert.equal((await server.get(path, { headers })).status, 200, path);
  }
});

test('only users who may see the pipeline see its tests; others do not learn which pipelines exist', async () => {
  const { name, rows } = newPipeline();
  await rows.tested(1, { adds: 'failed' });
  for (const path of [
    `/api/jobs/${name}/1/test/1/unit/tests`,
    `/api/pipelines/${name}/tests`,
    `/api/pipelines/${name}/tests/history?name=adds&class=CartTest`,
  ]) {
    assert.equal((await server.get(path, { as: viewer })).status, 200, path);
    assert.equal((await server.get(path, { as: stranger })).status, 403, path);
    assert.equal((await server.get(path.replace(name, 'other'), { as: stranger })).status, 403, path);
    assert.equal((await server.get(path.replace(name, 'other'))).status, 404, path);
  }
});

test('the examples of the documentation match their schemas', async () => {
  const api = await OpenApi.of(server);
  const own = api.operations.filter(({ tags }) => tags[0] === 'Tests');
  assert.equal(own.length, 3);
  for (const { name, success, others } of own)
    for (const { schemaAt, body } of [success, ...others.filter(({ body }) => body.example !== undefined)])
      assert.deepEqual(api.problems(schemaAt, body.example), [], name);
});

test('answers match their schemas', async () => {
  const { name, rows } = newPipeline();
  await rows.tested(1, { adds: 'passed', pays: 'failed' });
  await rows.tested(1, { adds: 'failed', pays: 'failed' });
  const api = await OpenApi.of(server);
  const answers = {
    'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/tests': `/api/jobs/${name}/1/test/1/unit/tests`,
    'GET /api/pipelines/{pipeline_name}/tests': `/api/pipelines/${name}/tests`,
    'GET /api/pipelines/{pipeline_name}/tests/history': `/api/pipelines/${name}/tests/history?name=adds&class=CartTest`,
  };
  for (const [operation, path] of Object.entries(answers))
    assert.deepEqual(api.problems(api.find(operation).success.schemaAt, (await server.get(path)).json), [], operation);
});
