// Tries out a mail server that need not be saved: one mail to the administrator, on a connection of its own, at once and once.
import type { MailServer } from './mail-server.ts';
import type { ConnectSmtp } from './smtp.ts';
import { stampMail } from './stamp.ts';
import { testMail } from './test-mail.ts';
import type { Machine } from './this-machine.ts';

/** A user waits for the answer. Mail servers that do answer need a second or two. */
const MAX_TRY_MS = 10_000;

/** Throws in every case in which the mail was not taken. */
export async function sendTestMail(server: MailServer, connect: ConnectSmtp, machine: Machine): Promise<void> {
  const smtp = connect(server);
  const mail = stampMail({ to: server.adminEmail, ...testMail(machine) }, server.senderEmail, Date.now());
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const reason = `The mail server did not answer within ${MAX_TRY_MS / 1000} seconds. Check hostname, port and tls.`;
    timer = setTimeout(() => reject(new Error(reason)), MAX_TRY_MS);
  });
  try {
    await Promise.race([smtp.send(mail), timeout]);
  } finally {
    clearTimeout(timer);
    smtp.abort();
  }
}
