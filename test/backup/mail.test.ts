// Mails of backups, from a real server through a real SMTP server: as configured, with the words of GoCD.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { accepted } from '../support/requests/callers.ts';
import { askForBackup, endOfBackup } from '../support/server/backup.ts';
import { TestServer } from '../support/server/server.ts';
import { headerOf, SmtpTestServer } from '../support/services/smtp.ts';
import { until } from '../support/until.ts';

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

const serverBackups = () => join(server.dataDir, 'artifacts', 'serverBackups');

async function backUp(config: object) {
  accepted(await server.put('/api/config/backup', config));
  return endOfBackup(server, await askForBackup(server));
}

/** The result of the call, and the one mail that it causes. */
async function mailAbout<T>(happening: () => Promise<T>) {
  const before = smtp.received.length;
  const result = await happening();
  const mail = await until('the mail', () => smtp.received[before]);
  return {
    result,
    to: mail.to,
    subject: headerOf(mail.raw, 'Subject'),
    text: mail.raw.replaceAll('=\r\n', '').replaceAll('\r\n', ' '),
  };
}

test('a mail reports a successful backup', async () => {
  const { result, to, subject, text } = await mailAbout(() => backUp({ email_on_success: true }));
  assert.deepEqual([to, subject], [['ops@example.org'], 'Server Backup Completed Successfully']);
  assert.match(text, /Backup of the Slipway server at '[^']+' was successfully completed\. The backup is stored at location: /);
  assert.ok(text.includes(result.path) && text.includes("This backup was triggered by 'admin'."));
});

describe('a backup that fails', () => {
  const reasonOf = (text: string) => /has failed\. The reason is: (.*?\.)/.exec(text)?.[1];

  test('because of its script is reported by a mail', async () => {
    const { result, subject, text } = await mailAbout(() => backUp({ email_on_failure: true, post_backup_script: '/nowhere/script' }));
    assert.deepEqual([result.status, subject], ['ERROR', 'Server Backup Failed']);
    assert.equal(reasonOf(text), 'Post backup script exited with an error, check the server log for details.');
  });

  test('because its script is in the artifacts directory is reported by a mail', async () => {
    const script = join(server.dataDir, 'artifacts', 'script');
    const { result, text } = await mailAbout(() => backUp({ email_on_failure: true, post_backup_script: script }));
    const reason = 'Post backup script cannot be executed when located within pipelines or artifact storage.';
    assert.equal(result.message, `Failed to perform backup. Reason: ${reason}`);
    assert.equal(reasonOf(text), reason);
  });

  test('because its folder cannot be made is reported by a mail, also after a restart', async () => {
    rmSync(serverBackups(), { recursive: true });
    writeFileSync(serverBackups(), 'a file in its place');
    for (const restart of [async () => {}, () => server.restart()]) {
      await restart();
      const { result, subject, text } = await mailAbout(() => backUp({ email_on_failure: true }));
      assert.deepEqual([result.status, subject], ['ERROR', 'Server Backup Failed']);
      assert.equal(reasonOf(text), 'Could not create the backup directory.');
    }
    rmSync(serverBackups());
  });

  test('because the server stopped meanwhile is reported by a mail', async () => {
    const script = join(server.dataDir, 'slow-script');
    writeFileSync(script, '#!/bin/sh\nsleep 60\n', { mode: 0o700 });
    accepted(await server.put('/api/config/backup', { email_on_failure: true, post_backup_script: script }));
    const path = await askForBackup(server);
    await until('the script', async () => (await server.get(path)).json.progress_status === 'POST_BACKUP_SCRIPT_START');
    const { subject, text } = await mailAbout(() => server.restart());
    assert.equal((await server.get(path)).json.status, 'ABORTED');
    assert.deepEqual([subject, reasonOf(text)], ['Server Backup Failed', 'Server shut down while backup in progress.']);
  });
});

test('no mail is sent when the settings do not ask for it', async () => {
  const before = smtp.received.length;
  await backUp({});
  await backUp({ email_on_success: true, post_backup_script: '/nowhere/script' });
  await delay(300);
  assert.equal(smtp.received.length, before);
});
