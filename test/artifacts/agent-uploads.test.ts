// Agents send artifacts to a whole server: cut off, repeated, at once, as another agent, with names that lead elsewhere.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PATH_BLOCKED } from '../../src/artifacts/path-blocked.ts';
import { TAR_END, tarHead } from '../../src/kit/tar/write.ts';
import { until } from '../support/until.ts';
import { AgentLab, tarOf } from './agent-lab.ts';
import { factsOf, usageOf } from './publication-lab.ts';

let lab: AgentLab;
before(async () => {
  lab = await AgentLab.start();
});
after(() => lab.stop());

const staged = ({ job, epoch }: { job: number; epoch: number }) => {
  const folder = join(lab.root, 'uploads', `${job}-${epoch}`);
  return existsSync(folder) ? readdirSync(folder) : [];
};
const ended = (work: Parameters<AgentLab['send']>[0]) => lab.agent.complete(work);

describe('a file', () => {
  test('is sent, published, and then seen; with its checksum, its usage and an event', async () => {
    const work = await lab.work();
    const sent = await lab.send(work, 'dist/größe x.txt', 'hello', { headers: { 'X-Svc-Artifact-Size': '5' } });
    assert.deepEqual([sent.status, sent.json], [200, { length: 5 }]);
    assert.equal(lab.published(work, 'dist/größe x.txt'), undefined);
    const file = factsOf('dist/größe x.txt', 'hello');
    const calls: unknown[] = [];
    lab.builds.parts.builds.artifacts.onPublished(async (job, type, files) => void calls.push([job.id, type, files.length]));
    const published = await lab.publish(work, [file], { folders: ['logs/', 'logs'] });
    assert.deepEqual([published.status, published.json], [200, { missing: [] }]);
    assert.equal(lab.published(work, 'dist/größe x.txt'), 'hello');
    assert.equal(lab.published(work, 'cruise-output/md5.checksum'), `dist/größe x.txt=${file.md5}\n`);
    assert.deepEqual(await lab.rows(work), ['dist/größe x.txt', 'logs/']);
    assert.deepEqual(await usageOf(lab.builds.parts.database, work.locator.pipeline), { files: 1, bytes: 5 });
    const events = (await lab.builds.server.get('/api/admin/events?page_size=5')).text;
    assert.match(events, /artifacts\.published/);
    assert.ok(!events.includes('größe'));
    assert.deepEqual(calls, [[work.job, 'build', 1]]);
    await ended(work);
    await until('the end of what it sent', () => staged(work).length === 0);
    assert.equal(lab.published(work, 'dist/größe x.txt'), 'hello');
  });

  test('goes on after a cut where it was, and only there', async () => {
    const work = await lab.work();
    await lab.sendPart(work, 'f', 'first ', () =>
      until('the first bytes', async () => (await lab.send(work, 'f', 'x', { offset: 99 })).json.length === 6).then(() => {}),
    );
    const there = await until('the end of the cut request', async () => {
      const answer = await lab.send(work, 'f', '', { offset: 99 });
      return answer.json.message.startsWith('There are not') && answer;
    });
    assert.deepEqual([there.status, there.json.length], [409, 6]);
    assert.deepEqual((await lab.publish(work, [factsOf('f', 'first ')])).json, { missing: ['f'] });
    assert.deepEqual((await lab.send(work, 'f', 'second', { offset: 6 })).json, { length: 12 });
    assert.deepEqual((await lab.publish(work, [factsOf('f', 'first second')])).json, { missing: [] });
    assert.equal(lab.published(work, 'f'), 'first second');
    await ended(work);
  });

  test('goes on after a restart of the server, and is published after the next one', async () => {
    const work = await lab.work();
    await lab.send(work, 'large', 'one', { headers: { 'X-Svc-Artifact-Size': '6' } });
    await lab.builds.restart();
    assert.deepEqual((await lab.send(work, 'large', '', { offset: 6 })).json.length, 3);
    assert.deepEqual((await lab.send(work, 'large', 'two', { offset: 3, headers: { 'X-Svc-Artifact-Size': '6' } })).json, { length: 6 });
    await lab.builds.restart();
    assert.deepEqual((await lab.publish(work, [factsOf('large', 'onetwo')])).json, { missing: [] });
    await lab.builds.restart();
    assert.deepEqual((await lab.publish(work, [factsOf('large', 'onetwo')])).json, { missing: [] });
    assert.equal(lab.published(work, 'large'), 'onetwo');
    await ended(work);
  });

  test('a file that is sent twice at once is taken once', async () => {
    const work = await lab.work();
    await lab.sendPart(work, 'f', 'abc', async () => {
      const second = await until('the conflict', async () => {
        const answer = await lab.send(work, 'f', 'xyz', { offset: 3 });
        return answer.json.length === 3 && answer;
      });
      assert.equal(second.status, 409);
      assert.match(second.json.message, /Another request sends this file/);
      assert.equal((await lab.sendAll(work, tarOf({ f: '1', g: '2' }))).status, 409);
      assert.equal((await lab.send(work, 'other', 'x')).status, 200);
    });
    assert.deepEqual((await lab.publish(work, [factsOf('g', '2')])).json, { missing: ['g'] });
    await ended(work);
  });

  test('a file with a wrong digest is missing at the publication; another file of the same path is refused', async () => {
    const work = await lab.work();
    await lab.send(work, 'f', 'broken');
    assert.deepEqual((await lab.publish(work, [factsOf('f', 'wanted')])).json, { missing: ['f'] });
    assert.deepEqual(await lab.rows(work), []);
    await lab.leave(work, { f: 'wanted' });
    const other = await lab.leave(work, { f: 'another' });
    assert.deepEqual([other.status, other.json.message], [409, "The file 'f' is published already, with other content."]);
    assert.equal(lab.published(work, 'f'), 'wanted');
    assert.equal((await lab.leave(work, { 'f/g': 'x' })).status, 409);
    await ended(work);
  });

  test('a file that was said to be small, or of no size, ends where the disk has no more room', async (t) => {
    const work = await lab.work();
    t.mock.method(lab.builds.parts.disk, 'roomForArtifacts', () => 1000);
    const long = 'x'.repeat(2000);
    const said: readonly Readonly<Record<string, string>>[] = [{}, { 'X-Svc-Artifact-Size': '1' }];
    for (const headers of said) {
      assert.equal((await lab.send(work, 'f', long, { headers })).status, 507);
      assert.equal((await lab.sendAll(work, tarOf({ f: long }), { headers })).status, 507);
      assert.equal((await lab.send(work, 'f', 'x', { headers })).status, 200);
    }
    await ended(work);
  });

  test('a file that the disk has no room for is refused before it comes', async () => {
    const work = await lab.work();
    await lab.builds.parts.disk.check();
    const headers = { 'X-Svc-Artifact-Size': '900000000000000' };
    const answers = [await lab.send(work, 'f', 'x', { headers }), await lab.sendAll(work, tarOf({ f: '1' }), { headers })];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [413, 413],
    );
    assert.equal((await lab.send(work, 'f', 'x', { headers: { 'X-Svc-Artifact-Size': 'much' } })).status, 400);
    assert.deepEqual(staged(work), []);
    await ended(work);
  });
});

