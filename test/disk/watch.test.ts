// The watch over free space: levels, health messages, mails once for each time, and refusals.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freeSpace } from '../../src/health/disk/free-space.ts';
import { DiskWatch, type DiskWatchParts } from '../../src/health/disk/watch.ts';
import { HealthMessages } from '../../src/health/messages.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { diskFullMail, diskLowMail } from '../../src/mail/admin-texts.ts';

const MEGABYTE = 1024 * 1024;

function lab(probe?: typeof freeSpace, shared?: DiskWatchParts['shared']) {
  const health = new HealthMessages();
  const mailed = new Set<string>();
  const sent: string[] = [];
  const free: Record<string, number | undefined> = { '/artifacts': 5_000, '/data': 5_000 };
  const folders = { artifacts: '/artifacts', database: '/data' };
  const watch = new DiskWatch({
    folders: { artifacts: () => folders.artifacts, database: () => folders.database },
    limits: probe ? { warningMb: 0, fullMb: 0 } : { warningMb: 1024, fullMb: 100 },
    health,
    shared,
    notices: {
      notify: async (level, facts) => {
        const { subject } = (level === 'full' ? diskFullMail : diskLowMail)({ ...facts, ip: '10.0.0.7' });
        if (!mailed.has(`${level} ${facts.use}`)) sent.push(subject);
        mailed.add(`${level} ${facts.use}`);
      },
      resolve: async (level, use) => void mailed.delete(`${level} ${use}`),
    },
    probe:
      probe ??
      (async (folder) => {
        const megabytes = free[folder];
        return megabytes === undefined ? undefined : megabytes * MEGABYTE;
      }),
  });
  const check = async (folder: string, megabytes: number | undefined) => {
    free[folder] = megabytes;
    await watch.check();
    return health.all().map(({ level, message }) => `${level} ${message}`);
  };
  return { watch, check, sent, health, folders };
}

test('health messages follow low, full and free disks, and each mail is sent once for each time', async () => {
  const { check, sent, health } = lab();
  assert.deepEqual(await check('/data', 1024), []);
  assert.deepEqual(await check('/data', 1023), ["WARNING Slipway Server's database is running on low disk space"]);
  assert.equal(health.all()[0]!.detail, 'Slipway has less than 1024MB of disk space available to it.');
  await check('/data', 500);
  assert.deepEqual(sent, ['Low database disk space warning message from Slipway Server at 10.0.0.7']);
  assert.deepEqual(await check('/data', 99), ['ERROR Slipway Server has run out of database disk space. Scheduling has been stopped']);
  assert.match(health.all()[0]!.detail, /^Slipway has less than 100MB .* will resume once more than 100MB is available\.$/);
  await check('/data', 50);
  assert.equal(sent.length, 2);
  assert.match(sent[1]!, /^No database disk space error message/);
  // Back to low is no new warning, and full again is a new error.
  await check('/data', 200);
  assert.equal(sent.length, 2);
  await check('/data', 99);
  assert.equal(sent.length, 3);
  assert.deepEqual(await check('/data', 9_000), []);
  await check('/data', 1_000);
  assert.equal(sent.length, 4);
});

test('a folder that cannot be looked at is reported, and the other disk is watched all the same', async () => {
  const { watch, check, health, folders } = lab(freeSpace);
  folders.artifacts = 'a\u0000b';
  folders.database = tmpdir();
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await check('/data', 1), ['ERROR The disk space for artifacts cannot be watched']);
    assert.match(health.all()[0]!.detail, /^The folder "a\\u0000b" cannot be checked \(ERR_INVALID_ARG_VALUE\)\./);
    assert.ok(!watch.isFull('artifacts') && watch.free('artifacts') === undefined);
    assert.ok((watch.free('database') ?? 0) > 0);
  }
  folders.artifacts = tmpdir();
  assert.deepEqual(await check('/data', 1), []);
});

test('each disk is watched for itself, and a missing folder is no problem', async () => {
  const { check, watch } = lab();
  const both = await check('/artifacts', 99);
  assert.deepEqual(both, ['ERROR Slipway Server has run out of artifacts disk space. Scheduling has been stopped']);
  assert.ok(watch.isFull('artifacts') && !watch.isFull('database'));
  watch.refuseWhenFull();
  assert.throws(() => watch.refuseWhenFull(['database', 'artifacts']), Refusal);
  assert.throws(() => watch.refuseScheduling(), /^Error: Slipway Server has run out of artifacts disk space.* \{ Slipway has less than/);
  assert.deepEqual(await check('/artifacts', undefined), []);
  watch.refuseScheduling();
});

test('a database on another machine is full as long as it finds no room when it looks', async () => {
  let hasRoom = false;
  const shared = {
    isFull: true,
    lookForRoom: async () => {
      shared.isFull = !hasRoom;
    },
  };
  const { check, watch, sent } = lab(undefined, shared);
  assert.deepEqual(await check('/data', 5_000), ['ERROR Slipway Server has run out of database disk space. Scheduling has been stopped']);
  assert.ok(watch.isFull('database') && !watch.isFull('artifacts'));
  assert.throws(
    () => watch.refuseWhenFull(),
    /^Error: The disk of the database is full, so the server refuses everything that needs space\./,
  );
  assert.throws(
    () => watch.refuseScheduling(),
    /^Error: Slipway Server has run out of database disk space.* \{ The disk of the database server/,
  );
  assert.deepEqual(sent, [], 'a mail would have to be kept there');
  hasRoom = true;
  assert.deepEqual(await check('/data', 5_000), []);
  watch.refuseWhenFull();
  watch.refuseScheduling();
});

test('an artifact needs twice its size above the limit', async () => {
  const { check, watch } = lab();
  assert.ok(watch.hasRoomFor(1e12), 'nothing is known before the first look');
  await check('/artifacts', 300);
  assert.ok(watch.hasRoomFor(100 * MEGABYTE));
  assert.ok(!watch.hasRoomFor(100 * MEGABYTE + 1));
});

test('free space is read from the real file system', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-disk-'));
  assert.ok((await freeSpace(folder))! > 0);
  assert.equal(await freeSpace(join(folder, 'missing')), undefined);
  rmSync(folder, { recursive: true });
});
