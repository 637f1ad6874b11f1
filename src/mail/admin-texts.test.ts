import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  backupCompletedMail,
  backupFailedMail,
  type DiskMailFacts,
  diskFullMail,
  diskLowMail,
  maintenanceEndedMail,
} from './admin-texts.ts';
import { linkTo } from './html.ts';
import { problemWith, testMail } from './test-mail.ts';

const DISK: DiskMailFacts = { use: 'database', folder: '/srv/data', warningMb: 1024, fullMb: 100, ip: '10.0.0.7' };
const FIRST_LINE = 'The email has been sent out automatically by the Slipway server at (10.0.0.7) to Slipway administrators.\n\n';

test('the mails about disk space are those of GoCD', () => {
  const low = diskLowMail(DISK);
  assert.equal(low.subject, 'Low database disk space warning message from Slipway Server at 10.0.0.7');
  assert.equal(
    low.text,
    `${FIRST_LINE}This server has less than 1024MB of disk space available at /srv/data to store data. When the available space goes below 100MB, Slipway will stop scheduling. Please ensure enough space is available.\n`,
  );
  const full = diskFullMail({ ...DISK, use: 'artifacts' });
  assert.equal(full.subject, 'No artifacts disk space error message from Slipway Server at 10.0.0.7');
  assert.ok(
    full.text.startsWith(
      `${FIRST_LINE}This server has stopped scheduling because it has less than 100MB of disk space available at /srv/data to store artifacts. Please ensure enough space is available. The artifacts config`,
    ),
  );
});

test('the mails about backups and maintenance mode name the user, the folder and the reason', () => {
  const done = backupCompletedMail({ ip: '10.0.0.7', folder: '/b/1', by: 'timer' });
  assert.equal(done.subject, 'Server Backup Completed Successfully');
  assert.equal(
    done.text,
    "Backup of the Slipway server at '10.0.0.7' was successfully completed. The backup is stored at location: /b/1. This backup was triggered by 'timer'.\n",
  );
  const failed = backupFailedMail({ ip: '10.0.0.7', reason: 'no space <left>' });
  assert.equal(failed.subject, 'Server Backup Failed');
  assert.equal(failed.text, "Backup of the Slipway server at '10.0.0.7' has failed. The reason is: no space <left>\n");
  assert.ok(failed.html.includes('no space &lt;left&gt;') && !failed.html.includes('<left>'));
  const ended = maintenanceEndedMail({ ip: '10.0.0.7', by: 'ann', since: '2026-01-01T00:00:00Z', reason: 'upgrade' });
  assert.match(ended.text, /that 'ann' switched on at 2026-01-01T00:00:00Z has reached its end time.* The reason given was: upgrade/);
});

test('the test mail names the server', () => {
  const { subject, text } = testMail({ hostName: 'cd', ip: '10.0.0.7' });
  assert.equal(subject, 'Slipway Email Notification');
  assert.equal(text, 'You received this configuration test email from Slipway Server:\n\ncd (10.0.0.7)\n\nThank you.\n');
});

test('the problem with the settings of a mail server: the last of several is reported', () => {
  const right = { hostname: 'smtp.example.org', port: 25, login: undefined, tls: false, senderEmail: 'cd@x.org', adminEmail: 'ops@x.org' };
  assert.equal(problemWith(right), undefined);
  assert.match(problemWith({ ...right, hostname: 'a b' })!, /^Invalid hostname\./);
  assert.equal(problemWith({ ...right, hostname: '', port: 0 }), 'Invalid port.');
  assert.equal(problemWith({ ...right, port: 70_000 }), 'Invalid port.');
  assert.equal(problemWith({ ...right, port: 0, senderEmail: 'x' }), 'From address is not a valid email address.');
  assert.equal(problemWith({ ...right, hostname: '', adminEmail: '@' }), 'Admin address is not a valid email address.');
});

test('only addresses of the web become links', () => {
  assert.ok(linkTo('https://cd.example.org/a?b=1&c="2"', 'See').includes('href="https://cd.example.org/a?b=1&amp;c=&quot;2&quot;"'));
  assert.ok(!linkTo('javascript:alert(1)', 'See').includes('href'));
});
