// The server that does the background work is lost while it does it: another goes on, no mail comes twice, no event is left out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Receiver, SECRET } from '../../events/receiver.ts';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { withGrowingLimits } from '../../support/patience.ts';
import type { Replica } from '../../support/server/replica.ts';
import { ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { SmtpTestServer } from '../../support/services/smtp.ts';
import { until } from '../../support/until.ts';

const MAILS = 60;
const BEFORE_LOSS = 12;
const TAKEN_OVER_MS = 6000;
const MAIL_SERVER = '/api/config/mailserver';
const CONFIRM = { headers: { 'X-Svc-Confirm': 'true' } };

let postgres: Postgres;
let replicas: Replicas;
let smtp: SmtpTestServer;
let receiver: Receiver;
let rounds = 0;
/** The first event that the webhook is to deliver. */
let first = 0;

before(async () => {
  [postgres, smtp, receiver] = await Promise.all([startPostgres(), SmtpTestServer.start(), Receiver.start()]);
  smtp.behaviour = { delayMs: 20 };
  replicas = await Replicas.start(await postgres.createDatabase(), 3, { flags: ['--allow-private-webhooks', 'true'] });
  const mailServer = { hostname: '127.0.0.1', port: smtp.port, sender_email: 'cd@example.org', admin_email: 'ops@example.org' };
  assert.equal((await replicas.all[0]!.post(MAIL_SERVER, mailServer)).status, 200);
  const hook = { id: 'hook', url: receiver.url, secret: SECRET, filter: { types: [], actors: [], resources: [], ids: [] } };
  const created = await replicas.all[1]!.post('/api/admin/webhooks', hook);
  assert.equal(created.status, 200, created.text);
  first = (await newestEvent()) + 1;
});
after(async () => {
  await replicas?.stop();
  await Promise.all([smtp?.stop(), receiver?.stop(), postgres?.stop()]);
});

async function newestEvent(): Promise<number> {
  return (await replicas.rows.ask<{ readonly event: number }>('select event from head'))[0]!.event;
}

/** Puts mails into the table; the keeper looks at them because the configuration of the mail server changes. */
async function addMails(): Promise<void> {
  const now = new Date().toISOString();
  for (let count = 0; count < MAILS; count++) {
    await replicas.rows.ask(
      `insert into outbox (message_id, recipient, subject, text, html, created_at, due_at, attempts, doubts)
        values ($1, 'ops@example.org', 'mail', 'text', '', $2, $2, 0, 0)`,
      [`<round-${rounds}-${count}@example.org>`, now],
    );
  }
  const [asked] = replicas.all.filter(({ isUp }) => isUp);
  const { etag, json } = await asked!.get(MAIL_SERVER);
  assert.equal(
    (await asked!.post(MAIL_SERVER, { ...json, hostname: json.hostname === 'localhost' ? '127.0.0.1' : 'localhost' }, { etag })).status,
    200,
  );
}

/** Requests that the keeper answers, whichever replica is asked. */
async function assertAnswers(asked: readonly Replica[]): Promise<void> {
  for (const replica of asked) {
    await until('health', async () => (await replica.get('/api/server_health_messages')).status === 200);
    const asked = await until('a backup', async () => {
      const reply = await replica.ask('POST', '/api/backups', CONFIRM);
      assert.ok([202, 409, 503].includes(reply.status), reply.text);
      return reply.status === 202 && reply;
    });
    await until('its end', async () => (await replica.get(String(asked.headers.location))).json?.status === 'COMPLETED');
  }
}

/** How long the others had no keeper. Requests to them meanwhile are served. */
async function changedAndTakenOver(lost: Replica, others: readonly Replica[]): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < 10; count++) {
    const reply = await others[count % 2]!.post(ENVIRONMENTS, { name: `e-${rounds}-${count}` });
    assert.equal(reply.status, 200, reply.text);
  }
  await until('another keeper', async () => {
    const keeper = await replicas.keeper(replicas.all.find((replica) => replica !== lost));
    return keeper !== undefined && keeper !== lost;
  });
  return performance.now() - began;
}

async function assertMailsCameOnce(): Promise<void> {
  await until('all mails', async () => (await replicas.rows.ask('select id from outbox where ended_at is null')).length === 0);
  const counts = smtp.counts();
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 1),
    [],
    'sent twice',
  );
  const unconfirmed = await replicas.rows.ask<{ readonly message_id: string }>(
    "select message_id from outbox where ended_as = 'unconfirmed'",
  );
  const missing = Array.from({ length: MAILS }, (_, count) => `<round-${rounds}-${count}@example.org>`).filter(
    (id) => !counts.has(id) && !unconfirmed.some(({ message_id }) => message_id === id),
  );
  assert.deepEqual(missing, [], 'neither sent nor reported');
}

/** Every event has come at least once, and none before an older one. */
async function assertEventsCame(): Promise<void> {
  const last = await newestEvent();
  await until('all events', () => receiver.numbers.includes(last));
  const firstTimes = [...new Set(receiver.numbers)];
  assert.deepEqual(
    firstTimes,
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

const LOSSES: readonly (readonly [
  how: string,
  lose: (keeper: Replica) => void | Promise<void>,
  restore: (keeper: Replica) => void | Promise<void>,
  /** The possible answers to a change that is sent meanwhile: 503 is said only of what was not done. */
  statuses: readonly number[],
])[] = [
  ['is killed', (keeper) => keeper.kill(), (keeper) => keeper.start(), [503, 504]],
  ['hangs, and wakes up', (keeper) => keeper.suspend(), (keeper) => keeper.resume(), [504]],
];

/** The losses that are tried: each takes the time of a lease, and mails that are waited for. */
const TRIED = process.env.REPLICA_LOAD === 'full' ? LOSSES : LOSSES.slice(0, 1);

for (const [how, lose, restore, statuses] of TRIED) {
  test(`another server takes over when the keeper ${how}`, (context) =>
    withGrowingLimits(async (factor) => {
      rounds++;
      await assertAnswers(replicas.all.slice(0, 1));
      const keeper = await until('a keeper', () => replicas.keeper());
      const others = replicas.all.filter((replica) => replica !== keeper);
      const before = smtp.received.length;
      await addMails();
      await until('some mails', () => smtp.received.length >= before + BEFORE_LOSS);
      await lose(keeper);
      const asked = others[0]!.ask('POST', '/api/backups', CONFIRM);
      const [ms, { status, text }] = await Promise.all([changedAndTakenOver(keeper, others), asked]).finally(() => restore(keeper));
      context.diagnostic(`taken over after ${Math.round(ms)} ms`);
      assert.ok(statuses.includes(status), `${status} ${text}`);
      await assertMailsCameOnce();
      await assertAnswers(replicas.all.filter(({ isUp }) => isUp));
      await assertEventsCame();
      assert.ok(ms <= TAKEN_OVER_MS * factor, `taken over after ${ms} ms`);
    }));
}
