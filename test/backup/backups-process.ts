// A process that makes a backup on the data of a server, prints in lines how far it is, and sends the mail about it, until it is killed.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Backups } from '../../src/backup/backups.ts';
import type { Bucket } from '../../src/backup/copy/bucket.ts';
import { HealthMessages } from '../../src/health/messages.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { openSmtp } from '../../src/mail/smtp.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

export interface Order {
  readonly dataDir: string;
  readonly smtpPort: number;
  readonly script: string;
  readonly bucket: Bucket;
  /** Only finishes copies and mail that earlier processes have begun. */
  readonly isLast: boolean;
}

const { dataDir, smtpPort, script, bucket, isLast } = JSON.parse(process.argv[2]!) as Order;
const ADMIN = 'ops@example.org';
const print = (...words: readonly unknown[]) => process.stdout.write(`${words.join(' ')}\n`);
const log = { info: () => {}, warn: () => {}, error: (facts: unknown) => print('error', JSON.stringify(facts)) };
const mailServer = {
  hostname: '127.0.0.1',
  port: smtpPort,
  login: undefined,
  tls: false,
  senderEmail: 'cd@example.org',
  adminEmail: ADMIN,
};

const database = openSqlite(join(dataDir, 'slipway.db'));
await migrate(database);
const health = new HealthMessages();
const outbox = new Outbox({
  database,
  server: () => mailServer,
  connect: (to) => openSmtp(to, { startTls: 'offered', caFile: undefined }),
  health,
  log,
});
await outbox.start();
const mailOf = (text: string) => [outbox.statementFor({ to: ADMIN, subject: text, text, html: text })!];
const backups = new Backups({
  database,
  dataDir,
  artifactsDir: join(dataDir, 'artifacts'),
  version: '23.2.0 (test)',
  settings: () => ({
    emailOnSuccess: true,
    emailOnFailure: true,
    schedule: null,
    postBackupScript: script,
    scriptLimitMs: 60_000,
    retention: { keepLast: null, keepDays: null },
    bucket,
  }),
  recordHistory: async () => {},
  mails: {
    completed: ({ folder }) => mailOf(`completed ${folder}`),
    failed: ({ reason }) => mailOf(`failed ${reason}`),
    wake: () => outbox.wake(),
  },
  health,
  log,
});
await backups.start();
const copied = backups.copyAgain();
if (isLast) await end();
const { id } = await backups.request('ada', 'USER');
print('at', 'beginning');
for (let last = ''; ; await delay(1)) {
  const record = (await backups.find(id))!;
  const phase = record.status === 'IN_PROGRESS' ? (record.phases.at(-1)?.name ?? '') : 'mail';
  if (phase !== last) print('at', phase);
  last = phase;
}

async function end(): Promise<never> {
  await copied;
  while ((await database.query.selectFrom('outbox').select('id').where('ended_at', 'is', null).execute()).length > 0) await delay(20);
  await outbox.stop();
  await backups.stop();
  await database.close();
  process.exit(0);
}
