// Agents fetch the sources of their tasks, from a whole server: files, folders, everything, in pages, in parts, as archives.
import assert from 'node:assert/strict';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ArtifactFile } from '../../src/contracts/agent-protocol/messages.ts';
import type { Work } from '../../src/contracts/agent-protocol/work.ts';
import { readTar } from '../../src/kit/tar/read.ts';
import { job, stage } from '../builds/engine/lab.ts';
import { AgentLab } from './agent-lab.ts';
import { factsOf } from './publication-lab.ts';

const FILES = {
  'dist/app.jar': '0123456789',
  'dist/lib/ä.jar': 'lib',
  'dist.txt': 'beside',
  top: 'top',
  'pluggable-artifact-metadata/x.json': '{}',
};
const fetchTask = (source: string, isFile = false, more = {}) => ({
  type: 'fetch',
  attributes: {
    artifact_origin: 'gocd',
    pipeline: '',
    stage: 'build',
    job: 'compile',
    source,
    is_source_a_file: isFile,
    run_if: [],
    ...more,
  },
});

const PRINTED = 'ün|12:00:00.000 one\nün|12:00:00.001 two\n';

let lab: AgentLab;
let work: Work;
before(async () => {
  lab = await AgentLab.start();
  const tasks = [
    { type: 'exec', attributes: { command: 'true', run_if: [], on_cancel: fetchTask('top', true) } },
    fetchTask('dist'),
    fetchTask('./dist/app.jar', true),
    // Its own pipeline, by its name.
    fetchTask('top', true, { pipeline: 'Fetching' }),
    fetchTask('none'),
    fetchTask('a\\b'),
    fetchTask('./'),
    fetchTask('dist', true),
    fetchTask('top'),
    fetchTask('cruise-output/console.log', true),
  ];
  const built = await lab.work([stage('build'), stage('test', { jobs: [job('check', { tasks })] })], 'fetching');
  assert.deepEqual((await lab.leave(built, FILES, ['dist/empty', 'logs'])).json, { missing: [] });
  await lab.agent.print(built, PRINTED);
  await lab.agent.complete(built);
  work = await lab.take();
});
after(() => lab.stop());

const list = async (fetch: number, query: Readonly<Record<string, string>> = {}) => (await lab.fetch(work, fetch, 'files', query)).json;
const pathsOf = (files: readonly ArtifactFile[]) => files.map(({ path }) => path);

test('the work of an agent names its fetch tasks', () => {
  assert.deepEqual(
    work.tasks.map((task) => (task.type === 'fetch' ? [task.id, task.source, task.from.stage] : [task.type])),
    [
      ['exec'],
      [2, 'dist', 'build'],
      [4, './dist/app.jar', 'build'],
      [6, 'top', 'build'],
      [8, 'none', 'build'],
      [10, 'a\\b', 'build'],
      [12, './', 'build'],
      [14, 'dist', 'build'],
      [16, 'top', 'build'],
      [18, 'cruise-output/console.log', 'build'],
    ],
  );
  assert.ok(work.tasks[0]!.on_cancel?.type === 'fetch' && work.tasks[0]!.on_cancel.id === 1);
});

test('a folder is listed with its files, a file by its name, and an empty source as all but the folders of the server', async () => {
  assert.deepEqual(await list(2), {
    files: [factsOf('app.jar', FILES['dist/app.jar']), factsOf('lib/ä.jar', 'lib')],
    folders: ['empty/'],
    has_more: false,
  });
  assert.deepEqual(await list(4), { files: [factsOf('app.jar', FILES['dist/app.jar'])], folders: [], has_more: false });
  assert.deepEqual(await list(4, { after: 'app.jar' }), { files: [], folders: [], has_more: false });
  const all = await list(12);
  assert.deepEqual(pathsOf(all.files), ['dist.txt', 'dist/app.jar', 'dist/lib/ä.jar', 'top']);
  assert.deepEqual(all.folders, ['dist/empty/', 'logs/']);
  assert.deepEqual(pathsOf((await list(2, { after: 'app.jar' })).files), ['lib/ä.jar']);
  assert.deepEqual((await list(12, { after: 'dist/lib/ä.jar' })).folders, ['logs/']);
  assert.deepEqual(pathsOf((await list(1)).files), ['top']);
});