describe('many files', () => {
  test('come as an archive, and are published together', async () => {
    const work = await lab.work();
    const files = { 'a/1': 'one', 'a/2': '', [`${'d/'.repeat(80)}ü`]: 'x'.repeat(100_000) };
    const sent = await lab.sendAll(work, tarOf({ ...files, 'a/': '' }));
    assert.deepEqual([sent.status, sent.json], [200, { files: 3 }]);
    const facts = Object.entries(files).map(([path, content]) => factsOf(path, content));
    assert.deepEqual((await lab.publish(work, facts)).json, { missing: [] });
    assert.equal(lab.published(work, `${'d/'.repeat(80)}ü`), 'x'.repeat(100_000));
    await ended(work);
  });

  test('are refused together where one entry is invalid', async () => {
    const work = await lab.work();
    const folder = mkdtempSync(join(tmpdir(), 'slipway-links-'));
    symlinkSync('/etc/passwd', join(folder, 'link'));
    const link = execFileSync('tar', ['-c', '-C', folder, 'link']);
    rmSync(folder, { recursive: true });
    const good = tarOf({ good: 'x' }).subarray(0, 1024);
    const bad = {
      'a link': [Buffer.concat([good, link]), /is a link/],
      'an absolute name': [tarOf({ good: 'x', '/etc/x': 'x' }), /must be relative/],
      'a name above': [tarOf({ good: 'x', '../x': 'x' }), /must not hold/],
      'a folder above': [tarOf({ good: 'x', '../x/': '' }), /must not hold/],
      'the console': [tarOf({ good: 'x', 'cruise-output/console.log': 'x' }), /the server itself/],
      'one name twice': [Buffer.concat([good, tarOf({ good: 'y' })]), /twice/],
      'a large file': [Buffer.concat([good, tarHead({ path: 'large', bytes: 1024 * 1024 + 1 })]), /more than 1048576 bytes/],
      'its end missing': [good, /cut off/],
      'too many': [
        Buffer.concat([...Array.from({ length: 10_001 }, (_, index) => tarHead({ path: String(index), bytes: 0 })), TAR_END]),
        /more than 10000/,
      ],
      'no archive': [Buffer.from('x'.repeat(2000)), /not taken/],
    } as const;
    for (const [what, [archive, pattern]] of Object.entries(bad)) {
      const { status, json } = await lab.sendAll(work, archive);
      assert.equal(status, 422, what);
      assert.match(json.message, pattern, what);
    }
    assert.deepEqual((await lab.publish(work, [factsOf('good', 'x')])).json, { missing: ['good'] });
    assert.deepEqual(staged(work), []);
    await ended(work);
  });
});

