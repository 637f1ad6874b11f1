// Artifacts in a bucket, with a real store: uploads, leftovers of a crash, publications, and messages when the store is away.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { ArtifactBucket } from '../../src/artifacts/storage/bucket/bucket.ts';
import { PART_BYTES } from '../../src/artifacts/storage/bucket/bucket-file.ts';
import type { BucketMessage } from '../../src/artifacts/storage/bucket/bucket-messages.ts';
import type { FileInUse } from '../../src/artifacts/storage/storage.ts';
import { TestBucket } from '../support/services/s3.ts';

const JOB = { pipeline: 'app', pipelineCounter: 3, stage: 'build', stageCounter: 1, job: 'compile' };
const OTHER = { ...JOB, job: 'test' };
const UPLOADER = { job: 17, epoch: 2 };
const LARGE = randomBytes(2 * PART_BYTES + 12345);
const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

let store: TestBucket;
let folder: string;
let prefix: string;
let troubles: (BucketMessage | undefined)[];
let number = 0;

before(async () => {
  store = await TestBucket.start();
});
after(() => store.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-bucket-'));
  prefix = `place-${++number}`;
  troubles = [];
  store.asked.length = 0;
  store.uploads.clear();
});
afterEach(() => {
  store.mayPass = () => true;
  store.refuse = () => undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Another one each time: as after a start of the server. */
function open(more: { readonly linkedFrom?: number } = {}): ArtifactBucket {
  const address = { ...store.settings, prefix };
  return new ArtifactBucket({ address, folder: () => folder, onTrouble: (trouble) => troubles.push(trouble), firstPauseMs: 1, ...more });
}

async function* filesOf(files: Readonly<Record<string, string>>) {
  for (const [path, content] of Object.entries(files)) yield { path, bytes: Buffer.from(content) };
}

async function send(storage: ArtifactBucket, path: string, content: string | Buffer): Promise<string> {
  const file = await storage.receive(UPLOADER, path, 'start');
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += 1_000_000) await file.append(bytes.subarray(at, at + 1_000_000));
  return (await file.finish()).sha256;
}

async function read(storage: ArtifactBucket, path: string, range?: { start: number; end: number }): Promise<string | undefined> {
  const stream = await storage.read(JOB, path, range);
  return stream && text(stream);
}

const own = () => store.keys().filter((key) => key.startsWith(`${prefix}/`));
const published = () => own().filter((key) => key.startsWith(`${prefix}/pipelines/`));
const at = (path: string) => `${prefix}/pipelines/app/3/build/1/compile/${path}`;

describe('a file', () => {
  test('cannot be read before it is published, and then whole or in part', async () => {
    const storage = open();
    const file = await storage.receive(UPLOADER, 'größe/a b#?.txt', 'start');
    await file.append(Buffer.from('hello '));
    await file.append(Buffer.from('world'));
    assert.equal(file.length, 11);
    const { sha256 } = await file.finish();
    assert.equal(sha256, digest('hello world'));
    assert.deepEqual(await storage.finished(UPLOADER, ['größe/a b#?.txt', 'other']), new Map([['größe/a b#?.txt', { bytes: 11, sha256 }]]));
    assert.equal(await read(storage, 'größe/a b#?.txt'), undefined);
    assert.deepEqual(published(), []);
    await open().publish(UPLOADER, JOB, ['größe/a b#?.txt', 'empty/']);
    assert.equal(own().length, 1);
    assert.equal(await read(storage, 'größe/a b#?.txt'), 'hello world');
    assert.equal(await read(storage, 'größe/a b#?.txt', { start: 4, end: 6 }), 'o w');
    assert.equal(await read(storage, 'größe/a b#?.txt', { start: 40, end: 60 }), undefined);
    assert.deepEqual(await storage.examine(JOB, 'größe/a b#?.txt'), { bytes: 11, sha256 });
  });

  test('a file that is shorter in the bucket than it should be is as good as gone', async () => {
    const storage = open();
    await send(storage, 'cut.txt', 'hello world');
    await storage.publish(UPLOADER, JOB, ['cut.txt']);
    truncateSync(store.fileOf(at('cut.txt')), 5);
    assert.equal(await read(storage, 'cut.txt', { start: 0, end: 10 }), undefined);
    assert.equal(await read(storage, 'cut.txt', { start: 3, end: 10 }), undefined);
    assert.equal(await read(storage, 'cut.txt', { start: 0, end: 4 }), 'hello');
  });

  test('a file that is large comes in parts, and goes on after a cut within the same process', async () => {
    const storage = open();
    const first = await storage.receive(UPLOADER, 'large.bin', 'start');
    await first.append(LARGE.subarray(0, PART_BYTES + 100));
    await assert.rejects(storage.receive(UPLOADER, 'large.bin', 'end'), (failure: FileInUse) => failure.length === PART_BYTES + 100);
    await first.close();
    const second = await storage.receive(UPLOADER, 'large.bin', 'end');
    assert.equal(second.length, PART_BYTES + 100);
    await second.append(LARGE.subarray(second.length));
    assert.equal((await second.finish()).sha256, digest(LARGE));
    assert.deepEqual(
      await open().finished(UPLOADER, ['large.bin']),
      new Map([['large.bin', { bytes: LARGE.length, sha256: digest(LARGE) }]]),
    );
    // A finished upload is known, and can be continued.
    const third = await open().receive(UPLOADER, 'large.bin', 'end');
    assert.equal(third.length, LARGE.length);
    assert.equal((await third.finish()).sha256, digest(LARGE));
    const fourth = await open().receive(UPLOADER, 'large.bin', 'end');
    await fourth.append(Buffer.from('more'));
    assert.equal((await fourth.finish()).sha256, digest(Buffer.concat([LARGE, Buffer.from('more')])));
    await storage.publish(UPLOADER, JOB, ['large.bin']);
    assert.deepEqual(own(), [at('large.bin')]);
    const content = await buffer((await storage.read(JOB, 'large.bin'))!);
    assert.equal(digest(content.subarray(0, LARGE.length)), digest(LARGE));
    assert.equal(store.uploads.size, 0);
  });

  test('begins anew after a crash, and its open upload is aborted at the start', async () => {
    const lost = await open().receive(UPLOADER, 'large.bin', 'start');
    await lost.append(LARGE);
    assert.equal(store.uploads.size, 1);
    const storage = open();
    await storage.start();
    assert.equal(store.uploads.size, 0);
    assert.equal((await storage.receive(UPLOADER, 'large.bin', 'end')).length, 0);
  });

  test('is continued by the next request after the connection to the store breaks', async () => {
    const storage = open();
    const file = await storage.receive(UPLOADER, 'large.bin', 'start');
    store.mayPass = (request) => !request.includes('partNumber=2');
    await assert.rejects(file.append(LARGE), { kind: 'unavailable' });
    await file.close();
    store.mayPass = () => true;
    const again = await storage.receive(UPLOADER, 'large.bin', 'end');
    assert.equal(again.length, LARGE.length);
    assert.equal((await again.finish()).sha256, digest(LARGE));
    assert.deepEqual(
      troubles.map((trouble) => trouble !== undefined),
      [true, false],
    );
  });

  test('a file with a path longer than a key is kept, and goes with the others', async () => {
    const storage = open();
    const path = `${'ü'.repeat(120)}/`.repeat(6);
    for (const long of [`${path}a`, `${path}b`]) await send(storage, long, long.slice(-1));
    await storage.publish(UPLOADER, JOB, [`${path}a`, `${path}b`]);
    assert.deepEqual([await read(storage, `${path}a`), await read(storage, `${path}b`)], ['a', 'b']);
    assert.deepEqual(await storage.remove(JOB), []);
    assert.deepEqual(own(), []);
  });

  test('comes from the folder where it was before there was a bucket', async () => {
    mkdirSync(join(folder, 'pipelines/app/3/build/1/compile'), { recursive: true });
    writeFileSync(join(folder, 'pipelines/app/3/build/1/compile/old.txt'), 'old');
    assert.equal(await read(open(), 'old.txt'), 'old');
    assert.deepEqual(
      await open().readAll(JOB, [
        { path: 'old.txt', bytes: 3 },
        { path: 'none', bytes: 3 },
      ]),
      [Buffer.from('old'), undefined],
    );
    assert.equal(await open().examine(JOB, 'old.txt'), undefined);
  });

  test('is read on where the way from the store breaks', async () => {
    const storage = open();
    await send(storage, 'large.bin', LARGE);
    await storage.publish(UPLOADER, JOB, ['large.bin']);
    store.cutAnswerAfter = 3_000_000;
    assert.equal(digest(await buffer((await storage.read(JOB, 'large.bin'))!)), digest(LARGE));
    store.cutAnswerAfter = 3_000_000;
    const range = { start: 100, end: PART_BYTES };
    assert.equal(digest(await buffer((await storage.read(JOB, 'large.bin', range))!)), digest(LARGE.subarray(100, PART_BYTES + 1)));
  });
});

describe('small files', () => {
  test('go to the bucket with one request each, once they are published', async () => {
    const storage = open();
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`d/${index}`, `content ${index}`]));
    assert.equal(await storage.receiveAll(UPLOADER, filesOf(files)), 150);
    assert.deepEqual(own(), []);
    assert.equal((await storage.finished(UPLOADER, Object.keys(files))).size, 150);
    store.asked.length = 0;
    await open().publish(UPLOADER, JOB, Object.keys(files));
    assert.equal(store.asked.length, 150);
    const sized = Object.entries(files).map(([path, content]) => ({ path, bytes: content.length }));
    assert.deepEqual((await storage.readAll(JOB, sized)).map(String), Object.values(files));
    assert.deepEqual(await storage.readAll(JOB, [{ path: 'd/0', bytes: 3 }]), [undefined]);
    // Said again, it finds all of them in their place.
    await storage.publish(UPLOADER, JOB, Object.keys(files));
    await assert.rejects(storage.publish(UPLOADER, JOB, ['never']), /The file never did not come/);
  });

  test('replace an earlier upload of the same path, and the other way round', async () => {
    const storage = open();
    await send(storage, 'a', 'one');
    await storage.receiveAll(UPLOADER, filesOf({ a: 'two', b: 'two' }));
    assert.deepEqual(own(), []);
    await send(storage, 'b', 'three');
    await storage.publish(UPLOADER, JOB, ['a', 'b']);
    assert.deepEqual([await read(storage, 'a'), await read(storage, 'b')], ['two', 'three']);
  });
});

