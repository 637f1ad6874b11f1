// Artifacts in a folder, with real files: uploads, leftovers of a crash, publications, and that nothing outside is touched.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { OpenTransfers, TOO_MANY_TRANSFERS } from '../../src/artifacts/open-transfers.ts';
import { ArtifactFolder } from '../../src/artifacts/storage/folder.ts';
import { finishedName, keyOf, partName } from '../../src/artifacts/storage/staging.ts';
import { FileInUse } from '../../src/artifacts/storage/storage.ts';
import { syncMany } from '../../src/kit/files/sync-many.ts';

const JOB = { pipeline: 'app', pipelineCounter: 3, stage: 'build', stageCounter: 1, job: 'compile' };
const OTHER = { ...JOB, job: 'test' };
const UPLOADER = { job: 17, epoch: 2 };
const digest = (content: string, type = 'sha256') => createHash(type).update(content).digest('hex');

class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-artifacts-'));
  readonly root = join(this.folder, 'artifacts');
  readonly staging = join(this.root, 'uploads', '17-2');
  readonly jobFolder = join(this.root, 'pipelines/app/3/build/1/compile');
  /** Another one each time: as after a start of the server. */
  get storage(): ArtifactFolder {
    return new ArtifactFolder(() => this.root);
  }

  static for(context: TestContext): Lab {
    const lab = new Lab();
    context.after(() => rmSync(lab.folder, { recursive: true, force: true }));
    return lab;
  }

  async send(path: string, content: string, storage = this.storage): Promise<string> {
    const file = await storage.receive(UPLOADER, path, 'start');
    await file.append(Buffer.from(content));
    return (await file.finish()).sha256;
  }

  async sendAll(files: Readonly<Record<string, string>>, storage = this.storage): Promise<number> {
    return storage.receiveAll(UPLOADER, filesOf(files));
  }

  async read(path: string, range?: { start: number; end: number }): Promise<string | undefined> {
    const stream = await this.storage.read(JOB, path, range);
    return stream && text(stream);
  }
}

async function* filesOf(files: Readonly<Record<string, string>>) {
  for (const [path, content] of Object.entries(files)) yield { path, bytes: Buffer.from(content) };
}

test('a file comes in pieces, cannot be read before it is published, and then whole or in part', async (t) => {
  const lab = Lab.for(t);
  const { storage } = lab;
  const file = await storage.receive(UPLOADER, 'größe/a b.txt', 'start');
  await file.append(Buffer.from('hello '));
  await file.append(Buffer.from('world'));
  assert.equal(file.length, 11);
  assert.deepEqual(await file.finish(), { sha256: digest('hello world') });
  assert.equal(await lab.read('größe/a b.txt'), undefined);
  await storage.publish(UPLOADER, JOB, ['größe/a b.txt', 'empty/deep/']);
  assert.equal(await lab.read('größe/a b.txt'), 'hello world');
  assert.equal(await lab.read('größe/a b.txt', { start: 6, end: 8 }), 'wor');
  assert.equal(statSync(join(lab.jobFolder, 'größe/a b.txt')).mode & 0o777, 0o600);
  assert.ok(statSync(join(lab.jobFolder, 'empty/deep')).isDirectory());
  assert.deepEqual(readdirSync(lab.staging), []);
  assert.deepEqual(await storage.examine(JOB, 'größe/a b.txt'), { bytes: 11, sha256: digest('hello world') });
  assert.equal(await storage.examine(JOB, 'other'), undefined);
});

test('after a cut and a start of the server a file goes on where it ended, with the digest of all of it', async (t) => {
  const lab = Lab.for(t);
  const first = await lab.storage.receive(UPLOADER, 'large', 'start');
  await first.append(Buffer.from('x'.repeat(700_000)));
  await first.close();
  assert.equal((await lab.storage.finished(UPLOADER, ['large'])).size, 0);
  const again = await lab.storage.receive(UPLOADER, 'large', 'end');
  assert.equal(again.length, 700_000);
  await again.append(Buffer.from('yz'));
  const sha256 = digest(`${'x'.repeat(700_000)}yz`);
  assert.deepEqual(await again.finish(), { sha256 });
  assert.deepEqual(await lab.storage.finished(UPLOADER, ['large', 'none']), new Map([['large', { bytes: 700_002, sha256 }]]));
});

