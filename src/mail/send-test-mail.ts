// Tries out a mail server that need not be saved: one mail to the administrator, on a connection of its own, at once and once.
import type { MailServer } from './mail-server.ts';
import type { ConnectSmtp } from './smtp.ts';
import { stampMail } from './stamp.ts';
import { testMail } from './test-mail.ts';
import type { Machine } from './this-machine.ts';

const MAX_TRY_MS = 60_000;

/** Throws in every case in which the mail was not taken. */
export async function sendTestMail(server: MailServer, connect: ConnectSmtp, machine: Machine): Promise<void> {
  const smtp = connect(server);
  const mail = stampMail({ to: server.adminEmail, ...testMail(machine) }, server.senderEmail, Date.now());
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The mail server took longer than ${MAX_TRY_MS / 1000} seconds.`)), MAX_TRY_MS);
  });
  try {
    await Promise.race([smtp.send(mail), timeout]);
  } finally {
    clearTimeout(timer);
    smtp.abort();
  }
}
