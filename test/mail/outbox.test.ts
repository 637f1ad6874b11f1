// The outbox in one process: which mails are kept, tried again and when, and given up.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HealthMessages } from '../../src/health/messages.ts';
import type { MailServer } from '../../src/mail/mail-server.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { openSmtp } from '../../src/mail/smtp.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { SmtpTestServer } from '../support/services/smtp.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-outbox-'));
  readonly health = new HealthMessages();
  readonly lines: string[] = [];
  database!: Database;
  outbox!: Outbox;
  smtp!: SmtpTestServer;
  server: MailServer | undefined;
  /** How far the clock of the outbox is ahead. */
  ahead = 0;

  static async for(context: TestContext): Promise<Lab> {
    const lab = new Lab();
    lab.smtp = await SmtpTestServer.start();
    lab.server = lab.serverAt(lab.smtp.port);
    await lab.open();
    context.after(async () => {
      await lab.close();
      await lab.smtp.stop();
      rmSync(lab.folder, { recursive: true, force: true });
    });
    return lab;
  }

  serverAt(port: number): MailServer {
    return { hostname: '127.0.0.1', port, login: undefined, tls: false, senderEmail: 'cd@example.org', adminEmail: 'ops@example.org' };
  }

  async open(): Promise<void> {
    this.database = openSqlite(join(this.folder, 'test.db'));
    await migrate(this.database);
    const note = (facts: object, message: string) => void this.lines.push(`${message} ${JSON.stringify(facts)}`);
    this.outbox = new Outbox({
      database: this.database,
      server: () => this.server,
      connect: (server) => openSmtp(server, { startTls: 'offered', caFile: undefined, timeoutMs: PATIENCE_MS }),
      health: this.health,
      log: { info: note, warn: note, error: note },
      now: () => Date.now() + this.ahead,
    });
    await this.outbox.start();
  }

  async close(): Promise<void> {
    await this.outbox.stop();
    await this.database.close();
  }

  add(subject: string): Promise<void> {
    return this.outbox.add({ to: 'someone@example.org', subject, text: subject, html: subject });
  }

  pass(milliseconds: number): void {
    this.ahead += milliseconds;
    this.outbox.wake();
  }

  rows() {
    return this.database.query.selectFrom('outbox').selectAll().orderBy('id').execute();
  }

  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await condition())) {
      if (Date.now() > deadline) assert.fail(`it did not happen: ${this.lines.join('\n')}`);
      await pause(10);
    }
  }

  /** Waits until every mail has been tried as often as it can be now. */
  tried(attempts: number): Promise<void> {
    return this.until(async () => (await this.rows()).every((row) => row.attempts >= attempts));
  }
}

test('sent mails are gone from the outbox', async (context) => {
  const lab = await Lab.for(context);
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((subject) => lab.add(subject)));
  await lab.until(async () => (await lab.rows()).length === 0);
  assert.equal(lab.smtp.received.length, 5);
  assert.equal(lab.smtp.counts().size, 5);
  assert.deepEqual(lab.health.all(), []);
});

test('without a mail server no mail is kept', async (context) => {
  const lab = await Lab.for(context);
  lab.server = undefined;
  await lab.add('a');
  assert.deepEqual(await lab.rows(), []);
  assert.equal(lab.outbox.statementFor({ to: 'a@b', subject: '', text: '', html: '' }), undefined);
});

test('a mail of a change is there with the change, or not at all', async (context) => {
  const lab = await Lab.for(context);
  lab.server = lab.serverAt(1);
  const mail = () => lab.outbox.statementFor({ to: 'a@example.org', subject: 'x', text: '', html: '' })!;
  const bad = { ...mail(), sql: 'insert into nothing values (1)', parameters: [] };
  await assert.rejects(lab.database.writeTransaction([mail(), bad]));
  assert.equal((await lab.rows()).length, 0);
  await lab.database.writeTransaction([mail()]);
  assert.equal((await lab.rows()).length, 1);
});

test('mail outlives a mail server that is down and a restart, and all goes when it is back', async (context) => {
  const lab = await Lab.for(context);
  const { port } = lab.smtp;
  await lab.smtp.stop();
  for (const subject of ['a', 'b', 'c', 'd']) await lab.add(subject);
  await lab.until(() => lab.lines.some((line) => line.startsWith('the mail server takes no mail')));
  for (let failures = 2; failures <= 3; failures++) {
    lab.pass(HOUR);
    await lab.until(() => lab.lines.some((line) => line.includes(`"failuresInARow":${failures}`)));
  }
  assert.match(JSON.stringify(lab.health.all()), /Mail cannot be sent at present/);
  await lab.close();
  await lab.open();
  lab.smtp = await SmtpTestServer.start({ port });
  lab.pass(HOUR);
  await lab.until(async () => (await lab.rows()).length === 0);
  assert.deepEqual([...lab.smtp.counts().values()], [1, 1, 1, 1]);
  assert.deepEqual(lab.health.all(), []);
});

