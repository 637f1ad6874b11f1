// The script for a container cluster that comes as an example, run by a real server as a script after backups.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyBackup } from '../../src/backup/verify/verify-backup.ts';
import { accepted, tokenOf } from '../support/requests/callers.ts';
import { askForBackup, CONFIRM, endOfBackup } from '../support/server/backup.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';

const script = join(import.meta.dirname, '..', '..', 'examples', 'kubernetes', 'after-backup.sh');
const MODE = '/api/admin/maintenance_mode';
const VARIABLES = ['BACKUP_TARGET', 'BACKUP_SERVER_URL', 'BACKUP_TOKEN_FILE'] as const;
const directory = mkdtempSync(join(tmpdir(), 'slipway-example-'));
const target = mkdtempSync(join(directory, 'target-'));
let server: TestServer;

before(async () => {
  await ensureDebianPackages(['curl']);
  server = await TestServer.start();
  const bearer = await tokenOf(server, basic('admin', ADMIN_PASSWORD));
  writeFileSync(join(directory, 'token'), `${bearer.replace('Bearer ', '')}\n`);
  process.env.BACKUP_TARGET = target;
  process.env.BACKUP_SERVER_URL = server.url;
  process.env.BACKUP_TOKEN_FILE = join(directory, 'token');
  accepted(await server.put('/api/config/backup', { post_backup_script: script }));
});
after(async () => {
  for (const name of VARIABLES) delete process.env[name];
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const info = async () => (await server.get(`${MODE}/info`)).json;

test('the script moves the backup out in maintenance mode, and switches the mode off again', async () => {
  const path = await askForBackup(server);
  let wasOn = false;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(2)) wasOn ||= (await info()).is_maintenance_mode;
  })();
  const backup = await endOfBackup(server, path);
  isOver = true;
  await watching;
  assert.equal(backup.status, 'COMPLETED', JSON.stringify(backup));
  assert.equal(backup.script.output, `moved ${basename(backup.path)} to ${target}\n`);
  assert.ok(wasOn, 'maintenance mode was never on');
  const { is_maintenance_mode, metadata } = await info();
  assert.deepEqual([is_maintenance_mode, metadata.updated_by], [false, 'admin']);
  assert.deepEqual(readdirSync(join(server.dataDir, 'artifacts', 'serverBackups')), []);
  assert.deepEqual(readdirSync(target), [basename(backup.path)]);
  const { problems } = await verifyBackup({ folder: join(target, basename(backup.path)), scratch: join(directory, 'scratch') }, () => {});
  assert.deepEqual(problems, []);
});

test('when the copy fails, maintenance mode is switched off all the same, and the backup stays', async () => {
  process.env.BACKUP_TARGET = join(directory, 'nowhere');
  const backup = await endOfBackup(server, await askForBackup(server));
  process.env.BACKUP_TARGET = target;
  assert.equal(backup.status, 'ERROR');
  assert.match(backup.script.output, /cp: /);
  assert.equal((await info()).is_maintenance_mode, false);
  assert.deepEqual(readdirSync(join(server.dataDir, 'artifacts', 'serverBackups')), [basename(backup.path)]);
});

test('maintenance mode that a user has switched on stays on', async () => {
  assert.equal((await server.ask('POST', `${MODE}/enable`, CONFIRM)).status, 204);
  const backup = await endOfBackup(server, await askForBackup(server));
  assert.equal(backup.status, 'COMPLETED', JSON.stringify(backup));
  assert.match(backup.script.output, /stays in it/);
  assert.equal((await info()).is_maintenance_mode, true);
  assert.equal((await server.ask('POST', `${MODE}/disable`, CONFIRM)).status, 204);
});

test('the script leaves maintenance mode alone without a token, and fails with a wrong token', async () => {
  const changedOn = (await info()).metadata.updated_on;
  delete process.env.BACKUP_TOKEN_FILE;
  assert.equal((await endOfBackup(server, await askForBackup(server))).status, 'COMPLETED');
  assert.equal((await info()).metadata.updated_on, changedOn);
  writeFileSync(join(directory, 'token'), 'f'.repeat(40));
  process.env.BACKUP_TOKEN_FILE = join(directory, 'token');
  const backup = await endOfBackup(server, await askForBackup(server));
  assert.equal(backup.status, 'ERROR');
  assert.match(backup.script.output, /could not be switched on: 401/);
  assert.ok(!backup.script.output.includes('ffff'));
});
