// Purging on both engines, with real files: the order and the end of a purge, artifacts that stay, and a kill.
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { assertInPieces } from '../support/patience.ts';
import { DAY_MS, GIGABYTE, type LabEngine, postgresEngine, RetentionLab, sqliteEngine } from './retention-lab.ts';

const NEVER = new AbortController().signal;
const RULE_OF_ALL = { pipelines: '*', keepRuns: null, keepDays: null };

for (const name of ['SQLite', 'PostgreSQL']) {
  describe(name, () => {
    let engine: LabEngine;
    before(async () => {
      engine = name === 'SQLite' ? sqliteEngine() : await postgresEngine();
    });
    after(() => engine.stop());

    const open = async (context: TestContext) => {
      const lab = await RetentionLab.on(engine);
      context.after(() => lab.close());
      return lab;
    };

    /** So many stage runs of one gigabyte, on a disk with so little left that it begins below 2 GB free, and ends above `upto`. */
    const crowded = async (context: TestContext, count: number, upto: number) => {
      const lab = await open(context);
      for (let number = 1; number <= count; number++) await lab.stageRun();
      lab.disk = count * GIGABYTE + GIGABYTE;
      lab.settings = { start: 2, upto };
      return lab;
    };

    test('the oldest stage runs are purged until more than the goal is free', async (context) => {
      const lab = await crowded(context, 5, 3);
      await lab.retention().work(NEVER);
      // 1 GB was free: one, two, three more make 4, and 3 would not be more than 3.
      assert.deepEqual(await lab.purgedIds(), [1, 2, 3]);
      assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map((id) => lab.pathsOf(id))), [[], [], [], ['a.bin'], ['a.bin']]);
      assert.equal(lab.hasFile(3, 'job-0/a.bin'), false);
      assert.equal(lab.hasFile(4, 'job-0/a.bin'), true);
      assert.deepEqual(await lab.rows('purges'), []);
      assert.deepEqual(await lab.rows('artifact_usage'), [{ pipeline_key: 'app', files: 2, bytes: 2 * GIGABYTE }]);
    });

    test('each purge is published with its files, its bytes and the reason', async (context) => {
      const lab = await crowded(context, 1, 1);
      await lab.retention().work(NEVER);
      assert.deepEqual(await lab.purgeEvents(), [
        {
          about: ['pipelines app'],
          pipeline_counter: 1,
          stage: 'build',
          stage_counter: 1,
          files: 1,
          bytes: GIGABYTE,
          reason: 'Less than 2 GB of disk space were free.',
        },
      ]);
    });

    test('nothing is purged without both limits, above the first limit, or while purging is held', async (context) => {
      const lab = await crowded(context, 2, 3);
      const low = lab.settings;
      for (const settings of [
        { start: 2, upto: null },
        { start: null, upto: 3 },
        { start: 1, upto: 3 },
      ]) {
        lab.settings = settings;
        await lab.retention().work(NEVER);
      }
      lab.settings = low;
      lab.isHeld = true;
      await lab.retention().work(NEVER);
      lab.isHeld = false;
      await lab.retention().work(AbortSignal.abort());
      assert.deepEqual(await lab.purgedIds(), []);
      await lab.retention().work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
    });

    test('running stages, stages that are never cleaned up, consoles and metadata of plugins stay', async (context) => {
      const lab = await open(context);
      await lab.stageRun({ completedAt: null });
      await lab.stageRun({ stage: 'Release' });
      await lab.stageRun({ jobs: [['cruise-output/md5.checksum'], ['pluggable-artifact-metadata/s3.json']] });
      await lab.stageRun({
        pipeline: 'gone',
        jobs: [
          ['cruise-output/x', 'cruise-outputs/y', 'logs/'],
          ['b.bin', 'pluggable-artifact-metadata/d.json'],
        ],
      });
      lab.kept.add('app/release');
      lab.disk = 0;
      lab.settings = { start: 2, upto: 3 };
      await lab.retention().work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [4]);
      assert.deepEqual(await lab.pathsOf(4), ['cruise-output/x', 'pluggable-artifact-metadata/d.json']);
      assert.equal(lab.hasFile(4, 'job-0/cruise-output/x', { pipeline: 'gone' }), true);
      assert.equal(lab.hasFile(4, 'job-0/cruise-outputs/y', { pipeline: 'gone' }), false);
      assert.deepEqual(await lab.pathsOf(3), ['cruise-output/md5.checksum', 'pluggable-artifact-metadata/s3.json']);
      const gone = (await lab.rows('artifact_usage')).find((row) => (row as { pipeline_key: string }).pipeline_key === 'gone');
      assert.deepEqual(gone, { pipeline_key: 'gone', files: 2, bytes: 2 * GIGABYTE });
      assert.equal((await lab.purgeEvents()).length, 1);
    });

    test('a warning is logged once when nothing more may be purged, which is tried again after the next stage', async (context) => {
      const lab = await crowded(context, 2, 9);
      lab.disk = 0;
      const retention = lab.retention();
      await retention.work(NEVER);
      await retention.work(NEVER);
      const warnings = () => lab.lines.filter(({ level }) => level === 'warn').length;
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
      assert.equal(warnings(), 1);
      await lab.stageRun();
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
      retention.stageCompleted('app');
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2, 3]);
      assert.equal(warnings(), 1);
    });

    test('a purge that a kill has cut off is finished at the next start, before any other', async (context) => {
      const lab = await crowded(context, 3, 2);
      lab.disk -= GIGABYTE;
      lab.onRemove = () => {
        throw new Error('killed');
      };
      const first = lab.retention();
      await assert.rejects(first.work(NEVER), /killed/);
      await assert.rejects(first.work(NEVER), /killed/);
      assert.deepEqual(await lab.purgedIds(), [1]);
      assert.deepEqual(await lab.pathsOf(1), []);
      assert.equal(lab.hasFile(1, 'job-0/a.bin'), true);
      assert.equal((await lab.rows('purges')).length, 1);
      const removed: number[] = [];
      lab.onRemove = ({ pipelineCounter }) => void removed.push(pipelineCounter);
      const second = lab.retention();
      second.start();
      await second.work(NEVER);
      assert.deepEqual(removed, [1, 2, 3]);
      assert.equal(lab.hasFile(1, 'job-0/a.bin'), false);
      assert.deepEqual(await lab.rows('purges'), []);
      assert.equal((await lab.purgeEvents()).length, 3);
    });

    test('very many files are forgotten in portions, before the first of them is deleted', async (context) => {
      const lab = await open(context);
      const paths = Array.from({ length: 4500 }, (_, number) => `many/${number}`);
      await lab.stageRun({ jobs: [['a.bin'], ['cruise-output/x', ...paths], ['b.bin', 'empty/']] });
      lab.disk = 0;
      lab.settings = { start: 2, upto: 3 };
      const commits = context.mock.method(lab.database, 'writeRelaxed');
      const left: string[][] = [];
      lab.onRemove = async () => void left.push(await lab.pathsOf(1));
      await lab.retention().work(NEVER);
      assert.deepEqual(left, [['cruise-output/x']]);
      assert.ok(commits.mock.callCount() >= 3, `${commits.mock.callCount()} commits`);
      assert.deepEqual(await lab.rows('artifact_usage'), [{ pipeline_key: 'app', files: 1, bytes: GIGABYTE }]);
      assert.deepEqual(
        (await lab.purgeEvents()).map((one) => (one as { readonly files: number }).files),
        [4502],
      );
    });

    test('a stage run with many jobs and files is one, and more than a batch of them is found', async (context) => {
      const lab = await open(context);
      const paths = Array.from({ length: 40 }, (_, number) => `file-${number}`);
      await lab.stageRun({ jobs: Array.from({ length: 130 }, () => ['x']) });
      await lab.stageRun({ jobs: [paths] });
      const batch = await lab.runs.after(0, 100);
      assert.deepEqual(
        batch.runs.map(({ id }) => id),
        [1],
      );
      assert.deepEqual(await lab.runs.after(batch.next!, 100), { runs: (await lab.runs.after(130, 5)).runs, next: undefined });
      assert.deepEqual(await lab.runs.sizeOf(1), { files: 130, bytes: 130 * GIGABYTE });
      assert.deepEqual(await lab.runs.sizeOf(2), { files: 40, bytes: 40 * GIGABYTE });
      lab.disk = 0;
      lab.settings = { start: 2, upto: 3 };
      await lab.retention().work(NEVER);
      assert.equal((await lab.purgeEvents()).length, 2);
    });

    test('a rule purges runs that are beyond the last ones and also older than so many days', async (context) => {
      const lab = await open(context);
      for (const counter of [1, 2, 3, 4, 5]) await lab.stageRun({ counter, completedAt: lab.now - (6 - counter) * DAY_MS });
      await lab.stageRun({ pipeline: 'Release', counter: 1, completedAt: 0 });
      await lab.stageRun({ pipeline: 'Release', counter: 2, completedAt: 0 });
      lab.rules = [
        { ...RULE_OF_ALL, pipelines: 'release' },
        { pipelines: 'a?p', keepRuns: 2, keepDays: 4 },
        { ...RULE_OF_ALL, keepDays: 1 },
      ];
      await lab.retention().work(NEVER);
      // The first two are four days old or older; the third is beyond the last two, but too young.
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
      assert.match(JSON.stringify(await lab.purgeEvents()), /By the rule for 'a\?p': not of the last 2 runs, and older than 4 days\./);
      lab.rules = [{ ...RULE_OF_ALL, keepDays: 1 }];
      lab.now += 10 * DAY_MS;
      await lab.retention().work(NEVER);
      // The newest run of each pipeline stays.
      assert.deepEqual(await lab.purgedIds(), [1, 2, 3, 4, 6]);
    });

    test('rules are looked at when a stage ends, when they change, and once an hour', async (context) => {
      const lab = await open(context);
      lab.rules = [{ ...RULE_OF_ALL, keepRuns: 1 }];
      const retention = lab.retention();
      await retention.work(NEVER);
      for (const counter of [1, 2, 3]) await lab.stageRun({ counter });
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), []);
      retention.stageCompleted('app');
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
      lab.rules = [];
      await lab.stageRun({ counter: 4 });
      retention.stageCompleted('app');
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
      lab.rules = [{ ...RULE_OF_ALL, keepRuns: 1 }];
      lab.now += 59 * 60_000;
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2]);
      lab.now += 60_000;
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2, 3]);
      await lab.stageRun({ counter: 5 });
      retention.lookAtAll();
      await retention.work(NEVER);
      assert.deepEqual(await lab.purgedIds(), [1, 2, 3, 4]);
    });

    test('a file that was uploaded meanwhile is counted in the purge', async (context) => {
      const lab = await crowded(context, 1, 1);
      const sizeOf = lab.runs.sizeOf.bind(lab.runs);
      context.mock.method(lab.runs, 'sizeOf', async (id: number) => {
        const size = await sizeOf(id);
        const { query } = lab.database;
        const late = { job_id: 1, path: 'late.bin', bytes: 7, sha256: '', md5: '', created_at: 1 };
        await lab.database.writeTransaction([
          query.insertInto('artifacts').values(late).compile(),
          query
            .updateTable('artifact_usage')
            .set({ files: 2, bytes: GIGABYTE + 7 })
            .compile(),
        ]);
        return size;
      });
      await lab.retention().work(NEVER);
      assert.deepEqual(await lab.rows('artifact_usage'), [{ pipeline_key: 'app', files: 0, bytes: 0 }]);
      assert.deepEqual(await lab.usage.total(), { pipelines: 0, files: 0, bytes: 0 });
    });
  });
}

