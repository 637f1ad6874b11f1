// The copy in a bucket, with a real S3 server: in parts, again where it failed, and on where it was cut off.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { bucketClient } from '../../src/backup/copy/bucket.ts';
import { copyFolder } from '../../src/backup/copy/copy-folder.ts';
import type { BackupRecord } from '../../src/backup/record.ts';
import { BucketFailure } from '../../src/kit/s3/failure.ts';
import { BackupsAlone } from '../support/server/backups-alone.ts';
import { TestBucket } from '../support/services/s3.ts';

const PART_MEBIBYTES = 16;
let bucket: TestBucket;
let alone: BackupsAlone;

before(async () => {
  bucket = await TestBucket.start();
});
after(() => bucket.stop());
beforeEach(async () => {
  bucket.mayPass = () => true;
  bucket.parts.length = 0;
  alone = await BackupsAlone.open({ bucket: bucket.settings });
});
afterEach(() => alone.close());

test('every file of the backup is in the bucket, the large one in parts', async () => {
  await fillDatabase(2);
  const record = await alone.make();
  assert.equal(record.status, 'COMPLETED', record.message);
  assert.deepEqual(record.copy, { status: 'completed', address: `s3://backups/slipway/${basename(record.path)}`, message: '' });
  mustBeCopied(record);
  assert.deepEqual(bucket.parts, [1, 2], 'sent in as many parts');
  const phase = record.phases.at(-1)!;
  assert.deepEqual([phase.name, phase.bytes, phase.totalBytes], ['copy', record.bytes, record.bytes]);
});

test('a store at a link-local address is refused, without a second try', async () => {
  for (const endpoint of ['http://169.254.169.254', 'https://[::ffff:a9fe:a9fe]', 'http://0xa9fea9fe'])
    await assert.rejects(
      bucketClient({ ...bucket.settings, endpoint }).size('x'),
      (failure: BucketFailure) =>
        failure instanceof BucketFailure && !failure.isTransient && /is a link-local address/.test(failure.message),
    );
});

test('a line that is cut now and then is only a delay', async () => {
  await fillDatabase(2);
  let requests = 0;
  bucket.mayPass = () => ++requests % 3 !== 0;
  const { path } = await alone.backups.request('ada', 'USER').then(({ id }) => alone.end(id));
  await again(path);
  mustBeCopied({ path });
});

test('after a crash a copy goes on with the part that was on its way', async () => {
  await fillDatabase(3);
  let attempts = 0;
  bucket.mayPass = (request) => !request.includes('partNumber=2') || ++attempts < 0;
  const { id } = await alone.backups.request('ada', 'USER');
  while (attempts === 0) await delay(5);
  await alone.halt();
  bucket.mayPass = () => true;
  await alone.start();
  const cutOff = (await alone.backups.find(id))!;
  assert.deepEqual([cutOff.status, cutOff.copy!.status], ['ABORTED', 'running']);
  await alone.backups.copyAgain();
  assert.deepEqual(bucket.parts, [1, 2, 3]);
  mustBeCopied(cutOff);
  assert.equal((await alone.backups.find(id))!.copy!.status, 'completed');
});

test('a store that refuses does not make the backup a bad one, and is asked again', async () => {
  alone.settings = { ...alone.settings, bucket: { ...bucket.settings, secretAccessKey: 'wrong' } };
  const record = await alone.make();
  assert.equal(record.status, 'COMPLETED');
  assert.equal(record.copy!.status, 'waiting');
  assert.match(record.copy!.message, /The store answered 403 .* SignatureDoesNotMatch/);
  assert.equal(alone.health.all()[0]!.message, 'Unable to copy a backup to the bucket.');
  assert.ok(!JSON.stringify(record).includes('wrong'), 'the secret is nowhere to be seen');
  alone.settings = { ...alone.settings, bucket: bucket.settings };
  await alone.backups.copyAgain();
  mustBeCopied(record);
  assert.deepEqual(alone.health.all(), []);
});

test('the copy of a backup that is gone is given up', async () => {
  alone.settings = { ...alone.settings, bucket: { ...bucket.settings, name: 'nowhere' } };
  const record = await alone.make();
  assert.match(record.copy!.message, /NoSuchBucket/);
  rmSync(record.path, { recursive: true });
  await alone.backups.copyAgain();
  assert.deepEqual((await alone.backups.find(record.id))!.copy!.status, 'failed');
});

test('an upload that the store has forgotten is begun anew; one that had ended is not', async () => {
  await fillDatabase(2);
  alone.settings = { ...alone.settings, bucket: undefined };
  const { path } = await alone.make();
  const order = { folder: path, bucket: bucket.settings, state: { 'db.zip': { upload: 'forgotten', tags: ['"1"'] } }, firstPauseMs: 1 };
  await copyFolder(order, () => {});
  mustBeCopied({ path });
  const sent = bucket.parts.length;
  await copyFolder({ ...order, state: { 'db.zip': { upload: 'ended', tags: ['"1"', '"2"'] } } }, () => {});
  assert.equal(bucket.parts.length, sent);
});

/** So that its archive goes in so many parts, of which the last is a short one: random bytes do not get smaller in a zip. */
async function fillDatabase(parts: number): Promise<void> {
  const { query } = alone.database;
  const mebibytes = (parts - 1) * PART_MEBIBYTES + 1;
  await sql`create table large (content blob)`.execute(query);
  for (let n = 0; n < mebibytes; n++) await sql`insert into large values (${randomBytes(1024 * 1024)})`.execute(query);
}

async function again(path: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    await alone.backups.copyAgain();
    const [record] = await alone.backups.list(1);
    if (record!.path === path && record!.copy!.status === 'completed') return;
  }
  assert.fail('it never got there');
}

function mustBeCopied({ path }: Pick<BackupRecord, 'path'>): void {
  for (const name of readdirSync(path)) {
    const stored = readFileSync(bucket.fileOf(`slipway/${basename(path)}/${name}`));
    assert.ok(stored.equals(readFileSync(join(path, name))), `${name} is not what was sent`);
  }
}
