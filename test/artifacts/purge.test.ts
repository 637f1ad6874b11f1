// Purging over real folders: what goes first, what stays, and that nothing outside is ever touched.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type PurgeParts, type PurgeReport, Purger, purge } from '../../src/artifacts/purge.ts';
import { hasRoomEnough, isToStart, purgeOrder } from '../../src/artifacts/purge-order.ts';
import { folderOf, type StageRun } from '../../src/artifacts/stage-run.ts';

const GIGABYTE = 1024 ** 3;

const run = (id: number, more: Partial<StageRun> = {}): StageRun => ({
  id,
  pipeline: 'app',
  pipelineCounter: id,
  stage: 'build',
  stageCounter: 1,
  isCompleted: true,
  areArtifactsDeleted: false,
  keepsArtifacts: false,
  ...more,
});

class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-purge-'));
  readonly root = join(this.folder, 'artifacts');
  readonly deleted: number[] = [];
  readonly batches: number[] = [];
  runs: StageRun[] = [];
  /** Each run whose artifacts are deleted frees one gigabyte. */
  free = 1.5 * GIGABYTE;
  readonly parts: PurgeParts = {
    root: () => this.root,
    settings: () => ({ start: 2, upto: 3 }),
    free: async () => this.free + this.deleted.length * GIGABYTE,
    runsAfter: async (id, most) => {
      const found = this.runs
        .filter((one) => one.id > id)
        .toSorted((one, other) => one.id - other.id)
        .slice(0, most);
      this.batches.push(found.length);
      return found;
    },
    markDeleted: async ({ id }) => void this.deleted.push(id),
  };

  static for(context: TestContext): Lab {
    const lab = new Lab();
    mkdirSync(lab.root);
    context.after(() => rmSync(lab.folder, { recursive: true, force: true }));
    return lab;
  }

  write(path: string, content = 'x'): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  fill(one: StageRun, job = 'job'): string {
    const folder = folderOf(one)!.join('/');
    this.write(`${folder}/${job}/cruise-output/console.log`, 'log');
    this.write(`${folder}/${job}/pluggable-artifact-metadata/s3.json`, '{}');
    this.write(`${folder}/${job}/dist/app.jar`, 'jar'.repeat(1000));
    this.write(`${folder}/${job}/report.html`, 'report');
    this.write(`cache/artifacts/${folder}/job/dist.zip`, 'zip');
    return join(this.root, folder, job);
  }
}

test('limits: whole gigabytes, both set', () => {
  const at = (gigabytes: number) => gigabytes * GIGABYTE;
  assert.ok(isToStart({ start: 2.9, upto: 3 }, at(1.99)));
  assert.ok(!isToStart({ start: 2.9, upto: 3 }, at(2)));
  assert.ok(!isToStart({ start: 2, upto: null }, 0));
  assert.ok(!isToStart({ start: null, upto: 3 }, 0));
  assert.ok(!hasRoomEnough({ start: 2, upto: 3.9 }, at(3)));
  assert.ok(hasRoomEnough({ start: 2, upto: 3.9 }, at(3) + 1));
});

test('order: the oldest first, never what runs, is kept or is gone', () => {
  const runs = [run(4), run(1, { keepsArtifacts: true }), run(3), run(2, { isCompleted: false }), run(5, { areArtifactsDeleted: true })];
  assert.deepEqual(
    purgeOrder(runs).map(({ id }) => id),
    [3, 4],
  );
});

test('the oldest go until there is room; logs and what plugins wrote stay', async (context) => {
  const lab = Lab.for(context);
  lab.runs = [run(1), run(2, { keepsArtifacts: true }), run(3), run(4)];
  const folders = lab.runs.map((one) => lab.fill(one));
  const second = lab.fill(run(1), 'other-job');
  const report = await purge(lab.parts);
  assert.deepEqual(lab.deleted, [1, 3]);
  assert.deepEqual([report.isNeeded, report.isEnough], [true, true]);
  for (const folder of [folders[0]!, second, folders[2]!]) {
    assert.deepEqual(readdirSync(folder).toSorted(), ['cruise-output', 'pluggable-artifact-metadata']);
    assert.equal(readFileSync(join(folder, 'cruise-output', 'console.log'), 'utf8'), 'log');
  }
  for (const folder of [folders[1]!, folders[3]!]) assert.ok(existsSync(join(folder, 'dist', 'app.jar')));
  assert.deepEqual(readdirSync(join(lab.root, 'cache/artifacts/pipelines/app/1/build/1')), []);
  assert.deepEqual(
    report.purged.map(({ run: { id }, files, bytes, problems }) => ({ id, files, hasBytes: bytes > 3000, problems })),
    [
      { id: 1, files: 5, hasBytes: true, problems: [] },
      { id: 3, files: 3, hasBytes: true, problems: [] },
    ],
  );
});

