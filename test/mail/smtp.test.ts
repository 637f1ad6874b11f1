// Sending over real SMTP: TLS, STARTTLS, login, and servers that refuse, hang and break off.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../src/mail/mail-server.ts';
import { type FailureClassification, SendFailure } from '../../src/mail/send-failure.ts';
import { openSmtp, type Smtp, type SmtpOptions } from '../../src/mail/smtp.ts';
import { PATIENCE_MS, withGrowingLimits } from '../support/patience.ts';
import { type Certificates, makeCertificates } from '../support/services/certificates.ts';
import { headerOf, type SmtpTestOptions, SmtpTestServer } from '../support/services/smtp.ts';

const LOGIN = { username: 'notifier', password: 'p@ss wörd' };
const MAIL = {
  to: 'ops@example.org',
  subject: 'Grüße & more',
  text: 'Plain text\n.\n.. with dots\n',
  html: '<p>HTML &amp; text</p>',
  messageId: '<one@example.org>',
  createdAt: '2026-01-02T03:04:05.000Z',
};

let certificates: Certificates;
let secure: SmtpTestServer;
let upgrading: SmtpTestServer;
let plain: SmtpTestServer;
const open: Smtp[] = [];

before(async () => {
  certificates = await makeCertificates();
  secure = await SmtpTestServer.start({ certificates, isSecure: true, login: LOGIN });
  upgrading = await SmtpTestServer.start({ certificates, login: LOGIN });
  plain = await SmtpTestServer.start();
});

after(async () => {
  for (const smtp of open) smtp.abort();
  await Promise.all([secure, upgrading, plain].map((server) => server.stop()));
  await certificates.remove();
});

function connect(port: number, server: Partial<MailServer> = {}, options: Partial<SmtpOptions> = {}): Smtp {
  const smtp = openSmtp(
    { hostname: '127.0.0.1', port, login: undefined, tls: false, senderEmail: 'cd@example.org', adminEmail: 'ops@example.org', ...server },
    { startTls: 'offered', caFile: certificates.caFile, timeoutMs: PATIENCE_MS, ...options },
  );
  open.push(smtp);
  return smtp;
}

async function startFor(context: TestContext, options?: SmtpTestOptions): Promise<SmtpTestServer> {
  const server = await SmtpTestServer.start(options);
  context.after(() => server.stop());
  return server;
}

async function failureOf(smtp: Smtp, beforeAll?: () => Promise<void>): Promise<FailureClassification> {
  try {
    await smtp.send(MAIL, beforeAll);
  } catch (failure) {
    assert.ok(failure instanceof SendFailure, String(failure));
    return failure.classification;
  }
  return assert.fail('it was sent');
}

test('a mail is sent over TLS with a login, with all headers and both bodies', async () => {
  await connect(secure.port, { tls: true, login: LOGIN }).send(MAIL);
  const [mail] = secure.received;
  assert.equal(mail!.user, LOGIN.username);
  assert.ok(mail!.isSecure);
  assert.deepEqual([mail!.from, mail!.to], ['cd@example.org', ['ops@example.org']]);
  for (const name of ['From', 'Sender', 'Reply-To']) assert.equal(headerOf(mail!.raw, name), 'cd@example.org');
  assert.equal(headerOf(mail!.raw, 'To'), 'ops@example.org');
  assert.equal(headerOf(mail!.raw, 'Message-ID'), MAIL.messageId);
  assert.equal(headerOf(mail!.raw, 'Date'), 'Fri, 02 Jan 2026 03:04:05 +0000');
  assert.match(headerOf(mail!.raw, 'Subject')!, /=\?UTF-8\?/);
  assert.match(mail!.raw, /multipart\/alternative/);
  assert.match(mail!.raw, /text\/plain.*Plain text\r\n\.\r\n\.\. with dots.*text\/html.*HTML &amp; text/s);
});

test('one connection serves several mails', async () => {
  const before = secure.connections;
  const smtp = connect(secure.port, { tls: true, login: LOGIN });
  for (const messageId of ['<a@x>', '<b@x>', '<c@x>']) await smtp.send({ ...MAIL, messageId });
  assert.equal(secure.connections - before, 1);
});

test('a mail server at a link-local address is refused', async () => {
  for (const hostname of ['169.254.169.254', '::ffff:169.254.169.254', '0xa9fea9fe']) {
    const { concerns, reason } = await failureOf(connect(25, { hostname }));
    assert.equal(concerns, 'server');
    assert.match(reason, /(?:is|leads to) a link-local address/);
  }
});

test('STARTTLS is used where it is offered, can be demanded, and can be left', async () => {
  await connect(upgrading.port, { login: LOGIN }).send(MAIL);
  assert.ok(upgrading.received.at(-1)!.isSecure);
  const { concerns, isFinal } = await failureOf(connect(plain.port, {}, { startTls: 'always' }));
  assert.deepEqual([concerns, isFinal], ['server', false]);
  await connect(plain.port, {}, { startTls: 'never' }).send(MAIL);
  assert.ok(!plain.received.at(-1)!.isSecure);
});

