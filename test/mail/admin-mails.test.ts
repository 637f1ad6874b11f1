// Mails to the administrator: once for each time a condition begins.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HealthMessages } from '../../src/health/messages.ts';
import { AdminMails } from '../../src/mail/admin-mails.ts';
import type { MailServer } from '../../src/mail/mail-server.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { openTestDatabase } from '../support/database/database.ts';

const CONTENT = { subject: 'disk', text: 'disk', html: 'disk' };
const SERVER: MailServer = {
  hostname: '127.0.0.1',
  port: 1,
  login: undefined,
  tls: false,
  senderEmail: 'cd@example.org',
  adminEmail: 'ops@example.org',
};

test('a condition is mailed once while it lasts, over restarts, and again after recovery', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-admin-mails-'));
  let server: MailServer | undefined = SERVER;
  const open = async () => {
    const database = await openTestDatabase(join(folder, 'test.db'));
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    // Takes nothing, so that the outbox keeps everything.
    const connect = () => ({ send: () => new Promise<void>(() => {}), close: () => {}, abort: () => {} });
    const outbox = new Outbox({ database, server: () => server, connect, health: new HealthMessages(), log });
    const mails = new AdminMails({ database, outbox, server: () => server });
    await mails.load();
    const sent = async () => (await database.query.selectFrom('outbox').select('recipient').execute()).length;
    return { database, mails, sent };
  };
  let lab = await open();
  await lab.mails.sendOnce('low', CONTENT);
  await Promise.all([lab.mails.sendOnce('low', CONTENT), lab.mails.sendOnce('low', CONTENT)]);
  assert.equal(await lab.sent(), 1);
  await lab.mails.sendOnce('full', CONTENT);
  assert.equal(await lab.sent(), 2);
  await lab.database.close();

  lab = await open();
  await lab.mails.sendOnce('low', CONTENT);
  assert.equal(await lab.sent(), 2);
  await lab.mails.resolve('low');
  await lab.mails.resolve('low');
  await lab.mails.sendOnce('low', CONTENT);
  assert.equal(await lab.sent(), 3);

  server = undefined;
  await lab.mails.resolve('full');
  await lab.mails.sendOnce('full', CONTENT);
  await lab.mails.send(CONTENT);
  assert.equal(await lab.sent(), 3);
  server = SERVER;
  await lab.mails.sendOnce('full', CONTENT);
  assert.equal(await lab.sent(), 4);
  await lab.mails.send(CONTENT);
  await lab.mails.send(CONTENT);
  assert.equal(await lab.sent(), 6);
  await lab.database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a message that another server has mailed is not mailed again, nor one that is being mailed during the lookup', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-admin-mails-'));
  const database = await openTestDatabase(join(folder, 'test.db'));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const connect = () => ({ send: () => new Promise<void>(() => {}), close: () => {}, abort: () => {} });
  const outbox = new Outbox({ database, server: () => SERVER, connect, health: new HealthMessages(), log });
  const [mine, other] = [1, 2].map(() => new AdminMails({ database, outbox, server: () => SERVER })) as [AdminMails, AdminMails];
  const sent = async () => (await database.query.selectFrom('outbox').select('recipient').execute()).length;
  await Promise.all([mine.load(), other.load()]);
  await other.sendOnce('low', CONTENT);
  await mine.load();
  await mine.sendOnce('low', CONTENT);
  assert.equal(await sent(), 1);
  await other.resolve('low');
  await mine.load();
  await Promise.all([mine.sendOnce('low', CONTENT), mine.load(), mine.sendOnce('low', CONTENT)]);
  await mine.sendOnce('low', CONTENT);
  assert.equal(await sent(), 2);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
