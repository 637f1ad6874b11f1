// Backups without a server around them: their order, their failures, and the removal of old ones.
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunJob, runJob } from '../../src/backup/jobs/run-job.ts';
import { NotKeeper } from '../../src/kit/concurrency/periodic/keeper.ts';
import { BackupsAlone } from '../support/server/backups-alone.ts';
import { until } from '../support/until.ts';

let alone: BackupsAlone;
beforeEach(async () => {
  alone = await BackupsAlone.open();
});
afterEach(() => alone.close());

/** Starts anew with work that a test meddles with. */
async function meddle(run: RunJob): Promise<void> {
  await alone.halt();
  await alone.start(run);
}

test('a backup that comes out damaged is refused, and the damage is named', async () => {
  await meddle(async (job, order, options) => {
    if (job === 'verify') {
      const path = join((order as { folder: string }).folder, 'db.zip');
      const at = 70_000;
      writeSync(openSync(path, 'r+'), Buffer.from([readFileSync(path)[at]! ^ 0x10]), 0, 1, at);
    }
    return runJob(job, order, options);
  });
  const record = await alone.make('TIMER');
  assert.equal(record.status, 'ERROR');
  assert.equal(record.verified, false);
  assert.match(record.verification!, /^db\.zip: slipway\.db(?:-wal)? is damaged between its bytes \d+ and \d+/);
  assert.equal(record.message, `Failed to perform backup. Reason: The backup is not what was written. ${record.verification}`);
  assert.deepEqual(readdirSync(alone.folder), [], 'nobody can take it for a good one');
  assert.deepEqual(alone.mails, [`failed: The backup is not what was written. ${record.verification}`]);
  const message = await until('the health message', () => alone.health.all()[0]);
  assert.deepEqual([message?.level, message?.message, message?.detail], ['ERROR', 'Unable to perform scheduled backup.', record.message]);
});

test('a successful backup clears the health message about a failed one', async () => {
  let isFailing = true;
  await meddle((job, order, options) => (isFailing ? Promise.reject(new Error('no')) : runJob(job, order, options)));
  await alone.make('TIMER');
  await until('the health message', () => alone.health.all().length === 1);
  isFailing = false;
  await alone.make();
  await until('the end of it', () => alone.health.all().length === 0);
});

test('a process that is killed ends its backup, and the next one works', async () => {
  await meddle((job, order, options) => {
    const result = runJob(job, order, options);
    if (job === 'write') for (const pid of children()) process.kill(pid, 'SIGKILL');
    return result;
  });
  const record = await alone.make();
  assert.equal(record.status, 'ERROR');
  assert.match(record.message, /The process for the write part of the backup ended by itself \(SIGKILL\)/);
  await meddle(runJob);
  assert.equal((await alone.make()).verified, true);
});

test('a folder that cannot be made is an error in the words of GoCD, with a mail', async () => {
  writeFileSync(alone.folder, 'a file in its place');
  const record = await alone.make();
  assert.equal(record.message, 'Failed to perform backup. Reason: Could not create the backup directory.');
  assert.deepEqual(alone.mails, ['failed: Could not create the backup directory.']);
  rmSync(alone.folder);
});

test('mails are sent as they are wanted', async () => {
  alone.settings = { ...alone.settings, emailOnSuccess: false, emailOnFailure: false, postBackupScript: '/nowhere' };
  await alone.make();
  alone.settings = { ...alone.settings, postBackupScript: null };
  await alone.make();
  assert.deepEqual(alone.mails, []);
});

test('interrupted backups are aborted at the next start, and their partial folders removed', async () => {
  const made = await alone.make();
  const [waiting, queued] = [await alone.backups.request('ada', 'USER'), await alone.backups.request('ada', 'USER')];
  await alone.halt();
  mkdirSync(join(alone.folder, '.backup_20260101-000000.partial'));
  mkdirSync(join(alone.folder, '.backup_20260101-000000.scratch'));
  mkdirSync(join(alone.folder, 'not-ours'));
  await alone.start();
  for (const { id } of [waiting, queued]) {
    const record = await alone.backups.find(id);
    assert.deepEqual([record!.status, record!.message], ['ABORTED', 'Server shut down while backup in progress.']);
    assert.notEqual(record!.endedAt, null);
  }
  assert.deepEqual(readdirSync(alone.folder).toSorted(), [made.path.split('/').at(-1), 'not-ours']);
  assert.equal(alone.backups.running, undefined);
});

test('a running backup reports its progress', async () => {
  const seen = new Set<string>();
  await meddle(async (job, order, options) => {
    const result = await runJob(job, order, options);
    const { step, message, phases } = alone.backups.running!;
    for (const { name, bytes, totalBytes, seconds } of phases) {
      assert.ok(bytes <= totalBytes && seconds >= 0);
      seen.add(name);
    }
    if (job === 'write') assert.deepEqual([step, message], ['BACKUP_DATABASE', 'Backing up Database']);
    return result;
  });
  const { phases, bytes } = await alone.make();
  assert.deepEqual([...seen], ['config', 'history', 'database', 'verification']);
  const database = phases.find(({ name }) => name === 'database')!;
  assert.ok(database.bytes > 0 && database.bytes === database.totalBytes && database.bytes < bytes!);
});