test('names that lead elsewhere are refused everywhere', async () => {
  const work = await lab.work();
  for (const path of ['../x', '/etc/passwd', 'a/../../b', 'a\\..\\b', '', 'a//b', 'cruise-output/console.state', 'x'.repeat(300)]) {
    assert.equal((await lab.send(work, path, 'x')).status, 422, path);
    assert.equal((await lab.publish(work, [factsOf(path, 'x')])).status, 422, path);
    if (path !== '') assert.equal((await lab.publish(work, [], { folders: [path] })).status, 422, path);
  }
  assert.deepEqual(staged(work), []);
  for (const body of [{}, { files: 'x', folders: [] }, { files: [{}], folders: [] }, { files: [{ path: 'a', bytes: -1 }], folders: [] }]) {
    const text = JSON.stringify({ instance: lab.agent.instance, epoch: work.epoch, type: 'build', ...body });
    const headers = { 'Content-Type': 'application/json' };
    assert.equal((await lab.ask('POST', `/agent/v1/jobs/${work.job}/artifacts/publication`, { body: text, headers })).status, 422, text);
  }
  await ended(work);
});

test('a path that is too long for the disk is refused, and not tried for ever', async () => {
  const work = await lab.work();
  const path = Array.from({ length: 16 }, () => 'x'.repeat(255)).join('/');
  const { status, json } = await lab.leave(work, { [path]: '1' });
  assert.equal(status, 422);
  assert.match(json.message, /too long/);
  await ended(work);
});

