// Test mails: how long the server waits for an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendTestMail } from './send-test-mail.ts';
import type { Smtp } from './smtp.ts';

const SERVER = { hostname: 'mail', port: 25, login: undefined, tls: false, senderEmail: 'cd@example.org', adminEmail: 'ops@example.org' };

test('a mail server that does not answer is given up after ten seconds', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let isAborted = false;
  const silent: Smtp = {
    send: () => new Promise(() => {}),
    close: () => {},
    abort: () => {
      isAborted = true;
    },
  };
  const sent = sendTestMail(SERVER, () => silent, { hostName: 'here', ip: '127.0.0.1' });
  context.mock.timers.tick(10_000);
  await assert.rejects(sent, { message: 'The mail server did not answer within 10 seconds. Check hostname, port and tls.' });
  assert.ok(isAborted);
});