test('a finished file can be gone on with, finished again as it is, and begun anew', async (t) => {
  const lab = Lab.for(t);
  await lab.send('f', 'one');
  const same = await lab.storage.receive(UPLOADER, 'f', 'end');
  assert.equal(same.length, 3);
  assert.deepEqual(await same.finish(), { sha256: digest('one') });
  const more = await lab.storage.receive(UPLOADER, 'f', 'end');
  await more.append(Buffer.from('two'));
  assert.deepEqual(await more.finish(), { sha256: digest('onetwo') });
  assert.equal(await lab.send('f', '3'), digest('3'));
  assert.equal(readdirSync(lab.staging).length, 1);
  assert.equal(await lab.send('empty', ''), digest(''));
});

test('a file is sent by one at a time, and a second sender learns its length so far', async (t) => {
  const { storage } = Lab.for(t);
  const file = await storage.receive(UPLOADER, 'f', 'start');
  await file.append(Buffer.from('abc'));
  const isInUse = (failure: unknown) => failure instanceof FileInUse && failure.length === 3;
  await assert.rejects(storage.receive(UPLOADER, 'f', 'end'), isInUse);
  await assert.rejects(storage.receiveAll(UPLOADER, filesOf({ other: 'x', f: 'y' })), isInUse);
  assert.equal((await storage.finished(UPLOADER, ['other'])).size, 0);
  await (await storage.receive({ ...UPLOADER, epoch: 3 }, 'f', 'start')).close();
  await file.close();
  await (await storage.receive(UPLOADER, 'f', 'end')).close();
  await (await storage.receive(UPLOADER, 'other', 'end')).close();
});

test('small files come together, all or none', async (t) => {
  const lab = Lab.for(t);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`d/${index}`, `content ${index}`]));
  assert.equal(await lab.sendAll(many), 100);
  assert.equal((await lab.storage.finished(UPLOADER, Object.keys(many))).size, 100);
  assert.deepEqual((await lab.storage.finished(UPLOADER, ['d/7'])).get('d/7'), { bytes: 9, sha256: digest('content 7') });
  async function* broken() {
    yield* filesOf({ one: '1', two: '2' });
    throw new Error('cut off');
  }
  await assert.rejects(lab.storage.receiveAll(UPLOADER, broken()), /cut off/);
  assert.equal((await lab.storage.finished(UPLOADER, ['one', 'two'])).size, 0);
  assert.equal(readdirSync(lab.staging).length, 100);
  assert.equal(await lab.sendAll({ 'd/7': 'other' }), 1);
  assert.deepEqual((await lab.storage.finished(UPLOADER, ['d/7'])).get('d/7'), { bytes: 5, sha256: digest('other') });
  assert.equal(readdirSync(lab.staging).length, 100);
});

test('files that were moved before a crash are there; a file that did not come cannot be published', async (t) => {
  const lab = Lab.for(t);
  await lab.sendAll({ a: '1', 'b/c': '2' });
  await lab.storage.publish(UPLOADER, JOB, ['a']);
  await lab.storage.publish(UPLOADER, JOB, ['a', 'b/c']);
  await lab.storage.publish(UPLOADER, JOB, ['a', 'b/c']);
  assert.deepEqual([await lab.read('a'), await lab.read('b/c')], ['1', '2']);
  await assert.rejects(lab.storage.publish(UPLOADER, JOB, ['never']), /did not come/);
});

test('checksums are added once, also after part of a line that a crash left', async (t) => {
  const lab = Lab.for(t);
  const file = join(lab.jobFolder, 'cruise-output/md5.checksum');
  const [a, b] = [
    { path: 'a=1', md5: digest('1', 'md5') },
    { path: 'b c', md5: digest('2', 'md5') },
  ];
  await lab.storage.addChecksums(JOB, [a]);
  await lab.storage.addChecksums(JOB, [a, b]);
  assert.equal(readFileSync(file, 'utf8'), `a=1=${a.md5}\nb c=${b.md5}\n`);
  writeFileSync(file, `a=1=${a.md5}\nb c=${b.md5.slice(0, 7)}`);
  await lab.storage.addChecksums(JOB, [a, b]);
  assert.equal(readFileSync(file, 'utf8'), `a=1=${a.md5}\nb c=${b.md5}\n`);
});