test('only the agent that works on a job leaves something for it, and only as long as it does', async () => {
  const work = await lab.work();
  const other = await lab.builds.agent();
  const file = factsOf('f', 'x');
  assert.equal((await lab.send(work, 'f', 'x', { as: other })).status, 409);
  assert.equal((await lab.sendAll(work, tarOf({ f: 'x' }), { as: other })).status, 409);
  assert.equal((await lab.publish(work, [file], { as: other })).status, 409);
  for (const Authorization of ['', 'Bearer wrong'])
    assert.equal((await lab.send(work, 'f', 'x', { headers: { Authorization } })).status, 401);
  assert.equal((await lab.ask('PUT', lab.file(work, 'f', 0, work.epoch + 1), { body: 'x' })).status, 409);
  assert.equal((await lab.publish(work, [file], { epoch: work.epoch + 1 })).status, 409);
  assert.equal((await lab.ask('PUT', lab.file({ ...work, job: 999_999 }, 'f'), { body: 'x' })).status, 409);
  assert.equal((await lab.ask('PUT', '/agent/v1/jobs/x/artifacts/file?epoch=1&path=f&offset=0', { body: 'x' })).status, 404);
  assert.equal((await lab.ask('PUT', `/agent/v1/jobs/${work.job}/artifacts/file?path=f&offset=0`, { body: 'x' })).status, 400);
  assert.deepEqual(staged(work), []);
  await lab.send(work, 'f', 'x');
  await ended(work);
  assert.equal((await lab.send(work, 'f', 'x')).status, 409);
  assert.equal((await lab.publish(work, [file])).status, 409);
  assert.deepEqual(await lab.rows(work), []);
});

test('the artifacts of an assignment go when the job is assigned again', async () => {
  const work = await lab.work();
  await lab.leave(work, { 'a/b': 'old', c: 'old' });
  await lab.send(work, 'late', 'x');
  await lab.agent.restart();
  const again = await lab.take();
  assert.deepEqual(again.locator, work.locator);
  await until('the end of what was left', () => lab.published(work, 'c') === undefined && staged(work).length === 0);
  assert.deepEqual(await lab.rows(work), []);
  assert.deepEqual(await usageOf(lab.builds.parts.database, work.locator.pipeline), { files: 0, bytes: 0 });
  assert.equal((await lab.send(work, 'late', 'x')).status, 409);
  assert.deepEqual((await lab.leave(again, { a: 'new' })).json, { missing: [] });
  assert.equal(lab.published(again, 'a'), 'new');
  await ended(again);
});

test('at its start the server deletes uploads of unknown assignments', async () => {
  const work = await lab.work();
  await lab.send(work, 'f', 'x');
  await lab.send(work, 'half', 'x', { headers: { 'X-Svc-Artifact-Size': '2' } });
  const { storage } = lab.builds.parts.builds.artifacts;
  await (await storage.receive({ job: 4711, epoch: 1 }, 'f', 'start')).close();
  await lab.builds.restart();
  await until('the end of what is left', () => !existsSync(join(lab.root, 'uploads/4711-1')));
  assert.equal(staged(work).length, 2);
  await ended(work);
});

test('links that lie in the way are not followed, and the agent gets 409', async () => {
  const work = await lab.work();
  const outside = mkdtempSync(join(tmpdir(), 'slipway-outside-'));
  await lab.send(work, 'way/f', 'x');
  await lab.leave(work, { first: 'x' });
  const link = join(lab.folder(work), 'way');
  symlinkSync(outside, link);
  const refused = async () => {
    const { status, json } = await lab.publish(work, [factsOf('way/f', 'x')]);
    assert.deepEqual([status, json.message], [409, PATH_BLOCKED]);
    assert.deepEqual(readdirSync(outside), []);
    assert.deepEqual(await lab.rows(work), ['first']);
  };
  await refused();
  rmSync(link);
  writeFileSync(link, 'a file');
  await refused();
  rmSync(link);
  mkdirSync(join(link, 'f', 'inside'), { recursive: true });
  await refused();
  rmSync(link, { recursive: true });
  assert.deepEqual((await lab.publish(work, [factsOf('way/f', 'x')])).json, { missing: [] });
  const staging = join(lab.root, 'uploads', `${work.job}-${work.epoch}`);
  rmSync(staging, { recursive: true });
  symlinkSync(outside, staging);
  assert.deepEqual((await lab.send(work, 'g', 'x')).json.message, PATH_BLOCKED);
  assert.deepEqual((await lab.sendAll(work, tarOf({ g: 'x' }))).json.message, PATH_BLOCKED);
  assert.deepEqual(readdirSync(outside), []);
  rmSync(staging);
  rmSync(outside, { recursive: true });
  await ended(work);
});
