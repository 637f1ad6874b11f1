// Publications: all or nothing, once, in one commit with the usage; also when the server dies in between.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Refusal } from '../../src/kit/refusal.ts';
import { factsOf, PublicationLab, usageOf } from './publication-lab.ts';

const refused = (kind: string, pattern: RegExp) => (failure: unknown) =>
  failure instanceof Refusal && failure.kind === kind && pattern.test(failure.message);

test('one commit publishes the files, with the usage, the event and the checksums', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const files = await lab.send(job, { 'pkg/app.jar': 'jar', 'größe x.txt': 'text', empty: '' });
  assert.deepEqual(await lab.paths(job), []);
  assert.deepEqual(await lab.publish(job, files, ['logs/old']), []);
  assert.deepEqual(await lab.paths(job), ['empty', 'größe x.txt', 'logs/old/', 'pkg/app.jar']);
  assert.deepEqual({ ...(await lab.artifacts.find(1, 'pkg/app.jar')) }, { job_id: 1, ...factsOf('pkg/app.jar', 'jar'), created_at: 1000 });
  assert.deepEqual(await usageOf(lab.database, 'app'), { files: 3, bytes: 7 });
  const data = { pipeline_counter: 1, stage: 'build', stage_counter: 1, job: 'compile', files: 3, bytes: 7 };
  assert.deepEqual(lab.events, [{ type: 'artifacts.published', actor: null, about: [{ resource: 'pipelines', id: 'App' }], data }]);
  const checksums = readFileSync(join(lab.root, 'pipelines/App/1/build/1/compile/cruise-output/md5.checksum'), 'utf8');
  assert.equal(checksums, files.map(({ path, md5 }) => `${path}=${md5}\n`).join(''));
  assert.deepEqual(lab.published, ['1 build pkg/app.jar,größe x.txt,empty']);
  assert.ok(existsSync(join(lab.root, 'pipelines/App/1/build/1/compile/logs/old')));
});

test('a repeated publication counts once, and more files can be published later', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const first = await lab.send(job, { a: '1' });
  await lab.publish(job, first, ['e']);
  assert.deepEqual(await lab.publish(job, first, ['e']), []);
  assert.equal(lab.events.length, 1);
  const more = await lab.send(job, { b: '22' });
  assert.deepEqual(await lab.publish(job, [...first, ...more], ['e']), []);
  assert.deepEqual(await usageOf(lab.database, 'app'), { files: 2, bytes: 3 });
  assert.equal(lab.events.length, 2);
  assert.deepEqual(lab.events[1]!.data.files, 1);
  assert.equal(lab.published.length, 3);
});

test('missing files and files with other facts are reported; then nothing is published', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const [a] = await lab.send(job, { a: '1', b: '2', c: '3' });
  const wrong = [factsOf('b', 'other'), { ...factsOf('c', '3'), bytes: 4 }, factsOf('d', 'never')];
  assert.deepEqual(await lab.publish(job, [a!, ...wrong]), ['b', 'c', 'd']);
  assert.deepEqual(await lab.paths(job), []);
  assert.equal(await usageOf(lab.database, 'app'), undefined);
  assert.deepEqual(lab.published, []);
  assert.equal(existsSync(join(lab.root, 'pipelines')), false);
  await lab.send(job, { b: 'other' });
  assert.deepEqual(await lab.publish(job, [a!, wrong[0]!]), []);
  assert.deepEqual(await lab.publish(lab.job(1, 2), [factsOf('x', 'x')]), ['x']);
});

test('another file of the same path, and a folder where a file is, are refused', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  await lab.publish(job, await lab.send(job, { a: '1', 'b/c': '2' }), ['e/f']);
  const cases: readonly (readonly [Record<string, string>, string[], RegExp])[] = [
    [{ a: '2' }, [], /'a' is published already, with other content/],
    [{ 'a/x': '1' }, [], /'a' cannot be a file and a folder/],
    [{ 'a/x/y': '1' }, [], /'a' cannot be/],
    [{ b: '1' }, [], /'b' cannot be/],
    [{ e: '1' }, [], /'e' cannot be/],
    [{ 'e/f': '1' }, [], /'e\/f' cannot be/],
    [{ x: '1' }, ['a'], /'a' cannot be/],
    [{ x: '1' }, ['a/b'], /'a' cannot be/],
  ];
  for (const [files, folders, pattern] of cases)
    await assert.rejects(
      lab.publish(job, await lab.send(job, files), folders),
      refused('conflict', pattern),
      JSON.stringify([files, folders]),
    );
  assert.deepEqual(await lab.paths(job), ['a', 'b/c', 'e/f/']);
  for (const [files, folders, pattern] of [
    [['x', 'x/y'], [], /'x' cannot be/],
    [['x', 'x'], [], /twice/],
    [['x'], ['x'], /'x' cannot be/],
    [['x'], ['x/y'], /'x' cannot be/],
    [['../x'], [], /not the path/],
    [[], ['/x'], /not the path/],
    [['cruise-output/console.log'], [], /the server itself/],
    [['cruise-output/console.log/x'], [], /the server itself/],
    [['cruise-output'], [], /'cruise-output' cannot be/],
    [['Pluggable-Artifact-Metadata'], [], /cannot be/],
  ] as const)
    await assert.rejects(
      lab.publish(
        job,
        files.map((path) => factsOf(path, '1')),
        folders,
      ),
      refused('invalid', pattern),
    );
  assert.deepEqual(await lab.publish(job, await lab.send(job, { 'e/f/g': '1', 'b/d': '1', ab: '1', 'a.b': '1' })), []);
});