test('a certificate of an unknown authority, or of another name, is not accepted', async (context) => {
  for (const [server, tls] of [
    [secure, true],
    [upgrading, false],
  ] as const) {
    const { concerns, reason } = await failureOf(connect(server.port, { tls, login: LOGIN }, { caFile: undefined }));
    assert.equal(concerns, 'server');
    assert.match(reason, /certificate/);
  }
  const others = await makeCertificates('DNS:mail.example.org');
  context.after(() => others.remove());
  const stranger = await startFor(context, { certificates: others, isSecure: true, login: LOGIN });
  const { reason } = await failureOf(connect(stranger.port, { tls: true, login: LOGIN }, { caFile: others.caFile }));
  assert.match(reason, /does not match certificate|altnames/i);
});

test('a wrong password concerns the server, not the mail', async () => {
  const classification = await failureOf(connect(secure.port, { tls: true, login: { ...LOGIN, password: 'wrong' } }));
  assert.deepEqual([classification.concerns, classification.isFinal, classification.isInDoubt], ['server', false, false]);
  assert.doesNotMatch(classification.reason, /wrong$/);
});

test('a name without a password is no login', async () => {
  await connect(plain.port, { login: undefined }).send(MAIL);
  assert.equal(plain.received.at(-1)!.user, undefined);
});

test('a list of addresses is not several recipients', async () => {
  const smtp = connect(plain.port);
  const count = plain.received.length;
  await assert.rejects(smtp.send({ ...MAIL, to: 'a@example.org, b@example.org' }), SendFailure);
  await assert.rejects(smtp.send({ ...MAIL, to: 'a@example.org\r\nRCPT TO:<b@example.org>' }), SendFailure);
  assert.equal(plain.received.length, count);
});

test('a refusal with 5xx is final, one with 4xx is not', async (context) => {
  const server = await startFor(context);
  const smtp = connect(server.port);
  const classification = async () => {
    const { concerns, isFinal, isInDoubt } = await failureOf(smtp);
    return { concerns, isFinal, isInDoubt };
  };
  server.behaviour = { recipient: { code: 550, text: 'no such user' } };
  assert.deepEqual(await classification(), { concerns: 'mail', isFinal: true, isInDoubt: false });
  server.behaviour = { recipient: { code: 451, text: 'greylisted' } };
  assert.deepEqual(await classification(), { concerns: 'mail', isFinal: false, isInDoubt: false });
  server.behaviour = { mail: { code: 554, text: 'spam' } };
  assert.deepEqual(await classification(), { concerns: 'mail', isFinal: true, isInDoubt: false });
  server.behaviour = { mail: { code: 452, text: 'no room' } };
  assert.deepEqual(await classification(), { concerns: 'mail', isFinal: false, isInDoubt: false });
  server.behaviour = { recipient: { code: 421, text: 'going down' } };
  assert.deepEqual(await classification(), { concerns: 'server', isFinal: false, isInDoubt: false });
  server.behaviour = {};
  await smtp.send(MAIL);
});

test('a connection lost in the middle leaves no doubt, but one lost or silent after the end does', async (context) => {
  const server = await startFor(context);
  const smtp = connect(server.port);
  server.behaviour = { breaksOff: true };
  // Larger than the buffers on the way, so that its end cannot have been sent.
  const large = { ...MAIL, text: 'x'.repeat(12_000_000), messageId: '<large@x>' };
  await assert.rejects(
    smtp.send(large),
    (failure: SendFailure) => !failure.classification.isInDoubt && failure.classification.concerns === 'mail',
  );
  server.behaviour = { takesAndBreaksOff: true };
  assert.deepEqual(pick(await failureOf(smtp)), { concerns: 'mail', isFinal: false, isInDoubt: true });
  server.behaviour = { isSilent: true };
  await withGrowingLimits(async (factor) => {
    const impatient = connect(server.port, {}, { timeoutMs: factor * 1_000 });
    assert.deepEqual(pick(await failureOf(impatient)), { concerns: 'mail', isFinal: false, isInDoubt: true });
  });
});

test('no part of a mail is sent before it may be, and none at all if it may not', async (context) => {
  const server = await startFor(context);
  const moments: string[] = [];
  server.onMoment = (moment) => moments.push(moment);
  const smtp = connect(server.port);
  await smtp.send(MAIL, async () => {
    await pause(100);
    moments.push('may');
  });
  assert.deepEqual(moments, ['connection', 'sender', 'recipient', 'may', 'body', 'all', 'answered']);
  const { concerns, isInDoubt, reason } = await failureOf(smtp, () => Promise.reject(new Error('the disk is full')));
  assert.deepEqual([concerns, isInDoubt, reason], ['mail', false, 'the disk is full']);
  await smtp.send(MAIL);
  assert.equal(server.received.length, 2);
});

test('servers that are silent, missing, or answer in drips are given up', async () => {
  for (const greet of [
    () => {},
    (socket: Socket) => socket.destroy(),
    (socket: Socket) => socket.write('220 hello\r\n'),
    (socket: Socket) => {
      socket.write('220 hello\r\n');
      // Never a whole answer, and never silent long enough for the limit of one answer.
      const drip = setInterval(() => socket.write('250-x\r\n'), 50);
      socket.on('close', () => clearInterval(drip));
    },
  ]) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      greet(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const smtp = connect((server.address() as AddressInfo).port, {}, { timeoutMs: 200 });
    const { concerns, isInDoubt } = await failureOf(smtp);
    assert.deepEqual([concerns, isInDoubt], ['server', false]);
    smtp.abort();
    server.close();
  }
  const { concerns } = await failureOf(connect(1));
  assert.equal(concerns, 'server');
});

function pick({ concerns, isFinal, isInDoubt }: FailureClassification) {
  return { concerns, isFinal, isInDoubt };
}
