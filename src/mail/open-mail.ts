// Joins the parts that send mail to the configuration they follow.
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { HealthMessages } from '../health/messages.ts';
import type { Cipher } from '../kit/bytes/cipher.ts';
import type { Log } from '../kit/log.ts';
import type { CachedTables } from '../store/cached-tables.ts';
import type { Database } from '../store/database.ts';
import { AdminMails } from './admin-mails.ts';
import { currentMailServer } from './mail-server.ts';
import { Outbox } from './outbox.ts';
import { openSmtp, type SmtpOptions } from './smtp.ts';

/** The kind of configuration that names the mail server. */
const KIND = 'mailServer';

export interface MailParts {
  readonly database: Database;
  /** For the server that sends: without the lease nothing is written. */
  readonly keeperDatabase: Database;
  readonly cachedTables: CachedTables;
  readonly config: Config;
  readonly changes: Changes;
  readonly cipher: Cipher;
  readonly health: HealthMessages;
  readonly log: Log;
  readonly smtp: SmtpOptions;
}

export interface OpenMail {
  readonly outbox: Outbox;
  readonly adminMails: AdminMails;
  /** Sends mail from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function openMail({
  database,
  keeperDatabase,
  cachedTables,
  config,
  changes,
  cipher,
  health,
  log,
  smtp,
}: MailParts): Promise<OpenMail> {
  const server = currentMailServer(() => (config.kinds.has(KIND) ? config.of(KIND).find('')?.value : undefined), cipher);
  const outbox = new Outbox({ database, keeperDatabase, server, connect: (to) => openSmtp(to, smtp), health, log });
  changes.listen(({ edits }) => {
    if (!edits.some(({ kind }) => kind.name === KIND)) return;
    outbox.serverChanged().catch((failure: unknown) => log.error({ err: failure }, 'the outbox could not turn to the new mail server'));
  });
  const adminMails = new AdminMails({ database, outbox, server });
  await adminMails.load();
  cachedTables.add('told_conditions', () => adminMails.load());
  // Mail that another server has added.
  cachedTables.add('outbox', async () => outbox.wake());
  return {
    outbox,
    adminMails,
    start: async () => {
      // Another server may have mailed them something.
      await adminMails.load();
      await outbox.start();
    },
    stop: () => outbox.stop(),
  };
}
