// Mail and disk space in a whole server: a disk that runs low is reported once by mail, a full one refuses changes, and a new mail server counts at once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CONFIRM } from '../support/server/backup.ts';
import { healthOf } from '../support/server/health.ts';
import { TestServer } from '../support/server/server.ts';
import { headerOf, SmtpTestServer } from '../support/services/smtp.ts';
import { until } from '../support/until.ts';

const MORE_THAN_ANY_DISK_MB = '900000000';
const MAIL_SERVER = '/api/config/mailserver';
let smtp: SmtpTestServer;
const mailServer = () => ({ hostname: '127.0.0.1', port: smtp.port, sender_email: 'cd@example.org', admin_email: 'ops@example.org' });
const subjects = () => smtp.received.map(({ raw }) => headerOf(raw, 'Subject')!);

before(async () => {
  smtp = await SmtpTestServer.start();
});
after(() => smtp.stop());

test('a low disk: a health message, one mail, no other after a restart', async () => {
  const server = await TestServer.start({ 'disk-warning-mb': MORE_THAN_ANY_DISK_MB });
  try {
    await until('the health message', async () => (await healthOf(server)).length > 0);
    assert.match((await server.get('/api/server_health_messages')).text, /database is running on low disk space/);
    assert.equal((await server.post(MAIL_SERVER, mailServer())).status, 200, 'low is not full');
    await until('the mail', () => smtp.received.length === 1);
    assert.match(subjects()[0]!, /^Low database disk space warning message from Slipway Server at /);
    await server.restart();
    await pause(1_000);
    assert.equal(smtp.received.length, 1);
  } finally {
    await server.stop();
  }
});

test('a full disk: changes are refused, reads, deletions and dry runs are not', async () => {
  const full = await TestServer.start({ 'disk-warning-mb': MORE_THAN_ANY_DISK_MB, 'disk-full-mb': MORE_THAN_ANY_DISK_MB });
  try {
    await until('the refusal', async () => (await full.post(MAIL_SERVER, mailServer())).status === 507);
    const refused = await full.post('/api/admin/environments', { name: 'new' });
    assert.equal(refused.status, 507);
    assert.match(refused.json.message, /so it refuses everything that needs space/);
    assert.equal((await full.post('/api/admin/environments?dry_run=true', { name: 'new' })).status, 200);
    assert.equal((await full.get('/api/admin/environments')).status, 200);
    assert.equal((await full.ask('POST', '/api/backups', CONFIRM)).status, 507, 'a backup needs the most space of all');
    assert.equal((await full.delete('/api/admin/environments/unknown')).status, 404);
    assert.match((await full.get('/api/server_health_messages')).text, /run out of database disk space/);
  } finally {
    await full.stop();
  }
});