test('a folder is not fetched as a file, nor a file as a folder: the answer says what to change', async () => {
  for (const [fetch, message] of [
    [14, "Artifact 'dist' is a folder: set `is_source_a_file` of the fetch task to false."],
    [16, "Artifact 'top' is a file: set `is_source_a_file` of the fetch task to true."],
  ] as const) {
    const { status, json } = await lab.fetch(work, fetch, 'files', {});
    assert.deepEqual([status, json], [404, { message }]);
  }
});

test('a file is read whole or in part', async () => {
  const read = (headers = {}) => lab.fetch(work, 2, 'file', { path: 'app.jar' }, { headers });
  const whole = await read();
  assert.deepEqual([whole.status, whole.body.toString(), whole.headers['content-length']], [200, '0123456789', '10']);
  assert.equal(whole.headers['content-type'], 'application/octet-stream');
  assert.equal(whole.headers.etag, `"${factsOf('', '0123456789').sha256}"`);
  const rest = await read({ Range: 'bytes=7-' });
  assert.deepEqual([rest.status, rest.body.toString(), rest.headers['content-range']], [206, '789', 'bytes 7-9/10']);
  const beyond = await read({ Range: 'bytes=10-' });
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */10']);
  assert.equal((await read({ 'If-None-Match': whole.headers.etag })).status, 304);
  assert.equal((await lab.fetch(work, 4, 'file', { path: 'app.jar' })).body.toString(), '0123456789');
  assert.equal((await lab.fetch(work, 12, 'file', { path: 'dist/lib/ä.jar' })).body.toString(), 'lib');
});

test('the console is a file, too', async () => {
  const facts = factsOf('console.log', PRINTED);
  assert.deepEqual(await list(18), { files: [facts], folders: [], has_more: false });
  const whole = await lab.fetch(work, 18, 'file', { path: 'console.log' });
  assert.deepEqual([whole.status, whole.body.toString(), whole.headers.etag], [200, PRINTED, `"${facts.sha256}"`]);
  const part = await lab.fetch(work, 18, 'file', { path: 'console.log' }, { headers: { Range: 'bytes=4-' } });
  assert.deepEqual([part.status, part.body.toString()], [206, Buffer.from(PRINTED).subarray(4).toString()]);
  assert.equal((await lab.fetch(work, 18, 'file', { path: 'md5.checksum' })).status, 404);
});

test('many files come as an archive', async () => {
  const ask = (fetch: number, paths: unknown, epoch: unknown = work.epoch) =>
    lab.ask('POST', `/agent/v1/jobs/${work.job}/fetches/${fetch}/archive?epoch=${work.epoch}`, {
      body: JSON.stringify({ epoch, paths }),
      headers: { 'Content-Type': 'application/json' },
    });
  const archive = await ask(2, ['lib/ä.jar', 'app.jar']);
  assert.deepEqual([archive.status, archive.headers['content-type']], [200, 'application/x-tar']);
  const found: unknown[] = [];
  async function* pieces() {
    yield archive.body;
  }
  for await (const entry of readTar(pieces(), { maxEntries: 10, maxBytes: 1000 }))
    if (entry.type === 'file') found.push([entry.path, entry.bytes.toString()]);
  assert.deepEqual(found, [
    ['lib/ä.jar', 'lib'],
    ['app.jar', '0123456789'],
  ]);
  const missing = await ask(2, ['app.jar', 'nothing']);
  assert.deepEqual([missing.status, missing.json.message.slice(0, 35)], [404, "Artifact 'nothing' is unavailable a"]);
  for (const paths of ['x', [1], Array.from({ length: 10_001 }, () => 'x')]) assert.equal((await ask(2, paths)).status, 422);
  assert.equal((await ask(2, [], 'x')).status, 422);
  assert.equal((await ask(2, ['app.jar'], 99)).status, 409);
});