test('a refusal for now is tried again later and later, as the same mail', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { recipient: { code: 451, text: 'later' } };
  await lab.add('a');
  await lab.tried(1);
  const [first] = await lab.rows();
  lab.pass(31 * SECOND);
  await lab.tried(2);
  const [second] = await lab.rows();
  const delay = (row: typeof first, from: typeof first) => Date.parse(row!.due_at) - Date.parse(from!.due_at);
  assert.ok(delay(second, first) > 59 * SECOND, `${delay(second, first)}`);
  assert.match(second!.last_error!, /451 later/);
  lab.smtp.behaviour = {};
  lab.pass(62 * SECOND);
  await lab.until(async () => (await lab.rows()).length === 0);
  assert.deepEqual([...lab.smtp.counts().keys()], [first!.message_id]);
});

test('a final refusal ends the mail, others go on, and administrators are notified for a week', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { recipient: { code: 550, text: 'no such user' } };
  await lab.add('a');
  await lab.until(() => lab.health.all().length > 0);
  assert.equal((await lab.rows())[0]?.ended_as, 'refused');
  assert.match(JSON.stringify(lab.health.all()), /One mail was given up/);
  assert.doesNotMatch(JSON.stringify(lab.health.all()), /someone@example/);
  assert.ok(lab.lines.some((line) => line.includes('someone@example.org') && line.includes('550 no such user')));
  lab.smtp.behaviour = {};
  await lab.add('b');
  await lab.until(() => lab.smtp.received.length === 1);
  await lab.close();
  await lab.open();
  assert.match(JSON.stringify(lab.health.all()), /One mail was given up/, 'also after a restart');
  lab.pass(8 * DAY);
  await lab.until(async () => (await lab.rows()).length === 0);
  await lab.until(() => lab.health.all().length === 0);
});

test('a mail is given up after five days', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { mail: { code: 452, text: 'full' } };
  await lab.add('a');
  await lab.tried(1);
  lab.pass(5 * DAY);
  await lab.until(async () => (await lab.rows())[0]?.ended_as === 'expired');
  await lab.until(() => lab.health.all().length > 0);
  assert.match(JSON.stringify(lab.health.all()), /Mail could not be delivered/);
});

test('a change of the mail server counts at once', async (context) => {
  const lab = await Lab.for(context);
  lab.server = lab.serverAt(1);
  await lab.outbox.serverChanged();
  await lab.add('a');
  await lab.until(() => lab.lines.some((line) => line.startsWith('the mail server takes no mail')));
  lab.server = lab.serverAt(lab.smtp.port);
  await lab.outbox.serverChanged();
  await lab.until(() => lab.smtp.received.length === 1);
});

test('a mail that breaks the connection does not hold up the others', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { breaksOff: true };
  await lab.outbox.add({ to: 'someone@example.org', subject: 'poison', text: 'x'.repeat(12_000_000), html: '' });
  await lab.tried(1);
  lab.smtp.behaviour = {};
  await lab.add('b');
  await lab.until(() => lab.smtp.received.length === 1);
});

test('a mail without an answer is sent a few times more with its Message-ID, and then given up as unconfirmed', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { takesAndBreaksOff: true };
  await lab.add('a');
  for (let attempts = 1; attempts <= 3; attempts++) {
    await lab.until(async () => (await lab.rows())[0]!.doubts === attempts);
    const [row] = await lab.rows();
    assert.equal(row!.handed_over_at, null);
    assert.ok(Date.parse(row!.due_at) >= Date.now() + lab.ahead + 9 * 60 * SECOND, 'not soon');
    lab.pass(6 * HOUR);
  }
  await lab.until(async () => (await lab.rows())[0]?.ended_as === 'unconfirmed');
  assert.deepEqual([...lab.smtp.counts().values()], [4]);
});

test('a mail handed over without an answer yet is marked, and not sent by the next process', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { delayMs: 900 };
  await lab.add('a');
  await lab.until(async () => (await lab.rows())[0]!.handed_over_at !== null);
  const [row] = await lab.rows();
  await lab.until(async () => (await lab.rows()).length === 0);
  // As a process leaves it that is killed while it waits.
  await lab.close();
  const database = openSqlite(join(lab.folder, 'test.db'));
  await database.query.insertInto('outbox').values(row!).execute();
  await database.close();
  await lab.open();
  assert.equal((await lab.rows())[0]!.ended_as, 'unconfirmed');
  assert.match(JSON.stringify(lab.health.all()), /It is not known whether a mail was delivered/);
  lab.pass(HOUR);
  await pause(200);
  assert.equal(lab.smtp.received.length, 1);
});

