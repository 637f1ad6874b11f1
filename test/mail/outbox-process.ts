// A process that adds mails to an outbox and sends them, as fast as it can, until it is killed.
import { join } from 'node:path';
import { HealthMessages } from '../../src/health/messages.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { openSmtp } from '../../src/mail/smtp.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

const [folder, port, prefix, max] = process.argv.slice(2) as [string, string, string, string];
const server = {
  hostname: '127.0.0.1',
  port: Number(port),
  login: undefined,
  tls: false,
  senderEmail: 'cd@example.org',
  adminEmail: 'ops@example.org',
};
const print = (line: string) => process.stdout.write(`${line}\n`);
const database = openSqlite(join(folder, 'test.db'));
await migrate(database);
const outbox = new Outbox({
  database,
  server: () => server,
  connect: (to) => openSmtp(to, { startTls: 'offered', caFile: undefined }),
  health: new HealthMessages(),
  log: {
    info: () => {},
    warn: (facts) => print(`warn ${JSON.stringify(facts)}`),
    error: (facts) => print(`error ${JSON.stringify(facts)}`),
  },
});
await outbox.start();
for (let count = 0; count < Number(max); count++) {
  const subject = `${prefix}-${count}`;
  await outbox.add({ to: 'someone@example.org', subject, text: `Mail ${subject}`, html: `<p>Mail ${subject}</p>` });
  // The test that reads this line may rely on the mail.
  print(`kept ${subject}`);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
while (true) {
  const left = await database.query.selectFrom('outbox').select('id').where('ended_at', 'is', null).execute();
  if (left.length === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await outbox.stop();
await database.close();
print('empty');
