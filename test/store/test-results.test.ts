// Results of tests on both engines: written in parts, replaced, and asked for in ways whose cost does not grow.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { type Run, Runs } from '../../src/store/builds/runs.ts';
import { TestReportTable, testKeyOf } from '../../src/store/builds/test-reports.ts';
import { TestResults } from '../../src/store/builds/test-results.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { firstFailure, MAX_SEARCHED_RESULTS } from '../../src/test-reports/questions/first-failure.ts';
import { comparableJobs, flakyTests, MAX_FAILURES } from '../../src/test-reports/questions/flaky.ts';
import { historyOf } from '../../src/test-reports/questions/history.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { BuildRows, type JobInTest, resultOf } from '../test-reports/build-rows.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-test-results-'));
const databases = new Map<string, Database>();
let postgres: Postgres;

before(async () => {
  postgres = await startPostgres();
  databases.set('SQLite', openSqlite(join(directory, 'test.db')));
  databases.set('PostgreSQL', await openPostgres({ url: await postgres.createDatabase(), password: undefined }));
  for (const database of databases.values()) {
    await migrate(database);
    await database.shared?.loadFirst(async () => {});
  }
});

after(async () => {
  for (const database of databases.values()) await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

let pipelines = 0;
const KEY = testKeyOf('CartTest', 'adds');
const UNIT = { stageKey: 'test', jobKey: 'unit' };
const NEWEST = Number.MAX_SAFE_INTEGER;

for (const engine of ['SQLite', 'PostgreSQL'])
  describe(engine, () => {
    const open = () => {
      const database = databases.get(engine)!;
      const number = ++pipelines;
      return {
        database,
        rows: new BuildRows(database, `Shop${number}`, number * 100_000),
        reports: new TestReportTable(database),
        results: new TestResults(database),
      };
    };

    test('results are kept as they are reported, all of them, in their order', async () => {
      const { rows, results } = open();
      const all = Array.from({ length: 1234 }, (_, position) =>
        resultOf(position, `t${position} ü💶`, position % 3 === 0 ? 'failed' : 'passed'),
      );
      const job = rows.job(rows.run(1));
      await rows.flush();
      await rows.report(job, all);
      const found = await results.ofJob(job.id, -1, 5000);
      assert.deepEqual(
        found.map(({ job_id: _, test_key: __, ...rest }) => rest),
        all,
      );
      assert.deepEqual(
        (await results.ofJob(job.id, 1230, 2)).map(({ position }) => position),
        [1231, 1232],
      );
      const failures = await results.failuresOf(job.id, 2, 3);
      assert.deepEqual(
        failures.map(({ position, message }) => [position, message]),
        [
          [3, 't3 ü💶 failed'],
          [6, 't6 ü💶 failed'],
          [9, 't9 ü💶 failed'],
        ],
      );
    });

    test('a report that is published again is unread again, and read only when nothing came meanwhile', async () => {
      const { rows, reports, results, database } = open();
      const { job } = await rows.tested(1, { adds: 'passed' });
      const ofThis = async () => (await reports.unread(job.id - 1, 10)).includes(job.id);
      assert.equal(await ofThis(), false);
      await database.writeRelaxed([reports.expect(job.id, '["a"]')]);
      await database.writeRelaxed([reports.expect(job.id, '["a","b"]')]);
      const { unread, files } = (await reports.find(job.id))!;
      assert.deepEqual([unread, files, await ofThis()], [2, '["a","b"]', true]);
      const empty = { total: 0, failed: 0, skipped: 0, duration_ms: 0, problems: '[]', slowest: '[]' };
      await reports.finish(job.id, 1, empty);
      assert.equal(await ofThis(), true);
      assert.equal((await results.ofRuns(rows.key, KEY, [job.id - 2])).length, 0, 'nothing counts that is not read');
      await reports.finish(job.id, 2, empty);
      assert.equal(await ofThis(), false);
    });

    test('all results of a job can be forgotten, and no others', async () => {
      const { rows, reports, results } = open();
      const other = await rows.tested(1, { adds: 'passed' });
      const job = rows.job(rows.run(1));
      await rows.flush();
      await rows.report(
        job,
        Array.from({ length: 4500 }, (_, position) => resultOf(position, 'adds', 'passed')),
      );
      await reports.clear(job.id);
      assert.deepEqual(await results.ofJob(job.id, -1, 10), []);
      assert.equal((await results.ofJob(other.job.id, -1, 10)).length, 1);
    });

    describe('the first failing run', () => {
      const firstFailureOf = (results: TestResults, run: Run, { id, pipelineKey }: JobInTest) =>
        firstFailure(results, { ...UNIT, pipelineKey, testKey: KEY, jobId: id, runId: run.id });

      test('is the one after the last that passed; skipping says nothing, and other jobs do not count', async () => {
        const { rows, results } = open();
        await rows.tested(1, { adds: 'failed' });
        await rows.tested(2, { adds: 'passed' });
        await rows.tested(3, { adds: 'skipped' });
        const first = await rows.tested(4, { adds: 'failed' });
        await rows.testedIn(first.run, { adds: 'passed' }, { stage: 'other' });
        await rows.tested(5, { adds: 'skipped' });
        const last = await rows.tested(6, { adds: 'failed' });
        assert.deepEqual(await firstFailureOf(results, last.run, last.job), { runId: first.run.id, mayBeOlder: false });
        assert.deepEqual(await firstFailureOf(results, first.run, first.job), { runId: first.run.id, mayBeOlder: false });
      });

      test('does not hear of jobs that were given to another agent', async () => {
        const { rows, results } = open();
        const first = await rows.tested(1, { adds: 'failed' });
        await rows.tested(2, { adds: 'passed' }, { state: 'Rescheduled' });
        const last = await rows.tested(2, { adds: 'failed' });
        assert.deepEqual(await firstFailureOf(results, last.run, last.job), { runId: first.run.id, mayBeOlder: false });
        const { entries } = await historyOf(results, { pipelineKey: rows.key, testKey: KEY, after: NEWEST, limit: 10 });
        assert.deepEqual(
          entries.map(({ result }) => result),
          ['failed', 'failed'],
        );
      });

      test('is found over many, and the walk ends', async () => {
        const { rows, results } = open();
        await rows.tested(1, { adds: 'passed' });
        const runs: { run: Run; job: JobInTest }[] = [];
        for (let index = 0; index < MAX_SEARCHED_RESULTS + 10; index++) runs.push(await rows.tested(index, { adds: 'failed' }));
        const found = await firstFailureOf(results, runs[200]!.run, runs[200]!.job);
        assert.deepEqual(found, { runId: runs[0]!.run.id, mayBeOlder: false });
        const last = runs.at(-1)!;
        assert.deepEqual(await firstFailureOf(results, last.run, last.job), {
          runId: runs.at(-1 - MAX_SEARCHED_RESULTS)!.run.id,
          mayBeOlder: true,
        });
      });
    });

    describe('the history of a test', () => {
      test('has each run once, newest first, a page at a time', async () => {
        const { rows, results } = open();
        const runs: Run[] = [];
        for (let index = 0; index < 25; index++) {
          const { run } = await rows.tested(index, { adds: index % 2 ? 'failed' : 'passed', other: 'passed' });
          runs.push(run);
        }
        const page = { pipelineKey: rows.key, testKey: KEY, limit: 10 };
        const runIds: number[] = [];
        let after = NEWEST;
        for (let hasOlder = true; hasOlder; ) {
          const found = await historyOf(results, { ...page, after });
          runIds.push(...found.entries.map(({ runId }) => runId));
          hasOlder = found.hasOlder;
          after = found.entries.at(-1)!.jobId;
        }
        assert.deepEqual(runIds, runs.map(({ id }) => id).toReversed());
        const [newest, second] = (await historyOf(results, { ...page, after: NEWEST })).entries;
        assert.deepEqual([newest!.result, newest!.message, newest!.durationMs], ['passed', null, 10]);
        assert.deepEqual([second!.result, second!.message], ['failed', 'adds failed']);
        assert.deepEqual(await historyOf(results, { ...page, testKey: 'none', after: NEWEST }), { entries: [], hasOlder: false });
      });

      test('the history of a test has the worst result of several jobs, and the last of a job that ran again', async () => {
        const { rows, results } = open();
        const run = rows.run(1);
        await rows.testedIn(run, { adds: 'failed' });
        await rows.testedIn(run, { adds: 'passed' }, { stageCounter: 2 });
        const between = await rows.tested(2, { adds: 'passed' });
        await rows.testedIn(run, { adds: 'skipped' }, { stage: 'later' });
        const ask = (after: number) => historyOf(results, { pipelineKey: rows.key, testKey: KEY, after, limit: 1 });
        const first = await ask(NEWEST);
        assert.deepEqual(
          first.entries.map(({ runId, result }) => [runId, result]),
          [[run.id, 'passed']],
        );
        const second = await ask(first.entries[0]!.jobId);
        assert.deepEqual(
          second.entries.map(({ runId }) => runId),
          [between.run.id],
        );
        assert.equal(second.hasOlder, false, 'the older jobs of the first run stand with its newest one');
        await rows.testedIn(run, { adds: 'failed' }, { stage: 'last' });
        assert.equal((await ask(NEWEST)).entries[0]!.result, 'failed');
      });
    });

    describe('flaky tests', () => {
      const flakyOf = async ({ database, rows, results }: ReturnType<typeof open>) => {
        const runs = new Runs(database);
        const ids = (await runs.before(rows.key, NEWEST, 50)).map(({ id }) => id);
        const groups = comparableJobs(await results.testedJobs(ids), await runs.revisionsOf(ids));
        return flakyTests(results, rows.key, groups);
      };

      test('are those that did both on the same revisions, in the same job', async () => {
        const parts = open();
        const { rows } = parts;
        await rows.tested(1, { flaky: 'passed', broken: 'failed', fixed: 'failed', elsewhere: 'passed' });
        const run = rows.run(1);
        await rows.testedIn(run, { flaky: 'failed', broken: 'failed', fixed: 'failed', elsewhere: 'passed' });
        await rows.testedIn(run, { elsewhere: 'failed' }, { stage: 'windows' });
        await rows.tested(2, { flaky: 'passed', fixed: 'passed' });
        const last = rows.run(2);
        await rows.testedIn(last, { flaky: 'failed' });
        assert.deepEqual(await flakyOf(parts), {
          tests: [{ class: 'CartTest', name: 'flaky', passed: 2, failed: 2, lastFailedIn: last.id }],
          isCut: false,
        });
      });

      test('are found within one run, where a stage ran again', async () => {
        const parts = open();
        const run = parts.rows.run(1);
        await parts.rows.testedIn(run, { adds: 'failed' });
        await parts.rows.testedIn(run, { adds: 'passed' }, { stageCounter: 2 });
        const { tests } = await flakyOf(parts);
        assert.deepEqual(
          tests.map(({ name, passed, failed }) => [name, passed, failed]),
          [['adds', 1, 1]],
        );
      });

      test('are not those that are in one report twice', async () => {
        const parts = open();
        const { rows } = parts;
        for (let index = 0; index < 2; index++) {
          const job = rows.job(rows.run(1));
          await rows.flush();
          await rows.report(job, [resultOf(0, 'twice', 'failed'), resultOf(1, 'twice', 'passed')]);
        }
        assert.deepEqual((await flakyOf(parts)).tests, []);
      });

      test('are looked for among so many failures, and it says so', async () => {
        const parts = open();
        const { rows } = parts;
        await rows.tested(1, { old: 'failed' });
        await rows.tested(1, { old: 'passed' });
        const many = Array.from({ length: MAX_FAILURES + 1 }, (_, position) => resultOf(position, `t${position}`, 'failed'));
        const job = rows.job(rows.run(1));
        await rows.flush();
        await rows.report(job, many);
        assert.deepEqual(await flakyOf(parts), { tests: [], isCut: true });
      });
    });
  });

test('every query uses an index', async () => {
  const database = databases.get('SQLite')!;
  const asked: RootOperationNode[] = [];
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const watched = { ...database, query: database.query.withPlugin(watching) };
  const results = new TestResults(watched);
  await new TestReportTable(watched).unread(1, 2);
  await results.ofJob(1, 1, 2);
  await results.failuresOf(1, 1, 2);
  await results.before('a', 'b', UNIT, 9, 2);
  await results.jobsOf('a', 'b', 9, 2);
  await results.ofRuns('a', 'b', [1, 2]);
  await results.testedJobs([1, 2]);
  await results.passedIn('a', ['b'], [1, 2]);
  assert.ok(asked.length >= 8);
  for (const node of asked) {
    const statement = database.query.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await database.query.executeQuery<{ detail: string }>({ ...statement, sql: `explain query plan ${statement.sql}` });
    const scans = rows.filter(({ detail }) => /^SCAN (?!older|tested)/.test(detail) || /USE TEMP B-TREE FOR (?!.*ORDER)/.test(detail));
    assert.deepEqual(scans, [], statement.sql);
  }
});