test('a scan of very many jobs does not block the event loop', async (context) => {
  const engine = sqliteEngine();
  const lab = await RetentionLab.on(engine);
  context.after(async () => {
    await lab.close();
    await engine.stop();
  });
  await lab.stageRun({ jobs: [] });
  const { query } = lab.database;
  const jobs = Array.from({ length: 5000 }, (_, index) => index + 1);
  const ended = { state: 'Completed', result: 'Passed' } as const;
  const job = { ...ended, stage_run_id: 1, pipeline_key: 'app', stage_key: 'build', job_key: 'x', name: 'x' };
  const more = {
    agent_uuid: null,
    pinned_to: null,
    scheduled_at: 1,
    completed_at: 1,
    is_rerun: 0,
    original_id: null,
    epoch: 1,
    last_report: 1,
  };
  const path = 'cruise-output/md5.checksum';
  await lab.database.writeTransaction(
    jobs.flatMap((id) => [
      query
        .insertInto('jobs')
        .values({ id, ...job, ...more })
        .compile(),
      query.insertInto('artifacts').values({ job_id: id, path, bytes: 1, sha256: '', md5: '', created_at: 1 }).compile(),
    ]),
  );
  lab.disk = 0;
  lab.settings = { start: 2, upto: 3 };
  await assertInPieces('retention', () => lab.retention().work(NEVER));
  assert.deepEqual(await lab.purgedIds(), []);
});
