// The reading of published reports: in the background, once, also over restarts and kills.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobIdentifier } from '../../src/artifacts/stage-run.ts';
import { MAX_FILES, MAX_TESTS } from '../../src/test-reports/limits.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { assertInPieces } from '../support/patience.ts';
import { until } from '../support/until.ts';
import { BuildRows, type JobInTest } from './build-rows.ts';
import { identifierIn, ReportsLab, suite } from './reports-lab.ts';

let lab: ReportsLab;
before(async () => {
  lab = await new ReportsLab().start();
});
after(() => lab.close());
beforeEach(() => {
  lab.beforeRead = () => {};
  lab.errors.length = 0;
});

let pipelines = 0;
async function newJob(): Promise<{ readonly job: JobInTest; readonly identifier: JobIdentifier }> {
  const number = ++pipelines;
  const rows = new BuildRows(lab.database, `Shop${number}`, number * 1000);
  const job = rows.job(rows.run(1));
  await rows.flush();
  return { job, identifier: identifierIn(`Shop${number}`) };
}

describe('published files', () => {
  test('are read, all of them together, and those that cannot be are reported', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    const files = [
      lab.file(identifier, 'reports/a.xml', suite('one', '!two')),
      lab.file(identifier, 'reports/b.xml', '<testsuite><testcase name="three"/><testcase name="fo'),
      lab.file(identifier, 'reports/c.XML', 'nothing'),
      lab.file(
        identifier,
        'reports/d.trx',
        '<TestRun><Results><UnitTestResult testName="five" outcome="NotExecuted"/></Results></TestRun>',
      ),
      lab.file(identifier, 'reports/index.html', '<html>'),
      { path: 'reports/gone.xml', bytes: 10 },
      { path: 'reports/large.xml', bytes: 60 * 1024 * 1024 },
    ];
    await reports.take(job.id, files);
    await reports.settled();
    assert.deepEqual(await lab.known(job.id), {
      isRead: true,
      counts: [4, 1, 1, 500],
      problems: [
        { file: 'reports/b.xml', message: 'The document ends too early. (line 1)' },
        { file: 'reports/c.XML', message: 'Text data outside of root node. (line 1)' },
        { file: 'reports/gone.xml', message: 'The file is gone.' },
        { file: 'reports/large.xml', message: 'The file is larger than 50 MB.' },
      ],
      slowest: [{ class: 's', name: 'one', ms: 500 }],
      results: [
        [0, 'one', 'passed'],
        [1, 'two', 'failed'],
        [2, 'three', 'passed'],
        [3, 'five', 'skipped'],
      ],
    });
    assert.deepEqual(lab.errors, []);
    assert.equal(lab.changed.length, 1, 'pages are notified');
  });

  test('published files that are no reports leave nothing', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    await reports.take(job.id, [lab.file(identifier, 'index.html', '<html>')]);
    await reports.settled();
    assert.equal((await lab.known(job.id)).counts, undefined);
  });

  test('published files that come again replace the earlier ones', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    const file = lab.file(identifier, 'a.xml', suite('one', '!two'));
    for (let index = 0; index < 3; index++) {
      await reports.take(job.id, [file]);
      await reports.settled();
    }
    assert.deepEqual((await lab.known(job.id)).counts, [2, 1, 0, 500]);
    await reports.take(job.id, [lab.file(identifier, 'a.xml', suite('three'))]);
    await reports.settled();
    assert.deepEqual((await lab.known(job.id)).results, [[0, 'three', 'passed']]);
  });

  test('published files that come in several publications count together', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    await Promise.all(['b', 'a', 'c'].map((name) => reports.take(job.id, [lab.file(identifier, `${name}.xml`, suite(name))])));
    await reports.settled();
    assert.deepEqual((await lab.known(job.id)).results, [
      [0, 'a', 'passed'],
      [1, 'b', 'passed'],
      [2, 'c', 'passed'],
    ]);
  });

  test('published files that come while other reports of the job are read are read, too', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    const { promise: isReading, resolve: begin } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
    lab.beforeRead = async () => {
      begin();
      await goOn;
    };
    await reports.take(job.id, [lab.file(identifier, 'a.xml', suite('one'))]);
    await isReading;
    await reports.take(job.id, [lab.file(identifier, 'b.xml', suite('two'))]);
    release();
    await reports.settled();
    const { isRead, results } = await lab.known(job.id);
    assert.deepEqual([isRead, results.map(([, name]) => name)], [true, ['one', 'two']]);
  });

  test('reports of another job are read after one that could not be, which is read at the next start', async () => {
    const reports = await lab.reports();
    const [one, other] = [await newJob(), await newJob()];
    lab.beforeRead = (path) => {
      if (path === 'bad.xml') throw new Error('the disk is broken');
    };
    await reports.take(one.job.id, [lab.file(one.identifier, 'bad.xml', suite('one'))]);
    await reports.take(other.job.id, [lab.file(other.identifier, 'good.xml', suite('two'))]);
    await reports.settled();
    assert.equal((await lab.known(other.job.id)).isRead, true);
    assert.equal((await lab.known(one.job.id)).isRead, false);
    assert.equal(lab.errors.length, 1);
    lab.beforeRead = () => {};
    await (await lab.reports()).settled();
    assert.deepEqual((await lab.known(one.job.id)).counts, [1, 0, 0, 500]);
  });
});

