// The mail server config: its checks, its password, and being set or not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/config/mailserver';
const VALID = { hostname: 'smtp.example.org', port: 587, sender_email: 'a@example.org', admin_email: 'b@example.org' };
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

test('before the mail server is set it is not found', async () => {
  assert.equal((await server.get(PATH)).json.message, 'SMTP config was not found!');
  const deleted = await server.delete(PATH);
  assert.equal(deleted.status, 404);
  assert.equal(deleted.json.message, 'SMTP config was not found!');
});

test('every wrong field is named', async () => {
  const reply = await server.post(PATH, { sender_email: 'nobody' });
  assert.equal(reply.status, 422);
  assert.deepEqual(reply.json, {
    message: 'Validation failed.',
    data: {
      hostname: null,
      port: 0,
      username: null,
      encrypted_password: null,
      tls: false,
      sender_email: 'nobody',
      admin_email: null,
      errors: {
        hostname: ['Hostname must not be blank.'],
        port: ['Port must be a positive number.'],
        sender_email: ['Does not look like a valid email address.'],
        admin_email: ['Admin email must not be blank.'],
      },
    },
  });
  assert.equal((await server.post(PATH, { ...VALID, port: 70000 })).status, 422);
  const unreadable = await server.post(PATH, { ...VALID, port: 'many' });
  assert.match(unreadable.json.message, /^Could not read property 'port' as an Integer in json `/);
});

test('POST and PUT set the mail server whole; the password is shown as cipher text and can be sent back', async () => {
  const set = await server.post(PATH, { ...VALID, username: 'me', password: 'hush' });
  assert.equal(set.status, 200, set.text);
  assert.deepEqual(Object.keys(set.json), [
    '_links',
    'hostname',
    'port',
    'username',
    'encrypted_password',
    'tls',
    'sender_email',
    'admin_email',
  ]);
  const kept = await server.put(PATH, { ...VALID, username: 'me', encrypted_password: set.json.encrypted_password });
  assert.equal(kept.etag, set.etag);
  const both = await server.put(PATH, { ...VALID, password: 'x', encrypted_password: set.json.encrypted_password });
  assert.deepEqual(Object.keys(both.json.data.errors), ['password', 'encryptedPassword']);
  const tampered = await server.put(PATH, { ...VALID, encrypted_password: 'v1:00000000:AAAA' });
  assert.deepEqual(tampered.json.data.errors.encryptedPassword, [
    'Encrypted value for password is invalid. This usually happens when the cipher text is invalid.',
  ]);
  const removed = await server.put(PATH, VALID);
  assert.equal(removed.json.encrypted_password, null);
  assert.equal((await server.delete(PATH)).json.message, 'SMTP config was deleted successfully!');
});

test('numbers are read from text too', async () => {
  const { json } = await server.put(PATH, { ...VALID, port: '25', hostname: 7 });
  assert.deepEqual([json.port, json.hostname], [25, '7']);
  for (const port of ['25.0', '1e2'])
    assert.equal((await server.ask('PUT', PATH, { text: JSON.stringify({ ...VALID, port: 0 }).replace('0', port) })).status, 200, port);
});

test('a member of the wrong type does not hide other errors', async () => {
  const wrong = { hostname: '', port: 'abc', sender_email: 'x' };
  for (const reply of [
    await server.put(PATH, wrong),
    await server.post(PATH, wrong),
    await server.patch(PATH, wrong, { headers: { 'Content-Type': 'application/merge-patch+json' } }),
  ]) {
    assert.equal(reply.status, 422);
    for (const field of ['hostname', 'port', 'sender_email']) assert.equal(reply.json.data.errors[field].length, 1, field);
  }
});

test('control characters are refused in all that is sent to a mail server', async () => {
  for (const field of ['hostname', 'username', 'sender_email', 'admin_email']) {
    const { status, json } = await server.put(PATH, { ...VALID, [field]: 'a@example.org\r\nRCPT TO:<eve@example.org>\0' });
    assert.deepEqual([status, json.data.errors], [422, { [field]: ['This must not hold control characters, such as line breaks.'] }]);
  }
});

test('a number in another notation is none', async () => {
  for (const port of ['0x19', '0b11', '0o31', 'Infinity']) {
    const reply = await server.put(PATH, { ...VALID, port });
    assert.equal(reply.status, 422, port);
    assert.match(reply.json.message, /^Could not read property 'port' as an Integer in json `/);
  }
});
