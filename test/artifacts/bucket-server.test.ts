// A whole server whose artifacts lie in a bucket: users and agents, links, retention, and a store that goes away and comes back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { job, stage } from '../builds/engine/lab.ts';
import { TestBucket } from '../support/services/s3.ts';
import { until } from '../support/until.ts';
import { AgentLab } from './agent-lab.ts';
import { ArtifactLab, JOB, LOCATOR } from './artifact-lab.ts';

const LARGE = Buffer.alloc(17 * 1024 * 1024, 'slipway ');

let store: TestBucket;
before(async () => {
  store = await TestBucket.start();
});
after(() => store.stop());
afterEach(() => {
  store.mayPass = () => true;
});

describe('users', () => {
  let lab: ArtifactLab;
  before(async () => {
    lab = await ArtifactLab.start({ ...store.artifactOptions('people'), 'artifacts-presigned': 'true' });
    await lab.publishFiles({ 'dist/a b.txt': '0123456789', 'dist/c.txt': 'c', empty: '' });
  });
  after(() => lab.stop());

  const keys = () => store.keys().filter((key) => key.startsWith('people/'));

  test('send files, which are in the bucket alone', () => {
    assert.deepEqual(
      keys(),
      ['dist/a b.txt', 'dist/c.txt', 'empty'].map((path) => `people/pipelines/${LOCATOR}/${path}`),
    );
    assert.equal(existsSync(join(lab.folder, 'dist')), false);
  });

  test('read files whole, in part, as a list and as an archive', async () => {
    const whole = await lab.ask(`${JOB}/dist/a%20b.txt`);
    assert.deepEqual([whole.status, whole.text], [200, '0123456789']);
    const part = await lab.ask(`${JOB}/dist/a%20b.txt`, { headers: { Range: 'bytes=3-5' } });
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, '345', 'bytes 3-5/10']);
    assert.deepEqual([(await lab.ask(`${JOB}/empty`)).status, (await lab.ask(`${JOB}/none`)).status], [200, 404]);
    const asked = store.asked.length;
    assert.equal((await lab.ask(`${JOB}/dist`)).json.length, 2);
    assert.equal(store.asked.length, asked);
    const folder = mkdtempSync(join(tmpdir(), 'slipway-zip-'));
    writeFileSync(join(folder, 'dist.zip'), (await lab.ask(`${JOB}/dist.zip`)).bytes);
    assert.equal(execFileSync('unzip', ['-p', join(folder, 'dist.zip'), 'dist/a b.txt'], { encoding: 'utf8' }), '0123456789');
    rmSync(folder, { recursive: true });
  });

  test('get 404 for a file that was cut short in the bucket, and nobody waits for the rest of it', async () => {
    await lab.publishFiles({ 'cut.bin': '0123456789' });
    truncateSync(store.fileOf(`people/pipelines/${LOCATOR}/cut.bin`), 7);
    assert.equal((await lab.ask(`${JOB}/cut.bin`)).status, 404);
    assert.deepEqual([(await lab.ask(`${JOB}/cut.bin`, { headers: { Range: 'bytes=2-3' } })).text], ['23']);
    rmSync(store.fileOf(`people/pipelines/${LOCATOR}/cut.bin`));
    await lab.change("delete from artifacts where path = 'cut.bin'");
  });

  test('do not overwrite a file, and add to it', async () => {
    assert.equal((await lab.post('dist/c.txt', { file: 'other' })).status, 403);
    assert.equal((await lab.put('dist/c.txt', 'd')).status, 200);
    assert.equal((await lab.ask(`${JOB}/dist/c.txt`)).text, 'cd');
    assert.equal(keys().length, 3);
  });

  test('get a large file from the bucket itself, if they may see it', async () => {
    assert.equal((await lab.post('large.bin', { file: new Uint8Array(LARGE) })).status, 201);
    const answer = await lab.ask(`${JOB}/large.bin`);
    assert.deepEqual([answer.status, answer.text, answer.headers.get('cache-control')], [302, '', 'no-store']);
    const got = await fetch(answer.headers.get('location')!);
    assert.equal(LARGE.equals(Buffer.from(await got.arrayBuffer())), true);
    assert.equal((await lab.ask(`${JOB}/large.bin`, { as: lab.stranger })).status, 403);
  });

  test('are told to wait while the bucket is away, and administrators why', async () => {
    store.mayPass = () => false;
    const { status, json, headers } = await lab.ask(`${JOB}/dist/c.txt`);
    assert.equal(status, 503);
    assert.match(json.message, /^The bucket of the artifacts does not answer\. Try again later/);
    assert.equal(headers.get('retry-after'), '15');
    assert.equal((await lab.post('new.txt', { file: 'x' })).status, 503);
    assert.equal((await lab.ask(`${JOB}.json`)).status, 200);
    const messages = async () =>
      (await lab.runs.server.get('/api/server_health_messages')).json.filter(({ message }: { message: string }) => /bucket/.test(message));
    const [{ level, message, detail }] = await messages();
    assert.equal(level, 'ERROR');
    assert.match(`${message} ${detail}`, /s3:\/\/backups\/people, cannot be used\..*SLIPWAY_ARTIFACTS_ENDPOINT/);
    assert.doesNotMatch(`${message} ${detail}`, /S3RVER/);
    store.mayPass = () => true;
    assert.equal((await lab.ask(`${JOB}/dist/c.txt`)).text, 'cd');
    assert.deepEqual(await messages(), []);
  });

  test('keep the console in the folder', async () => {
    await lab.put('cruise-output/console.log', 'hello\n');
    assert.equal(existsSync(join(lab.folder, 'cruise-output/console.log')), true);
    assert.match((await lab.ask(`${JOB}/cruise-output/console.log`)).text, /hello/);
  });

  test('are shown no disk, for there is none to make room on', async () => {
    const headers = { Accept: 'application/vnd.go.cd+json' };
    const usage = await lab.ask('/api/admin/artifacts/usage', { headers });
    assert.match(usage.text, /"disk_free_bytes":\s*null/);
    const preview = await lab.ask('/api/admin/artifacts/purge_preview', { headers });
    assert.match(preview.text, /"free_bytes":\s*null/);
  });
});