test('without room to verify it, a backup is not verified, and administrators are notified until one is', async () => {
  await meddle(async (job, order, options) => {
    const result = await runJob(job, order, options);
    return job === 'write' ? { ...result, bytes: 2 ** 50 } : result;
  });
  const { status, verified, verification } = await alone.make();
  assert.deepEqual([status, verified], ['COMPLETED', false]);
  assert.match(verification!, /^There is not enough space/);
  assert.deepEqual(
    alone.health.all().map(({ message, detail }) => [message, detail]),
    [['Unable to verify the last backup.', verification]],
  );
  await meddle(runJob);
  assert.equal((await alone.make()).verified, true);
  assert.deepEqual(alone.health.all(), []);
});

test('no clear password and no lock gets into a backup', async () => {
  for (const name of ['initial-admin-password', 'server.lock', 'server.pid', 'half.new', 'imported.keys', 'password.properties', 'deep']) {
    if (name === 'deep') mkdirSync(join(alone.dataDir, name, 'er'), { recursive: true });
    const path = join(alone.dataDir, name === 'deep' ? 'deep/er/users' : name);
    writeFileSync(path, 'text');
    chmodSync(path, 0o640); // with any umask
  }
  const { path } = await alone.make();
  const { files } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
  assert.deepEqual(Object.keys(files['config-dir.zip'].entries), ['cipher.key', 'deep/er/users', 'imported.keys', 'password.properties']);
  assert.equal(files['config-dir.zip'].entries['password.properties'].mode, 0o640);
});

test('old backups are removed by the rule, but no folders of others', async () => {
  alone.settings = { ...alone.settings, retention: { keepLast: 2, keepDays: null } };
  const first = await alone.make();
  const second = await alone.make();
  const stranger = join(alone.folder, 'backup_by_hand');
  mkdirSync(stranger);
  utimesSync(stranger, 0, 0);
  const third = await alone.make();
  while (existsSync(first.path)) await delay(5);
  assert.deepEqual(
    [first, second, third].map(({ path }) => existsSync(path)),
    [false, true, true],
  );
  assert.ok(existsSync(stranger));
  while ((await alone.backups.find(first.id))!.removedAt === null) await delay(5);
});

test('a backup waits for those before it', async () => {
  let running = 0;
  await meddle(async (job, order, options) => {
    assert.equal(++running, 1, 'two at once');
    const result = await runJob(job, order, options);
    running--;
    return result;
  });
  const asked = await Promise.all([1, 2, 3].map(() => alone.backups.request('ada', 'USER')));
  const records = await Promise.all(asked.map(({ id }) => alone.end(id)));
  assert.ok(records.every(({ verified }) => verified));
  const [one, two, three] = records.map(({ path }) => path.split('/').at(-1)!);
  assert.equal(new Set([one, two, three]).size, 3);
});

test('between a stop and a start no backup is made, and unfinished backups of other servers are aborted', async () => {
  const mine = await alone.make();
  await alone.backups.stop();
  await assert.rejects(alone.backups.request('ada', 'USER'), NotKeeper);
  await assert.rejects(alone.backups.copyAgain(), NotKeeper);
  assert.throws(() => alone.backups.running, NotKeeper);
  await alone.backups.settled();

  const { id, ...row } = await alone.database.query.selectFrom('backups').selectAll().executeTakeFirstOrThrow();
  const left = { ...row, status: 'IN_PROGRESS', ended_at: null, path: `${row.path}-of-another` };
  const { id: other } = await alone.database.query.insertInto('backups').values(left).returning('id').executeTakeFirstOrThrow();
  assert.deepEqual([(await alone.backups.find(other))?.status, (await alone.backups.list(10)).length], ['IN_PROGRESS', 2]);
  alone.mails.length = 0;
  await alone.backups.start();
  assert.equal((await alone.backups.find(other))?.status, 'ABORTED');
  assert.deepEqual([alone.mails.length, (await alone.backups.find(id))?.status], [1, 'COMPLETED']);
  assert.equal(alone.backups.running, undefined);
  const next = await alone.make();
  assert.ok(next.verified && next.path !== mine.path);
});

test('a stop aborts the running backup and waits for its end; the next start records all as aborted, and none goes on', async () => {
  const begun = Promise.withResolvers<void>();
  let starts = 0;
  const ended = Promise.withResolvers<void>();
  await meddle(async (job, order, options) => {
    if (++starts > 1) return runJob(job, order, options);
    begun.resolve();
    await new Promise((resolve) => options.signal.addEventListener('abort', resolve));
    await ended.promise;
    throw options.signal.reason;
  });
  const asked = await Promise.all([1, 2].map(() => alone.backups.request('ada', 'USER')));
  await begun.promise;
  let isStopped = false;
  const late = alone.backups.request('ada', 'USER');
  const stopped = alone.backups.stop().then(() => (isStopped = true));
  await delay(50);
  assert.equal(isStopped, false);
  ended.resolve();
  await stopped;
  const ids = [...asked, await late].map(({ id }) => id);
  const statuses = async () => Promise.all(ids.map(async (id) => (await alone.backups.find(id))!.status));
  assert.deepEqual(
    await statuses(),
    ids.map(() => 'IN_PROGRESS'),
  );
  await alone.backups.start();
  assert.deepEqual(
    await statuses(),
    ids.map(() => 'ABORTED'),
  );
  const made = await alone.make();
  assert.deepEqual([made.status, await statuses()], ['COMPLETED', ids.map(() => 'ABORTED')]);
  assert.deepEqual(readdirSync(alone.folder), [made.path.split('/').at(-1)]);
});

function children(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
    .filter(Boolean)
    .map(Number);
}