test('a stop waits for an answer, and leaves the rest for the next start', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { delayMs: 1000 };
  const three = new Promise<void>((resolve) => {
    lab.smtp.onMoment = () => lab.smtp.received.length === 3 && resolve();
  });
  for (const subject of ['a', 'b', 'c', 'd', 'e']) await lab.add(subject);
  await three;
  await lab.close();
  assert.equal(lab.smtp.received.length, 3);
  lab.smtp.behaviour = {};
  await lab.open();
  await lab.until(async () => (await lab.rows()).length === 0);
  assert.deepEqual([...lab.smtp.counts().values()], [1, 1, 1, 1, 1]);
  assert.deepEqual(lab.health.all(), []);
});

test('a mail that was taken is not sent again while the database cannot be written', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { delayMs: 100 };
  await lab.add('a');
  const { sql } = await import('kysely');
  await sql`create trigger blocked before delete on outbox begin select raise(abort, 'disk is full'); end`.execute(lab.database.query);
  await lab.until(() => lab.lines.some((line) => line.startsWith('a mail that was sent could not be removed')));
  lab.pass(60 * SECOND);
  await pause(100);
  await sql`drop trigger blocked`.execute(lab.database.query);
  lab.pass(60 * SECOND);
  await lab.until(async () => (await lab.rows()).length === 0);
  assert.equal(lab.smtp.received.length, 1);
});

test('between a stop and a start mail is kept and nothing is sent; the work of other servers meanwhile counts', async (context) => {
  const lab = await Lab.for(context);
  lab.server = lab.serverAt(1);
  for (const subject of ['a', 'b', 'c']) await lab.add(subject);
  await lab.until(() => lab.lines.some((line) => line.startsWith('the mail server takes no mail')));
  await lab.outbox.stop();
  assert.deepEqual(lab.health.all(), []);
  lab.server = lab.serverAt(lab.smtp.port);
  await lab.add('d');
  const due = (await lab.rows()).map((row) => row.due_at);
  await lab.outbox.serverChanged();
  lab.pass(HOUR);
  await pause(100);
  assert.equal(lab.smtp.received.length, 0);
  assert.deepEqual(
    (await lab.rows()).map((row) => row.due_at),
    due,
    'whoever sends hurries them',
  );

  // Another server has sent one, was cut off during one, and has given one up.
  const [a, b, c] = (await lab.rows()).map(({ id }) => id);
  const { query } = lab.database;
  await query.deleteFrom('outbox').where('id', '=', a!).execute();
  await query.updateTable('outbox').set({ handed_over_at: new Date().toISOString() }).where('id', '=', b!).execute();
  const refused = { ended_at: new Date(Date.now() + lab.ahead).toISOString(), ended_as: 'refused' };
  await query.updateTable('outbox').set(refused).where('id', '=', c!).execute();
  await lab.outbox.start();
  await lab.until(() => lab.smtp.received.length === 1);
  await lab.until(async () => (await lab.rows()).length === 2);
  assert.match(lab.smtp.received[0]!.raw, /^Subject: d\r?$/m);
  assert.deepEqual(
    (await lab.rows()).map(({ ended_as }) => ended_as),
    ['unconfirmed', 'refused'],
  );
  assert.deepEqual(
    lab.health.all().map(({ message }) => message),
    ['Mail could not be delivered', 'It is not known whether a mail was delivered'],
  );
});

test('a mail that is being sent at a stop is sent once, and one that could not be taken out is not sent by a later start', async (context) => {
  const lab = await Lab.for(context);
  lab.smtp.behaviour = { delayMs: 300 };
  await lab.add('a');
  await lab.until(async () => (await lab.rows())[0]!.handed_over_at !== null);
  await lab.outbox.stop();
  assert.deepEqual([lab.smtp.received.length, await lab.rows()], [1, []]);

  await lab.outbox.start();
  await lab.add('b');
  const { sql } = await import('kysely');
  await sql`create trigger blocked before delete on outbox begin select raise(abort, 'not the keeper'); end`.execute(lab.database.query);
  await lab.until(() => lab.lines.some((line) => line.startsWith('a mail that was sent could not be removed')));
  await lab.outbox.stop();
  await sql`drop trigger blocked`.execute(lab.database.query);
  await lab.outbox.start();
  lab.pass(HOUR);
  await pause(100);
  assert.equal(lab.smtp.received.length, 2);
  assert.equal((await lab.rows())[0]!.ended_as, 'unconfirmed');
});