describe('agents', () => {
  let lab: AgentLab;
  before(async () => {
    lab = await AgentLab.start(store.artifactOptions('agents'));
  });
  after(() => lab.stop());

  const keys = () => store.keys().filter((key) => key.startsWith('agents/'));

  test('publish and fetch, large files and small ones', async () => {
    const task = {
      type: 'fetch',
      attributes: {
        artifact_origin: 'gocd',
        pipeline: '',
        stage: 'build',
        job: 'compile',
        source: 'dist',
        is_source_a_file: false,
        run_if: [],
      },
    };
    const stages = [stage('build'), stage('test', { jobs: [job('check', { tasks: [task] })] })];
    const built = await lab.work(stages, 'fetching');
    assert.equal((await lab.send(built, 'dist/large.bin', LARGE)).status, 200);
    assert.deepEqual(
      keys().map((key) => key.split('/')[1]),
      ['uploads', 'uploads'],
    );
    assert.deepEqual((await lab.leave(built, { 'dist/a': 'one', 'dist/b': 'two' })).json, { missing: [] });
    const [sha256, md5] = ['sha256', 'md5'].map((type) => createHash(type).update(LARGE).digest('hex')) as [string, string];
    assert.deepEqual((await lab.publish(built, [{ path: 'dist/large.bin', bytes: LARGE.length, sha256, md5 }])).json, { missing: [] });
    assert.deepEqual(
      keys(),
      ['a', 'b', 'large.bin'].map((name) => `agents/pipelines/fetching/1/build/1/compile/dist/${name}`),
    );
    await lab.agent.complete(built);
    const work = await lab.take();
    const fetched = work.tasks.find((one) => one.type === 'fetch')!;
    assert.equal((await lab.fetch(work, fetched.id, 'file', { path: 'large.bin' })).body.equals(LARGE), true);
    assert.equal(String((await lab.fetch(work, fetched.id, 'file', { path: 'a' }, { headers: { Range: 'bytes=1-1' } })).body), 'n');
    await lab.agent.complete(work);
  });

  test('agents whose job has ended leave nothing in the staging area', async () => {
    const work = await lab.work();
    await lab.send(work, 'left.bin', 'left');
    assert.equal(keys().filter((key) => key.startsWith('agents/uploads/')).length, 1);
    await lab.agent.complete(work);
    await until('nothing is left', () => keys().every((key) => !key.startsWith('agents/uploads/')));
  });
});