test('a dry run tells and touches nothing', async (context) => {
  const lab = Lab.for(context);
  lab.runs = [run(1), run(2)];
  const folders = lab.runs.map((one) => lab.fill(one));
  const report = await purge(lab.parts, { isDryRun: true });
  assert.deepEqual(
    report.purged.map(({ run: { id, pipeline }, files }) => [id, pipeline, files]),
    [
      [1, 'app', 3],
      [2, 'app', 3],
    ],
  );
  assert.ok(!report.isEnough && report.freeAfter! > report.freeBefore!);
  assert.deepEqual(lab.deleted, []);
  for (const folder of folders) assert.ok(existsSync(join(folder, 'dist', 'app.jar')));
});

test('with room, without settings or without a folder nothing happens; when runs run out it says so', async (context) => {
  const lab = Lab.for(context);
  lab.runs = [run(1)];
  lab.fill(run(1));
  lab.free = 2 * GIGABYTE;
  assert.equal((await purge(lab.parts)).isNeeded, false);
  lab.free = 0;
  assert.equal((await purge({ ...lab.parts, settings: () => ({ start: null, upto: null }) })).isNeeded, false);
  assert.equal((await purge({ ...lab.parts, free: async () => undefined })).isNeeded, false);
  assert.deepEqual(lab.deleted, []);
  const report = await purge(lab.parts);
  assert.deepEqual([report.isNeeded, report.isEnough], [true, false]);
});

test('many runs come in batches', async (context) => {
  const lab = Lab.for(context);
  lab.runs = Array.from({ length: 250 }, (_, index) => run(index + 1, { keepsArtifacts: index < 240 }));
  lab.free = -100 * GIGABYTE;
  await purge(lab.parts);
  assert.deepEqual(lab.batches, [100, 100, 50, 0]);
  assert.equal(lab.deleted.length, 10);
});

test('links are not followed, wherever they are, and names cannot lead elsewhere', async (context) => {
  const lab = Lab.for(context);
  const precious = join(lab.folder, 'precious');
  mkdirSync(join(precious, 'job', 'dist'), { recursive: true });
  writeFileSync(join(precious, 'job', 'dist', 'treasure'), 'gold');
  // A job with links among its artifacts: they go, what they lead to stays.
  const job = lab.fill(run(1));
  symlinkSync(precious, join(job, 'link-to-folder'));
  symlinkSync(join(precious, 'job', 'dist', 'treasure'), join(job, 'dist', 'link-to-file'));
  // A job, a stage and a pipeline that are links themselves.
  symlinkSync(join(precious, 'job'), join(dirname(job), 'linked-job'));
  mkdirSync(join(lab.root, 'pipelines/app/2/build'), { recursive: true });
  symlinkSync(precious, join(lab.root, 'pipelines/app/2/build/1'));
  symlinkSync(precious, join(lab.root, 'pipelines/linked'));
  lab.runs = [
    run(1),
    run(2),
    run(3, { pipeline: 'linked' }),
    run(4, { pipeline: '..' }),
    run(5, { stage: '../../../../precious' }),
    run(6, { pipelineCounter: Number.NaN }),
    run(7, { pipeline: 'a/../..' }),
    run(8, { pipeline: '' }),
  ];
  lab.free = -100 * GIGABYTE;
  const { purged } = await purge(lab.parts);
  assert.equal(readFileSync(join(precious, 'job', 'dist', 'treasure'), 'utf8'), 'gold');
  assert.deepEqual(readdirSync(job).toSorted(), ['cruise-output', 'pluggable-artifact-metadata']);
  assert.deepEqual(
    purged.map(({ problems }) => problems.length > 0),
    [false, true, true, true, true, true, true, true],
  );
});

test('a purge during a purge is one more after it, whoever asks', async () => {
  let running = 0;
  let runs = 0;
  const reports: PurgeReport[] = [];
  const parts: PurgeParts = {
    root: () => '/nowhere',
    settings: () => ({ start: 2, upto: 3 }),
    free: async () => 0,
    runsAfter: async () => {
      assert.equal(++running, 1);
      runs++;
      await pause(20);
      running--;
      return [];
    },
    markDeleted: async () => {},
  };
  const purger = new Purger(parts, (report) => reports.push(report));
  const first = purger.request();
  await Promise.all([first, purger.request(), purger.request(), purger.request()]);
  assert.equal(runs, 2);
  await purger.request();
  assert.equal(runs, 3);
  assert.equal(reports.length, 3);
});
