// The mail that tries out a mail server, and the check of its settings before anything is sent.
import { page, paragraph } from './html.ts';
import type { MailContent } from './mail.ts';
import type { MailServer } from './mail-server.ts';
import type { Machine } from './this-machine.ts';

export const NOT_SENT =
  'Email: Failed to send an email. Please check the Slipway server logs for any extra information that might be present.';

const HOST_NAME = /^[A-Za-z0-9._-]+$/;
const ADDRESS = /^[^\s@]+@(?:[-\w]*\.)*[-\w]+$/;
const HIGHEST_PORT = 65535;

/** Of several the last is reported, as clients of GoCD expect. */
export function problemWith({ hostname, port, senderEmail, adminEmail }: MailServer): string | undefined {
  const problems = [
    !HOST_NAME.test(hostname) &&
      'Invalid hostname. A valid hostname can only contain letters (A-z) digits (0-9) hyphens (-) dots (.) and underscores (_).',
    !(port > 0 && port <= HIGHEST_PORT) && 'Invalid port.',
    !ADDRESS.test(senderEmail) && 'From address is not a valid email address.',
    !ADDRESS.test(adminEmail) && 'Admin address is not a valid email address.',
  ];
  return problems.findLast((problem) => problem !== false) || undefined;
}

export function testMail({ hostName, ip }: Machine): MailContent {
  const paragraphs = ['You received this configuration test email from Slipway Server:', `${hostName} (${ip})`, 'Thank you.'];
  const subject = 'Slipway Email Notification';
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: page(subject, 'neutral', paragraphs.map(paragraph)) };
}