test('the uploads of assignments are listed and discarded, each for itself', async (t) => {
  const lab = Lab.for(t);
  assert.deepEqual(await lab.storage.uploaders(), []);
  await lab.send('f', 'x');
  await (await lab.storage.receive({ job: 18, epoch: 1 }, 'f', 'start')).close();
  mkdirSync(join(lab.root, 'uploads/something else'));
  assert.deepEqual(
    (await lab.storage.uploaders()).toSorted((one, other) => one.job - other.job),
    [UPLOADER, { job: 18, epoch: 1 }],
  );
  await lab.storage.discard(UPLOADER);
  await lab.storage.discard(UPLOADER);
  assert.deepEqual(await lab.storage.uploaders(), [{ job: 18, epoch: 1 }]);
});

test('a stage run is deleted, or one of its jobs; consoles and metadata of plugins stay', async (t) => {
  const lab = Lab.for(t);
  await lab.sendAll({ a: '1', 'pluggable-artifact-metadata/x.json': '{}' });
  await lab.storage.publish(UPLOADER, JOB, ['a', 'pluggable-artifact-metadata/x.json']);
  await lab.storage.addChecksums(JOB, []);
  await lab.sendAll({ b: '1' });
  await lab.storage.publish(UPLOADER, OTHER, ['b']);
  assert.deepEqual(await lab.storage.remove(JOB), []);
  assert.deepEqual(readdirSync(lab.jobFolder).toSorted(), ['cruise-output', 'pluggable-artifact-metadata']);
  assert.ok(existsSync(join(lab.jobFolder, '../test/b')));
  const { job: _, ...stage } = JOB;
  assert.deepEqual(await lab.storage.remove(stage), []);
  assert.ok(!existsSync(join(lab.jobFolder, '../test/b')));
});

test('the state of a finished file is right after it is sent again, sent as an archive, published or discarded', async (t) => {
  const lab = Lab.for(t);
  const { storage } = lab;
  const names = () => readdirSync(lab.staging).sort();
  const lengthOf = async (path: string) => {
    const file = await storage.receive(UPLOADER, path, 'end');
    await file.close();
    return file.length;
  };
  const nameOf = (path: string, content: string) => finishedName(keyOf(path), { bytes: content.length, sha256: digest(content) });
  await lab.send('a', 'first', storage);
  await lab.send('a', 'second', storage);
  assert.deepEqual(names(), [nameOf('a', 'second')]);
  const more = await storage.receive(UPLOADER, 'a', 'end');
  assert.equal(more.length, 6);
  await more.append(Buffer.from(' and more'));
  await more.finish();
  assert.deepEqual(names(), [nameOf('a', 'second and more')]);
  await lab.sendAll({ a: 'archived' }, storage);
  await lab.send('a', 'third', storage);
  assert.deepEqual(names(), [nameOf('a', 'third')]);
  await storage.publish(UPLOADER, JOB, ['a']);
  assert.equal(await lengthOf('a'), 0);
  await storage.discard(UPLOADER);
  await lab.send('b', 'anew', storage);
  assert.deepEqual(names(), [nameOf('b', 'anew')]);
  // The file is deleted behind the server's back: the next upload begins anew.
  rmSync(join(lab.staging, nameOf('b', 'anew')));
  await assert.rejects(storage.receive(UPLOADER, 'b', 'end'), { code: 'ENOENT' });
  assert.equal(await lengthOf('b'), 0);
});

test('each of many files is taken without a look at all others', async (t) => {
  const lab = Lab.for(t);
  const { storage } = lab;
  await lab.sendAll({ a: 'x', b: 'x' }, storage);
  const listed = t.mock.method(promises, 'readdir');
  syncBuiltinESMExports();
  t.after(() => {
    listed.mock.restore();
    syncBuiltinESMExports();
  });
  for (let index = 0; index < 50; index++) await lab.send(`single/${index}`, 'x', storage);
  assert.equal(listed.mock.callCount(), 1);
  assert.equal((await storage.finished(UPLOADER, ['a', 'single/49'])).size, 2);
});

