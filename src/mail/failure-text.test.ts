import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureText } from './failure-text.ts';
import type { SmtpError } from './send-failure.ts';

const ROWS: readonly (readonly [SmtpError, string])[] = [
  [{ message: 'connect ECONNREFUSED 10.0.0.7:25', code: 'ESOCKET' }, 'Nothing answers at this hostname and port.'],
  [{ message: 'getaddrinfo ENOTFOUND mail', code: 'EDNS' }, 'There is no host with this hostname.'],
  [{ message: 'queryA EAI_AGAIN mail', code: 'EDNS' }, 'The hostname cannot be looked up now.'],
  [{ message: 'no answer', code: 'EDNS' }, 'There is no host with this hostname.'],
  [{ message: 'Greeting never received', code: 'ETIMEDOUT' }, 'The mail server did not answer in time. Check hostname, port and tls.'],
  [
    { message: 'self-signed certificate', code: 'ESOCKET' },
    'The TLS connection failed. Check tls, port, and the certificate of the mail server.',
  ],
  [{ message: 'no', code: 'ETLS' }, 'The TLS connection failed. Check tls, port, and the certificate of the mail server.'],
  [
    { message: 'Invalid login: 535 no, hunter2', code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' },
    'The mail server refused the login (535). Check username and password.',
  ],
  [{ message: 'no', code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }, 'The mail server refused sender_email (553).'],
  [{ message: 'no', code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'The mail server refused admin_email (550).'],
  [{ message: 'no', code: 'EMESSAGE', responseCode: 552, command: 'DATA' }, 'The mail server refused the mail (552).'],
  [{ message: 'anything' }, 'The mail server did not take the mail. Check hostname, port and tls.'],
];

for (const [error, text] of ROWS) {
  test(`${error.code} ${error.message}`, () => assert.equal(failureText(error), text));
}