describe('deleted files', () => {
  test('are the unpublished uploads of one assignment, and nothing of others', async () => {
    const storage = open();
    await send(storage, 'a', 'one');
    await storage.receiveAll(UPLOADER, filesOf({ b: 'two' }));
    const waiting = await storage.receive(UPLOADER, 'large.bin', 'start');
    await waiting.append(LARGE);
    await waiting.close();
    const other = await storage.receive({ job: 17, epoch: 3 }, 'a', 'start');
    await other.finish();
    assert.deepEqual(new Set(await open().uploaders()), new Set([UPLOADER, { job: 17, epoch: 3 }]));
    await storage.discard(UPLOADER);
    assert.equal(store.uploads.size, 0);
    assert.deepEqual(await open().uploaders(), [{ job: 17, epoch: 3 }]);
    assert.equal((await storage.finished(UPLOADER, ['a', 'b'])).size, 0);
  });

  test('are the files of a stage run or a job, but not the metadata of plugins', async () => {
    const storage = open();
    for (const job of [JOB, OTHER]) {
      const files = { a: '1', 'd/b': '2', 'pluggable-artifact-metadata/s3.json': '{}' };
      await storage.receiveAll(UPLOADER, filesOf(files));
      await storage.publish(UPLOADER, job, Object.keys(files));
    }
    const neighbour = { ...JOB, stageCounter: 11 };
    await storage.receiveAll(UPLOADER, filesOf({ a: '1' }));
    await storage.publish(UPLOADER, neighbour, ['a']);
    await storage.remove(JOB);
    assert.equal(await read(storage, 'a'), undefined);
    assert.equal(published().length, 5);
    assert.deepEqual(await storage.remove({ pipeline: 'app', pipelineCounter: 3, stage: 'build', stageCounter: 1 }), []);
    assert.deepEqual(
      published().map((key) => key.slice(prefix.length)),
      [
        '/pipelines/app/3/build/1/compile/pluggable-artifact-metadata/s3.json',
        '/pipelines/app/3/build/1/test/pluggable-artifact-metadata/s3.json',
        '/pipelines/app/3/build/11/compile/a',
      ],
    );
    assert.deepEqual(await storage.removeFiles(JOB, ['pluggable-artifact-metadata/s3.json']), []);
    assert.equal(published().length, 2);
  });
});