test('an agent reads nothing but the sources of its fetch tasks', async () => {
  const gone = (path: string) => `Artifact '${path}' is unavailable as it may have been purged by Slipway or deleted externally.`;
  for (const [fetch, path] of [
    [2, 'top'],
    [2, '../top'],
    [2, 'empty'],
    [2, 'empty/'],
    [2, ''],
    [4, 'lib/ä.jar'],
    [6, 'dist/app.jar'],
    [12, 'pluggable-artifact-metadata/x.json'],
    [12, 'cruise-output/md5.checksum'],
  ] as const) {
    const { status, json } = await lab.fetch(work, fetch, 'file', { path });
    assert.deepEqual([status, json?.message], [404, gone(path)], `${fetch} ${path}`);
  }
  assert.deepEqual((await lab.fetch(work, 8, 'files')).json, { message: gone('none') });
  assert.deepEqual((await lab.fetch(work, 10, 'files')).json, { message: gone('a\\b') });
  for (const fetch of [0, 3, 14, 999]) assert.equal((await lab.fetch(work, fetch, 'files')).status, 404, String(fetch));
  const other = await lab.builds.agent();
  assert.equal((await lab.fetch(work, 2, 'files', {}, { as: other })).status, 409);
  assert.equal((await lab.fetch({ ...work, epoch: 7 }, 2, 'file', { path: 'app.jar' })).status, 409);
  assert.equal((await lab.fetch(work, 2, 'files', { afterr: 'x' })).status, 400);
});

test('a file that is cut short or deleted on the disk gets 404, also as the next one of an archive', async () => {
  const message = "Artifact 'dist/app.jar' is unavailable as it may have been purged by Slipway or deleted externally.";
  const file = join(lab.root, 'pipelines/fetching/1/build/1/compile/dist/app.jar');
  const archive = (...paths: string[]) =>
    lab.ask('POST', `/agent/v1/jobs/${work.job}/fetches/2/archive`, {
      body: JSON.stringify({ epoch: work.epoch, paths }),
      headers: { 'Content-Type': 'application/json' },
    });
  for (const spoil of [() => truncateSync(file, 9), () => rmSync(file)]) {
    spoil();
    assert.equal((await lab.fetch(work, 2, 'file', { path: 'app.jar' })).status, 404);
    for (const Range of ['bytes=0-', 'bytes=7-']) {
      const { status, json } = await lab.fetch(work, 2, 'file', { path: 'app.jar' }, { headers: { Range } });
      assert.deepEqual([status, json], [404, { message }]);
    }
    for (const paths of [
      ['app.jar', 'lib/ä.jar'],
      ['lib/ä.jar', 'app.jar'],
    ]) {
      const { status, json } = await archive(...paths);
      assert.deepEqual([status, json], [404, { message }], String(paths));
    }
  }
});

test('a job that is being cancelled still fetches and publishes; one that has ended does not', async () => {
  const stageRun = await lab.builds.stage('fetching', 1, 'test');
  const active = lab.builds.engine.state.active.stageRun(stageRun.id)!;
  await lab.builds.engine.stages.cancelJob([...active.active.values()][0]!, 'ann');
  assert.deepEqual(pathsOf((await list(1)).files), ['top']);
  assert.deepEqual((await lab.leave(work, { late: 'x' })).json, { missing: [] });
  await lab.agent.complete(work, 'Cancelled');
  await lab.agent.poll(AbortSignal.timeout(200)).catch(() => {}); // nothing to do
  assert.equal((await lab.fetch(work, 1, 'files')).status, 409);
});