test('the job may have been given to another agent meanwhile', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const files = await lab.send(job, { a: '1' });
  await assert.rejects(lab.publish(job, files, [], false), refused('conflict', /no longer belongs to this agent/));
  assert.deepEqual(await lab.paths(job), []);
});

test('killed between the files and the commit, the publication is said again and counts', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const files = await lab.send(job, { a: '1', 'b/c': '2' });
  lab.beforeCommit = () => Promise.reject(new Error('killed'));
  await assert.rejects(lab.publish(job, files), /killed/);
  assert.deepEqual(await lab.paths(job), []);
  assert.deepEqual(readdirSync(join(lab.root, 'uploads/1-1')), []);
  lab.beforeCommit = () => {};
  // The files in place are read: they are published only with their true digests.
  assert.deepEqual(await lab.publish(job, [files[0]!, factsOf('b/c', 'other')]), ['b/c']);
  assert.deepEqual(await lab.publish(job, files), []);
  assert.deepEqual(await usageOf(lab.database, 'app'), { files: 2, bytes: 2 });
  const checksums = readFileSync(join(lab.root, 'pipelines/App/1/build/1/compile/cruise-output/md5.checksum'), 'utf8');
  assert.equal(checksums.split('\n').length, 3);
});

test('a listener that throws cannot prevent a publication', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  lab.onPublished = () => {
    throw new Error('unreadable');
  };
  assert.deepEqual(await lab.publish(job, await lab.send(job, { a: '1' })), []);
  assert.equal(lab.failures.length, 1);
});

test('the files of an agent that lost its job go, and the next agent begins anew in the same place', async (t) => {
  const lab = await PublicationLab.for(t);
  const [old, other] = [lab.job(1), lab.job(3)];
  const next = lab.job(2, 2);
  await lab.publish(old, await lab.send(old, { a: '1', 'b/c': '2' }));
  await lab.publish(other, await lab.send(other, { x: '333' }));
  await lab.send(old, { late: '1' });
  await lab.publications.revoke(old);
  assert.deepEqual(await lab.paths(old), []);
  assert.deepEqual(await usageOf(lab.database, 'app'), { files: 1, bytes: 3 });
  assert.ok(!existsSync(join(lab.root, 'uploads/1-1')));
  assert.deepEqual(readdirSync(join(lab.root, 'pipelines/App/1/build/1/compile')), ['cruise-output']);
  await lab.publish(next, await lab.send(next, { 'a/b': '1' }));
  assert.deepEqual(await lab.paths(next), ['a/b']);
  assert.equal(await text((await lab.storage.read(other.identifier, 'x'))!), '333');
});

test('at the start only the uploads of running assignments stay', async (t) => {
  const lab = await PublicationLab.for(t);
  await lab.send(lab.job(1, 4), { a: '1' });
  await lab.send(lab.job(1, 5), { a: '1' });
  await lab.send(lab.job(3), { a: '1' });
  await lab.publications.discardLeftovers(({ job, epoch }) => job === 1 && epoch === 5);
  assert.deepEqual(await lab.storage.uploaders(), [{ job: 1, epoch: 5 }]);
  await lab.publications.end({ job: 1, epoch: 5 });
  assert.deepEqual(await lab.storage.uploaders(), []);
});

test('pages are in the order of paths, below a folder and after a path; a stage run goes with its usage', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const rows = ['a', 'a b', 'a/b', 'a/b/c', 'a/é', 'a0', 'b/', 'Z'].map((path) => ({
    job_id: 1,
    ...factsOf(path, '12'),
    ...(path.endsWith('/') && { bytes: 0, sha256: '', md5: '' }),
    created_at: 1,
  }));
  await lab.database.writeTransaction([
    ...lab.artifacts.add(rows),
    lab.artifacts.addUsage('app', 7, 14),
    lab.artifacts.addUsage('app', 1, 1),
  ]);
  assert.deepEqual(await lab.paths(job), ['Z', 'a', 'a b', 'a/b', 'a/b/c', 'a/é', 'a0', 'b/']);
  const page = async (below: string, after: string, limit = 100) =>
    (await lab.artifacts.page(1, { below, after }, limit)).map(({ path }) => path);
  assert.deepEqual(await page('a/', ''), ['a/b', 'a/b/c', 'a/é']);
  assert.deepEqual(await page('a/', 'a/b', 1), ['a/b/c']);
  assert.deepEqual(await page('', 'a/é'), ['a0', 'b/']);
  assert.equal(await lab.artifacts.findBelow(1, ['x/', 'a/b/']), 'a/b/c');
  assert.equal(await lab.artifacts.findBelow(1, ['b/', 'a/b/c/']), undefined);
  await lab.database.writeTransaction(lab.artifacts.removeOfJob(1, 'app'));
  assert.deepEqual(await lab.paths(job), []);
  assert.deepEqual(await usageOf(lab.database, 'app'), { files: 1, bytes: 1 });
});

test('ten thousand files are one commit', async (t) => {
  const lab = await PublicationLab.for(t);
  const job = lab.job(1);
  const contents = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`d${index % 50}/f${index}`, String(index)]));
  const began = performance.now();
  const files = await lab.send(job, contents);
  const sent = performance.now();
  assert.deepEqual(await lab.publish(job, files), []);
  t.diagnostic(`sent in ${Math.round(sent - began)} ms, published in ${Math.round(performance.now() - sent)} ms`);
  assert.equal(lab.events.length, 1);
  assert.equal((await usageOf(lab.database, 'app'))?.files, 10_000);
  assert.deepEqual(
    (await lab.artifacts.page(1, { after: 'd9/f99' }, 3)).map(({ path }) => path),
    ['d9/f9909', 'd9/f9959'],
  );
});