describe('a store that causes trouble', () => {
  const cases: readonly [name: string, status: number, code: string, refusal: RegExp, detail: RegExp][] = [
    ['refuses the account', 403, 'InvalidAccessKeyId', /refuses the server/, /InvalidAccessKeyId.*AWS_SECRET_ACCESS_KEY/],
    ['has no such bucket', 404, 'NoSuchBucket', /error \(404\)/, /NoSuchBucket.*SLIPWAY_ARTIFACTS_BUCKET/],
    ['is too busy', 503, 'SlowDown', /error \(503\)/, /SlowDown/],
    ['is in another region', 301, 'PermanentRedirect', /error \(301\)/, /SLIPWAY_ARTIFACTS_REGION/],
  ];
  for (const [name, status, code, refusal, detail] of cases)
    test(`a store that ${name} is reported`, async () => {
      const storage = open();
      await send(storage, 'a', 'one');
      await storage.publish(UPLOADER, JOB, ['a']);
      store.refuse = () => ({ status, code });
      await assert.rejects(storage.read(JOB, 'a'), (failure: Error & { kind: string }) => {
        assert.equal(failure.kind, 'unavailable');
        assert.match(failure.message, refusal);
        return true;
      });
      assert.match(troubles[0]!.message, new RegExp(`s3://backups/${prefix}, cannot be used`));
      assert.match(troubles[0]!.detail, detail);
      await assert.rejects(storage.start(), { kind: 'unavailable' });
      store.refuse = () => undefined;
      assert.equal(await read(storage, 'a'), 'one');
      assert.equal(troubles.at(-1), undefined);
    });

  test('a store that is away keeps uploads, which are published when it is back', async () => {
    const storage = open();
    await storage.receiveAll(UPLOADER, filesOf({ a: '1', b: '2' }));
    store.mayPass = () => false;
    await assert.rejects(storage.publish(UPLOADER, JOB, ['a', 'b']), { kind: 'unavailable' });
    assert.match(troubles[0]!.detail, /cannot be reached.*SLIPWAY_ARTIFACTS_ENDPOINT/);
    store.mayPass = () => true;
    await storage.publish(UPLOADER, JOB, ['a', 'b']);
    assert.equal(published().length, 2);
    assert.equal(existsSync(join(folder, 'uploads/17-2')), true);
  });

  test('a store that fails is asked several times, and only once while it is known to be away', async () => {
    const storage = open();
    let asked = 0;
    store.mayPass = () => ++asked < 0;
    await assert.rejects(storage.read(JOB, 'a'), { kind: 'unavailable' });
    assert.equal(asked, 4);
    await assert.rejects(storage.read(JOB, 'a'), { kind: 'unavailable' });
    assert.equal(asked, 5);
  });

  test('a store that ends a file early without a word gives the reader a failure', async () => {
    const early = createServer(({ headers }, response) => {
      // Of a part it does not say how long the whole is, and it has no more than the first bytes.
      if (headers.range === 'bytes=0-10') response.writeHead(206, { 'Content-Range': 'bytes 0-10/*' }).end('hello');
      else response.writeHead(416).end();
    });
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
    const { port } = early.address() as { port: number };
    const address = { ...store.settings, prefix, endpoint: `http://127.0.0.1:${port}` };
    const storage = new ArtifactBucket({ address, folder: () => folder, onTrouble: (trouble) => troubles.push(trouble), firstPauseMs: 1 });
    await assert.rejects(read(storage, 'a', { start: 0, end: 10 }));
    early.close();
  });

  test('a store at a forbidden address is not connected to', async () => {
    const address = { ...store.settings, prefix, endpoint: 'http://169.254.169.254' };
    const storage = new ArtifactBucket({ address, folder: () => folder, onTrouble: (trouble) => troubles.push(trouble), firstPauseMs: 1 });
    await assert.rejects(storage.read(JOB, 'a'), { kind: 'unavailable' });
    assert.match(troubles[0]!.detail, /metadata service of a cloud/);
  });
});

test('a link leads to one large file without a login, and there is none to a small or missing file', async () => {
  const storage = open({ linkedFrom: 10 });
  const look = { type: 'text/plain', disposition: 'attachment; filename="a (1).txt"' };
  await send(storage, 'a (1).txt', '0123456789');
  await storage.publish(UPLOADER, JOB, ['a (1).txt']);
  assert.equal(await storage.linkTo(JOB, { path: 'a (1).txt', bytes: 9 }, look), undefined);
  assert.equal(await storage.linkTo(JOB, { path: 'none', bytes: 10 }, look), undefined);
  assert.equal(await open().linkTo(JOB, { path: 'a (1).txt', bytes: 10 }, look), undefined);
  const link = await storage.linkTo(JOB, { path: 'a (1).txt', bytes: 10 }, look);
  assert.equal(await (await fetch(link!, { headers: { Range: 'bytes=2-3' } })).text(), '23');
  assert.equal((await fetch(link!.replace('compile', 'compilf'))).status, 403);
});
