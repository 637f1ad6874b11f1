// Mails of backups, from a real server through a real SMTP server: as configured, with the words of the dialect.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { askForBackup, endOfBackup } from '../support/backup.ts';
import { accepted } from '../support/callers.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { TestServer } from '../support/server.ts';
import { headerOf, SmtpTestServer } from '../support/smtp.ts';

let server: TestServer;
let smtp: SmtpTestServer;

before(async () => {
  smtp = await SmtpTestServer.start();
  server = await TestServer.start();
  const mailServer = { hostname: '127.0.0.1', port: smtp.port, sender_email: 'cd@example.org', admin_email: 'ops@example.org' };
  accepted(await server.put('/api/config/mailserver', mailServer));
});
after(async () => {
  await server.stop();
  await smtp.stop();
});

async function backUp(config: object) {
  accepted(await server.put('/api/config/backup', config));
  return endOfBackup(server, await askForBackup(server));
}

async function nextMail(count: number) {
  for (const end = Date.now() + PATIENCE_MS; smtp.received.length < count; await delay(10)) assert.ok(Date.now() < end, 'no mail came');
  const mail = smtp.received[count - 1]!;
  return { to: mail.to, subject: headerOf(mail.raw, 'Subject'), text: mail.raw.replaceAll('=\r\n', '').replaceAll('\r\n', ' ') };
}

test('a backup that succeeds', async () => {
  const { path } = await backUp({ email_on_success: true });
  const { to, subject, text } = await nextMail(1);
  assert.deepEqual([to, subject], [['ops@example.org'], 'Server Backup Completed Successfully']);
  assert.match(text, /Backup of the Slipway server at '[^']+' was successfully completed\. The backup is stored at location: /);
  assert.ok(text.includes(path) && text.includes("This backup was triggered by 'admin'."));
});

test('a backup that fails', async () => {
  const { status } = await backUp({ email_on_failure: true, post_backup_script: '/nowhere/script' });
  assert.equal(status, 'ERROR');
  const { subject, text } = await nextMail(2);
  assert.equal(subject, 'Server Backup Failed');
  assert.match(text, /has failed\. The reason is: Post backup script exited with an error/);
});

test('nobody is told who does not want to be', async () => {
  await backUp({});
  await backUp({ email_on_success: true, post_backup_script: '/nowhere/script' });
  await delay(300);
  assert.equal(smtp.received.length, 2);
});
