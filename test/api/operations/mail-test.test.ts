// The test mail: sent through the server that the body describes, saved or not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestServer } from '../../support/server/server.ts';
import { type Certificates, makeCertificates } from '../../support/services/certificates.ts';
import { headerOf, SmtpTestServer } from '../../support/services/smtp.ts';

const PATH = '/api/config/mailserver/test';
const LOGIN = { username: 'notifier', password: 'top secret' };
const NOT_SENT = 'Email: Failed to send an email. Please check the Slipway server logs for any extra information that might be present.';

let certificates: Certificates;
let smtp: SmtpTestServer;
let server: TestServer;

before(async () => {
  certificates = await makeCertificates();
  smtp = await SmtpTestServer.start({ certificates, isSecure: true, login: LOGIN });
  server = await TestServer.start({ 'mail-ca': certificates.caFile });
});

after(async () => {
  await server.stop();
  await smtp.stop();
  await certificates.remove();
});

const body = (more: object = {}) => ({
  hostname: '127.0.0.1',
  port: smtp.port,
  tls: true,
  ...LOGIN,
  sender_email: 'cd@example.org',
  admin_email: 'ops@example.org',
  ...more,
});

test('a mail arrives, and nothing is saved', async () => {
  const { status, json } = await server.post(PATH, body());
  assert.deepEqual([status, json], [200, { message: null }]);
  const mail = smtp.received.at(-1)!;
  assert.deepEqual(mail.to, ['ops@example.org']);
  assert.equal(headerOf(mail.raw, 'Subject'), 'Slipway Email Notification');
  assert.match(mail.raw, /You received this configuration test email from Slipway Server:\r\n\r\n\S+ \(\S+\)\r\n\r\nThank you\./);
  assert.equal((await server.get('/api/config/mailserver')).status, 404);
});

test('a test mail is sent with the encrypted password of the saved mail server', async () => {
  const saved = await server.post('/api/config/mailserver', body());
  const { encrypted_password } = saved.json;
  const { password: _, ...rest } = body({ encrypted_password });
  assert.equal((await server.post(PATH, rest)).status, 200);
  assert.equal((await server.delete('/api/config/mailserver')).status, 200);
});

test('of several errors, the last one is reported', async () => {
  const cases: [object, string | RegExp][] = [
    [{ hostname: 'not a host' }, /^Invalid hostname\. A valid hostname can only contain letters/],
    [{ hostname: '', port: 0 }, 'Invalid port.'],
    [{ port: -1, sender_email: 'nobody' }, 'From address is not a valid email address.'],
    [{ sender_email: '', admin_email: 'ops' }, 'Admin address is not a valid email address.'],
  ];
  for (const [more, message] of cases) {
    const { status, json } = await server.post(PATH, body(more));
    assert.equal(status, 406, JSON.stringify(more));
    if (typeof message === 'string') assert.deepEqual(json, { message });
    else assert.match(json.message, message);
  }
});

test('a mail that cannot be sent is a 406 with the reason, and the log has the reply of the mail server', async () => {
  const reasons: [object, string][] = [
    [{ password: 'wrong' }, 'The mail server refused the login (535). Check username and password.'],
    [{ port: 1 }, 'Nothing answers at this hostname and port.'],
  ];
  for (const [more, reason] of reasons) {
    const { status, json } = await server.post(PATH, body(more));
    assert.deepEqual([status, json], [406, { message: NOT_SENT, reason }], JSON.stringify(more));
  }
  smtp.behaviour = { recipient: { code: 550, text: 'unknown user' } };
  const refused = await server.post(PATH, body());
  assert.deepEqual([refused.status, refused.json.reason], [406, 'The mail server refused admin_email (550).']);
  smtp.behaviour = {};
  assert.match(server.log, /a test mail could not be sent/);
  assert.match(server.log, /550 unknown user/);
  assert.ok(!server.log.includes(LOGIN.password));
});

test('an address that the server never connects to is named as such', async () => {
  for (const hostname of ['169.254.169.254', '0xa9fea9fe']) {
    const { status, json } = await server.post(PATH, body({ hostname, tls: false }));
    assert.equal(status, 406);
    assert.match(json.reason, /^\S+ (?:is|leads to) a link-local address, .*\. The server never connects to these\.$/);
  }
});

test('a dry run checks what it can, and sends nothing', async () => {
  const count = smtp.received.length;
  assert.equal((await server.post(`${PATH}?dry_run=true`, body())).status, 200);
  assert.equal((await server.post(`${PATH}?dry_run=true`, body({ port: 0 }))).status, 406);
  assert.equal(smtp.received.length, count);
});

test('a member that cannot be read is a 422', async () => {
  assert.equal((await server.post(PATH, body({ port: 'many' }))).status, 422);
  assert.equal((await server.post(PATH, body({ encrypted_password: 'v1:nonsense', password: undefined }))).status, 422);
});