describe('limits of a job', () => {
  test('tests beyond them are left out, and it says so', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `t${from + index}`);
    const files = [
      lab.file(identifier, 'a.xml', suite(...names(0, MAX_TESTS - 10))),
      lab.file(identifier, 'b.xml', suite(...names(MAX_TESTS, 20))),
      lab.file(identifier, 'c.xml', suite('never')),
    ];
    await assertInPieces('many tests', async () => {
      await reports.take(job.id, files);
      await reports.settled();
    });
    const { counts, problems, results } = await lab.known(job.id);
    assert.equal(counts![0], MAX_TESTS);
    assert.equal(results.length, MAX_TESTS);
    assert.deepEqual(problems, [{ file: 'b.xml', message: 'There are more than 50000 tests in the job. The others are left out.' }]);
  });

  test('results of one test beyond them are only counted, and those that passed leave room for one that failed', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    await reports.take(job.id, [lab.file(identifier, 'a.xml', suite(...Array.from({ length: 150 }, () => 'same'), '!same'))]);
    await reports.settled();
    const { counts, problems, results } = await lab.known(job.id);
    assert.deepEqual([counts?.slice(0, 2), results.length, problems.length], [[151, 1], 101, 1]);
    assert.deepEqual(results.at(-1), [100, 'same', 'failed']);
  });

  test('long texts beyond them are left out', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    const one = (index: number) => `<testcase name="t${index}"><failure message="m">${'x'.repeat(16_000)}</failure></testcase>`;
    const text = `<testsuite>${Array.from({ length: 2200 }, (_, index) => one(index)).join('')}</testsuite>`;
    await reports.take(job.id, [lab.file(identifier, 'a.xml', text)]);
    await reports.settled();
    const { counts, problems } = await lab.known(job.id);
    assert.deepEqual([counts![0], counts![1]], [2200, 2200]);
    assert.equal(problems[0].message, 'There are too many long messages and traces in the job. Further ones are left out.');
    const kept = await lab.database.query.selectFrom('test_results').select('trace').where('job_id', '=', job.id).execute();
    const bytes = kept.reduce((sum, { trace }) => sum + (trace?.length ?? 0), 0);
    assert.ok(bytes <= 32 * 1024 * 1024 && bytes > 31 * 1024 * 1024, `${bytes} bytes`);
  });

  test('files beyond them are left out', async () => {
    const reports = await lab.reports();
    const { job, identifier } = await newJob();
    const file = lab.file(identifier, 'f00000.xml', suite('one'));
    lab.beforeRead = (path) => {
      if (path !== file.path) throw new Error('nobody wants it');
    };
    const gone = { path: 'f00001.xml', bytes: 1024 * 1024 * 1024 };
    await reports.take(job.id, [file, gone]);
    await reports.settled();
    const { counts, problems } = await lab.known(job.id);
    assert.deepEqual([counts![0], problems.length], [1, 1]);
    assert.match(problems[0].message, /^The reports of the job are larger than 1024 MB\./);
    lab.beforeRead = () => {};
    const many = Array.from({ length: MAX_FILES + 5 }, (_, index) => ({ path: `g${String(index).padStart(5, '0')}.xml`, bytes: 1 }));
    const { job: other } = await newJob();
    await reports.take(other.id, many);
    await reports.settled();
    assert.equal((await lab.known(other.id)).problems.length, 100);
  });
});

