// Says in words of our own why a mail could not be sent, and what to check. The answer of the mail server itself is for the log.
import { ForbiddenAddress } from '../kit/network/reach.ts';
import type { SmtpError } from './send-failure.ts';

const BY_ERRNO: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at this hostname and port.',
  ENOTFOUND: 'There is no host with this hostname.',
  EAI_AGAIN: 'The hostname cannot be looked up now.',
  EHOSTUNREACH: 'The host cannot be reached from this server.',
  ENETUNREACH: 'The host cannot be reached from this server.',
  ETIMEDOUT: 'The mail server did not answer in time. Check hostname, port and tls.',
  ECONNRESET: 'The mail server closed the connection. Check port and tls.',
};
const ABOUT_TLS = /certificate|cert_|ssl|tls|self.signed/i;
const REFUSED_AT: Readonly<Record<string, string>> = {
  'MAIL FROM': 'The mail server refused sender_email',
  'RCPT TO': 'The mail server refused admin_email',
};

export function failureText(error: SmtpError): string {
  const { message, code = '', responseCode, command = '' } = error;
  // The server has connected to nothing, so there is nothing else to check.
  if (error instanceof ForbiddenAddress) return message;
  const answer = responseCode === undefined ? '' : ` (${responseCode})`;
  if (code === 'EAUTH') return `The mail server refused the login${answer}. Check username and password.`;
  if (REFUSED_AT[command] !== undefined) return `${REFUSED_AT[command]}${answer}.`;
  const errno = Object.keys(BY_ERRNO).find((name) => code === name || message.includes(name));
  if (errno !== undefined) return BY_ERRNO[errno]!;
  if (code === 'EDNS') return BY_ERRNO.ENOTFOUND!;
  if (code === 'ETLS' || ABOUT_TLS.test(message))
    return 'The TLS connection failed. Check tls, port, and the certificate of the mail server.';
  if (responseCode !== undefined) return `The mail server refused the mail${answer}.`;
  return 'The mail server did not take the mail. Check hostname, port and tls.';
}
