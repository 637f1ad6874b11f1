// The script after a backup: its environment, its output, and its failures.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '../../src/backup/jobs/run-job.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { untilDead } from '../support/server/alive.ts';
import { BackupsAlone } from '../support/server/backups-alone.ts';

const SCRIPT_FAILED = 'Post backup script exited with an error, check the server log for details.';
let alone: BackupsAlone;
beforeEach(async () => {
  alone = await BackupsAlone.open();
});
afterEach(() => alone.close());

function script(text: string, name = 'after-backup'): string {
  const path = join(alone.dataDir, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const use = (postBackupScript: string) => {
  alone.settings = { ...alone.settings, postBackupScript };
};

const run = (path: string, limitMs = 60_000) =>
  runJob('script', { path, environment: {}, limitMs }, { onProgress: () => {}, signal: new AbortController().signal });

test('the script gets the facts of the backup under both names, and its output is kept', async () => {
  use(script('env | grep _BACKUP_ | sort; echo "and this" >&2; ls "$SVC_BACKUP_PATH"'));
  const record = await alone.make();
  assert.deepEqual(
    [record.status, record.step, record.message],
    ['COMPLETED', 'POST_BACKUP_SCRIPT_COMPLETE', 'Backup was generated successfully.'],
  );
  const { output, exitStatus, problem } = record.script!;
  assert.deepEqual([exitStatus, problem], [0, null]);
  const time = record.time.replace(/\.\d+/, '');
  for (const word of ['SVC', 'GOCD']) {
    assert.ok(output.includes(`${word}_BACKUP_STATUS=success\n`));
    assert.ok(output.includes(`${word}_BACKUP_TIMESTAMP=${time}\n`));
    assert.ok(output.includes(`${word}_BACKUP_BASE_DIR=${alone.folder}\n`));
    assert.ok(output.includes(`${word}_BACKUP_PATH=${record.path}\n`));
    assert.ok(output.includes(`${word}_BACKUP_INITIATED_BY_USER=ada\n`));
  }
  assert.ok(!output.includes('INITIATED_VIA'));
  assert.ok(output.includes('and this') && output.includes('db.zip'));
  assert.deepEqual(alone.mails, [`completed ${record.path} by ada`]);
});

test('the script of a scheduled backup learns that a timer started it', async () => {
  use(script('env | grep INITIATED'));
  const { script: outcome } = await alone.make('TIMER');
  assert.match(outcome!.output, /SVC_BACKUP_INITIATED_VIA=TIMER/);
  assert.doesNotMatch(outcome!.output, /BY_USER/);
});

test('the exit status of the script decides on the outcome, and the backup stays', async () => {
  use(script('echo no room >&2; exit 3'));
  const record = await alone.make();
  assert.deepEqual([record.status, record.message, record.step], ['ERROR', SCRIPT_FAILED, 'POST_BACKUP_SCRIPT_START']);
  assert.deepEqual([record.script!.exitStatus, record.script!.output, record.script!.problem], [3, 'no room\n', 'it ended with status 3']);
  assert.ok(existsSync(join(record.path, 'manifest.json')));
  assert.deepEqual(alone.mails, [`failed: ${SCRIPT_FAILED}`]);
  assert.ok(alone.logged.join('').includes('no room'), 'the log has its output');
});

test('a script that is missing or cannot be run fails in the same way', async () => {
  use('/nowhere/after-backup');
  const missing = await alone.make();
  assert.equal(missing.message, SCRIPT_FAILED);
  assert.match(missing.script!.problem!, /could not be started: .*ENOENT/);
  const path = script('true');
  chmodSync(path, 0o644);
  use(path);
  assert.match((await alone.make()).script!.problem!, /EACCES/);
});

test('the script is not run by a shell', async () => {
  use(`${script('true')}; touch ${join(alone.dataDir, 'made-by-a-shell')}`);
  assert.equal((await alone.make()).status, 'ERROR');
  assert.ok(!existsSync(join(alone.dataDir, 'made-by-a-shell')));
});

test('a script among the artifacts is not run, not even through a link, but one beside the backups is', async () => {
  const uploadedDir = join(alone.dataDir, 'artifacts', 'uploaded');
  mkdirSync(uploadedDir);
  mkdirSync(join(alone.dataDir, 'pipelines'));
  symlinkSync(join(uploadedDir, 'script'), join(alone.dataDir, 'innocent'));
  const uploaded = script('true', 'artifacts/uploaded/script');
  for (const path of [uploaded, join(alone.dataDir, 'innocent'), script('true', 'pipelines/script')]) {
    use(path);
    const record = await alone.make();
    assert.equal(
      record.message,
      'Failed to perform backup. Reason: Post backup script cannot be executed when located within pipelines or artifact storage.',
    );
    assert.ok(!existsSync(alone.folder), 'refused before the folder is made');
  }
  assert.equal(alone.mails.length, 3);
  mkdirSync(alone.folder);
  use(script('true', 'artifacts/serverBackups/script'));
  assert.equal((await alone.make()).status, 'COMPLETED');
});

test('the script may delete the folder of the backup', async () => {
  use(script('rm -r "$SVC_BACKUP_PATH"'));
  const record = await alone.make();
  assert.equal(record.status, 'COMPLETED');
  assert.deepEqual(readdirSync(alone.folder), []);
});

test('a script that takes too long is ended, and so is all that it has started', async () => {
  const pids = join(alone.dataDir, 'pids');
  const path = script(
    `trap '' TERM; (trap '' TERM; sh -c 'echo $PPID >> ${pids}; exec sleep 60') & echo $$ >> ${pids}; echo begun; sleep 60; wait`,
  );
  const result = await run(path, 300);
  assert.match(result.problem!, /ran longer than/);
  assert.equal(result.output, 'begun\n');
  for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) await untilDead(Number(pid));
});

test('the end of a long output is kept', async () => {
  const path = script(
    'i=0; while [ $i -lt 3000 ]; do echo "line $i of a script that has a lot to say and says all of it"; i=$((i+1)); done; echo last',
  );
  const { output } = await run(path);
  assert.match(output, /^\[\d+ bytes before this\]\n/);
  assert.ok(output.endsWith('last\n'));
  assert.ok(output.length < 66_000);
});

test('a background process of the script does not delay the end', async () => {
  const path = script('sleep 3000 & echo $!');
  const began = performance.now();
  const { output, problem } = await run(path);
  assert.ok(performance.now() - began < PATIENCE_MS);
  assert.equal(problem, null);
  process.kill(Number(output));
});

test('when the process that watches the script is killed, the script ends, and the backup stays', async () => {
  const pid = join(alone.dataDir, 'pid');
  // By the first command of the script: the server knows of the script from its first moment on.
  use(script(`echo $$ > ${pid}; kill -9 $PPID; exec sleep 60`));
  const record = await alone.make();
  assert.deepEqual([record.status, record.message], ['ERROR', SCRIPT_FAILED]);
  assert.match(record.script!.problem!, /ended by itself \(SIGKILL\)/);
  assert.ok(existsSync(join(record.path, 'manifest.json')));
  await untilDead(Number(readFileSync(pid, 'utf8')));
});

test('a script that signals its whole group does not reach the server, and its end is still known', async () => {
  const path = script(`trap 'echo heard; exit 5' TERM; kill 0; sleep 60`);
  assert.deepEqual(await run(path), { exitStatus: 5, output: 'heard\n', problem: 'it ended with status 5' });
});

test('a stop of the server ends the script', async () => {
  const pid = join(alone.dataDir, 'pid');
  use(script(`echo $$ > ${pid}; exec sleep 60`));
  const { id } = await alone.backups.request('ada', 'USER');
  while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await delay(10);
  await alone.halt();
  await untilDead(Number(readFileSync(pid, 'utf8')));
  await alone.start();
  const record = await alone.backups.find(id);
  assert.deepEqual([record!.status, record!.message], ['ABORTED', 'Server shut down while backup in progress.']);
  rmSync(record!.path, { recursive: true });
});
