// Backups through the API: made in the background, one at a time, verified, and described while they are made.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { askForBackup, CONFIRM, endOfBackup, makeBackup } from '../../support/server/backup.ts';
import { TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

test('a backup is made, verified and shown', async () => {
  const reply = await server.ask('POST', '/api/backups', CONFIRM);
  assert.equal(reply.status, 202, reply.text);
  assert.equal(reply.text, '');
  assert.equal(reply.headers.get('retry-after'), '5');
  const path = reply.headers.get('location')!;
  assert.match(path, /^\/api\/backups\/\d+$/);
  const backup = await endOfBackup(server, path);
  assert.equal(backup.status, 'COMPLETED', JSON.stringify(backup));
  assert.equal(backup.message, 'Backup was generated successfully.');
  assert.equal(backup.progress_status, 'BACKUP_DATABASE');
  assert.equal(backup.verified, true);
  assert.equal(backup.user.login_name, 'admin');
  assert.equal(backup._links.self.href, server.url + path);
  assert.match(backup.path, new RegExp(`^${join(server.dataDir, 'artifacts', 'serverBackups')}/backup_\\d{8}-\\d{6}$`));
  assert.deepEqual(readdirSync(backup.path).toSorted(), ['config-dir.zip', 'config-repo.zip', 'db.zip', 'manifest.json', 'version.txt']);
  assert.match(readFileSync(join(backup.path, 'version.txt'), 'utf8'), /^23\.2\.0 \(0\.1\.0-/);
  assert.equal(statSync(backup.path).mode & 0o777, 0o700);
  assert.deepEqual(
    backup.phases.map(({ name }: { name: string }) => name),
    ['config', 'history', 'database', 'verification'],
  );
  assert.deepEqual(readdirSync(join(backup.path, '..')), [backup.path.split('/').at(-1)], 'nothing is left over');
});

test('the manifest of a backup can be downloaded, and kept elsewhere', async () => {
  const backup = await makeBackup(server);
  const reply = accepted(await server.get(`/api/backups/${backup.id}/manifest`, { accept: '*/*' }));
  assert.equal(reply.text, readFileSync(join(backup.path, 'manifest.json'), 'utf8'));
  assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="backup-\d+-manifest\.json"$/);
  rmSync(backup.path, { recursive: true });
  for (const id of [backup.id, 4711, 'running']) {
    const gone = await server.get(`/api/backups/${id}/manifest`, { accept: '*/*' });
    assert.equal(gone.status, 404);
    assert.match(gone.json.message, /no manifest/);
  }
});

test('backups requested at the same moment are made one after the other, in folders of their own', async () => {
  const paths = await Promise.all([askForBackup(server), askForBackup(server), askForBackup(server)]);
  assert.equal((await server.get('/api/backups/running')).status, 200);
  assert.deepEqual((await server.get('/is_backup_finished.json', { accept: '*/*' })).json, { is_backing_up: true });
  const backups = await Promise.all(paths.map((path) => endOfBackup(server, path)));
  assert.ok(backups.every(({ status, verified }) => status === 'COMPLETED' && verified));
  assert.equal(new Set(backups.map(({ path }) => path)).size, 3);
  assert.deepEqual((await server.get('/is_backup_finished.json', { accept: null })).json, { is_backing_up: false });
  assert.equal((await server.get('/is_backup_finished.json', { as: '' })).status, 401);
  const none = await server.get('/api/backups/running');
  assert.deepEqual([none.status, none.json], [404, { message: "Backup with id 'running' was not found!" }]);
});

test('the list has all of them, the newest first, in pages', async () => {
  const newest = await makeBackup(server);
  const { json } = await server.get('/api/backups?page_size=2');
  assert.equal(json._embedded.backups.length, 2);
  assert.equal(json._embedded.backups[0].id, newest.id);
  const rest = await server.get(json._links.next.href.slice(server.url.length));
  assert.ok(rest.json._embedded.backups.every(({ id }: { id: number }) => id < newest.id - 1));
  assert.equal((await server.get('/api/backups?page_size=0')).status, 400);
});

test('invalid requests are refused in the words of GoCD', async () => {
  const unknown = await server.get('/api/backups/4711');
  assert.deepEqual([unknown.status, unknown.json.message], [404, "Backup with id '4711' was not found!"]);
  const word = await server.get('/api/backups/last');
  assert.deepEqual([word.status, word.json.message], [400, 'The `id` parameter should be a number, or the keyword `running`']);
  assert.equal((await server.ask('POST', '/api/backups')).status, 400);
  assert.equal((await server.ask('POST', '/api/backups', { ...CONFIRM, accept: 'application/vnd.svc.v3+json' })).status, 404);
});

test('version 1 of the API answers when the backup has ended', async () => {
  const accept = 'application/vnd.go.cd.v1+json';
  const reply = accepted(await server.ask('POST', '/api/backups', { headers: { Confirm: 'true' }, accept }));
  assert.equal(reply.headers.get('content-type'), `${accept}; charset=utf-8`);
  assert.deepEqual([reply.json.status, reply.json.user.login_name], ['COMPLETED', 'admin']);
  assert.ok(readdirSync(reply.json.path).includes('db.zip'));
  const shown = accepted(await server.get(`/api/backups/${reply.json.id}`, { accept }));
  assert.deepEqual(shown.json, reply.json);
});

test('a dry run makes no backup', async () => {
  const before = await server.get('/api/backups');
  assert.equal((await server.ask('POST', '/api/backups?dry_run=true', CONFIRM)).status, 202);
  assert.equal((await server.get('/api/backups')).text, before.text);
});
