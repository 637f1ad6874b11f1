// Makes a mail a particular one: it keeps its Message-ID and its date at every attempt.
import { randomUUID } from 'node:crypto';
import type { Mail, StampedMail } from './mail.ts';

export function stampMail(mail: Mail, senderEmail: string, now: number): StampedMail {
  const domain = senderEmail
    .split('@')
    .at(-1)!
    .replace(/[^\w.-]/g, '');
  return { ...mail, messageId: `<${randomUUID()}@${domain || 'localhost'}>`, createdAt: new Date(now).toISOString() };
}