test('the number of open transfers is limited, and more are refused until one ends', async (t) => {
  const lab = Lab.for(t);
  const storage = new ArtifactFolder(() => lab.root, new OpenTransfers(2));
  const refused = (work: Promise<unknown>) => assert.rejects(work, { message: TOO_MANY_TRANSFERS });
  const [one, two] = [await storage.receive(UPLOADER, 'one', 'start'), await storage.receive(UPLOADER, 'two', 'start')];
  await refused(storage.receive(UPLOADER, 'three', 'start'));
  await refused(storage.read(JOB, 'one'));
  await one.finish();
  await lab.send('three', 'x', storage);
  await two.close();
  await storage.publish(UPLOADER, JOB, ['one', 'three']);
  const reading = [await storage.read(JOB, 'one'), await storage.read(JOB, 'three')];
  await refused(storage.read(JOB, 'three'));
  reading[0]!.destroy();
  assert.equal(await text(reading[1]!), 'x');
  // A missing file, and one that cannot be opened, do not count as open.
  for (let count = 0; count < 3; count++) assert.equal(await storage.read(JOB, 'none'), undefined);
  for (let count = 0; count < 3; count++) await assert.rejects(storage.read({ ...JOB, job: '..' }, 'a'), /not the place/);
  assert.equal(await text((await storage.read(JOB, 'three'))!), 'x');
});

test('links are followed nowhere: in the staging area, above it, in the folder of the job', async (t) => {
  const lab = Lab.for(t);
  const outside = join(lab.folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  const unchanged = () => {
    assert.deepEqual(readdirSync(outside), ['secret']);
    assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
  };
  mkdirSync(lab.staging, { recursive: true });
  // A file that comes, and one that seems to be finished.
  symlinkSync(join(outside, 'secret'), join(lab.staging, partName(keyOf('f'))));
  await assert.rejects(lab.storage.receive(UPLOADER, 'f', 'end'), /not a file/);
  await assert.rejects(lab.storage.receiveAll(UPLOADER, filesOf({ f: 'x' })), { code: 'ELOOP' });
  symlinkSync(join(outside, 'secret'), join(lab.staging, finishedName(keyOf('g'), { bytes: 6, sha256: digest('secret') })));
  assert.equal((await lab.storage.finished(UPLOADER, ['g'])).size, 0);
  await assert.rejects(lab.storage.publish(UPLOADER, JOB, ['g']), /did not come/);
  unchanged();
  // In the folder of the job.
  mkdirSync(lab.jobFolder, { recursive: true });
  symlinkSync(outside, join(lab.jobFolder, 'way'));
  symlinkSync(join(outside, 'secret'), join(lab.jobFolder, 'file'));
  await lab.sendAll({ 'way/in': 'x', file: 'y' });
  await assert.rejects(lab.storage.publish(UPLOADER, JOB, ['way/in']), /not a folder/);
  assert.equal(await lab.storage.read(JOB, 'way/secret'), undefined);
  assert.equal(await lab.storage.read(JOB, 'file'), undefined);
  await assert.rejects(lab.storage.examine(JOB, 'file'), /not a file/);
  await lab.storage.publish(UPLOADER, JOB, ['file']);
  assert.equal(await lab.read('file'), 'y');
  unchanged();
  // Deleting: the link goes, its target stays; a link above it is reported.
  assert.deepEqual(await lab.storage.remove(JOB), []);
  assert.ok(!existsSync(join(lab.jobFolder, 'way')));
  unchanged();
  rmSync(lab.jobFolder, { recursive: true });
  symlinkSync(outside, lab.jobFolder);
  const { job: _, ...stage } = JOB;
  assert.deepEqual(await lab.storage.remove(stage), []);
  assert.match((await lab.storage.remove(JOB))[0]!, /not a folder/);
  assert.match((await lab.storage.remove({ ...JOB, stage: '..' }))[0]!, /a name that is none/);
  unchanged();
  // The staging area itself.
  rmSync(lab.staging, { recursive: true });
  symlinkSync(outside, lab.staging);
  await assert.rejects(lab.send('x', 'x'), /not a folder/);
  await assert.rejects(lab.storage.discard(UPLOADER), /not a folder/);
  unchanged();
});

test('a name that is none leads nowhere', async (t) => {
  const { storage } = Lab.for(t);
  await assert.rejects(storage.read({ ...JOB, job: '..' }, 'a'), /not the place of a job/);
  await assert.rejects(storage.publish(UPLOADER, { ...JOB, pipeline: '../x' }, ['a']), /not the place of a job/);
});

test('where the program that syncs is missing, files are synced one by one', async (t) => {
  const lab = Lab.for(t);
  const paths = Array.from({ length: 50 }, (_, index) => join(lab.folder, String(index)));
  for (const path of paths) writeFileSync(path, 'x');
  await syncMany(lab.folder, paths, 'there-is-no-such-program');
  await assert.rejects(syncMany(lab.folder, [...paths, join(lab.folder, 'missing')], 'there-is-no-such-program'), { code: 'ENOENT' });
});