test('a report that is noted with the publication is read after a start, though it was never requested', async () => {
  const reports = await lab.reports();
  const { job, identifier } = await newJob();
  const statements = await reports.expect(job.id, [lab.file(identifier, 'a.xml', suite('one'))]);
  assert.equal(statements.length, 1);
  assert.deepEqual(await reports.expect(job.id, [{ path: 'a.html', bytes: 1 }]), []);
  await lab.database.writeTransaction(statements);
  await reports.settled();
  assert.equal((await lab.known(job.id)).isRead, false);
  await reports.stop();
  await (await lab.reports()).settled();
  assert.equal((await lab.known(job.id)).isRead, true);
});

test('a stop in the middle leaves the rest for the next start', async () => {
  const reports = await lab.reports();
  const { job, identifier } = await newJob();
  const { promise: isReading, resolve: begin } = Promise.withResolvers<void>();
  lab.beforeRead = (path) => {
    if (path === 'b.xml') begin();
  };
  const large = `<testsuite>${'<testcase name="x"/>'.repeat(200_000)}</testsuite>`;
  await reports.take(job.id, [lab.file(identifier, 'a.xml', suite('one')), lab.file(identifier, 'b.xml', large)]);
  await isReading;
  await reports.stop();
  assert.equal((await lab.known(job.id)).isRead, false);
  await reports.take(job.id, [lab.file(identifier, 'b.xml', suite('two'))]);
  await reports.settled();
  assert.equal((await lab.known(job.id)).isRead, false, 'it is stopped');
  await (await lab.reports()).settled();
  assert.deepEqual((await lab.known(job.id)).counts, [2, 0, 0, 1000]);
  assert.deepEqual(lab.errors, []);
});

test('a server that is killed while it reads has nothing doubled and nothing lost', ABOUT_EMBEDDED, async () => {
  const own = await new ReportsLab().start();
  const rows = new BuildRows(own.database, 'Killed', 1000);
  const job = rows.job(rows.run(1));
  await rows.flush();
  const names = Array.from({ length: 20_000 }, (_, index) => `t${index}`);
  const reports = await own.reports();
  const file = own.file(identifierIn('Killed'), 'a.xml', suite(...names));
  await own.database.writeTransaction(await reports.expect(job.id, [file]));
  await reports.stop();
  await own.database.close();
  let kills = 0;
  for (let round = 0; round < 6; round++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'reader-process.ts'), own.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const exited = once(child, 'exit');
    await until('its first word', () => said !== '' || child.exitCode !== null);
    await delay(round * 15);
    if (!said.includes('done')) kills++;
    child.kill('SIGKILL');
    assert.equal((await exited)[0], null, 'it ended on its own');
  }
  assert.ok(kills > 0, 'it was killed while it read');
  await own.start();
  await (await own.reports()).settled();
  const { isRead, counts, results } = await own.known(job.id);
  assert.deepEqual([isRead, counts![0]], [true, names.length]);
  assert.deepEqual(
    results.map(([, name]) => name),
    names,
  );
  await own.close();
});
