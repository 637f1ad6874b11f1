import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddresses } from './client-address.ts';

const request = (forwarded?: string, remoteAddress: string | undefined = '10.0.0.1') => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  socket: { remoteAddress },
});

test('anybody can write the header: it counts only behind a proxy that is trusted', () => {
  assert.equal(clientAddresses({ trustProxy: false })(request('192.0.2.7')), '10.0.0.1');
  assert.equal(clientAddresses({ trustProxy: true })(request('192.0.2.7')), '192.0.2.7');
});

test('of several the last is what the trusted proxy saw, the others anybody may have written; without any it is who is connected', () => {
  const addressOf = clientAddresses({ trustProxy: true });
  assert.equal(addressOf(request(' 192.0.2.7 , 198.51.100.1 ')), '198.51.100.1');
  for (const port of ['198.51.100.1:4711', '198.51.100.1:4712']) assert.equal(addressOf(request(port)), '198.51.100.1');
  assert.equal(addressOf(request('2001:db8::17')), '2001:db8::17');
  for (const none of [undefined, '', '198.51.100.1, ']) assert.equal(addressOf(request(none)), '10.0.0.1');
});

test('`Forwarded` tells it where there is no other header', () => {
  const addressOf = (forwarded: string, more = {}) =>
    clientAddresses({ trustProxy: true })({ headers: { forwarded, ...more }, socket: { remoteAddress: '10.0.0.1' } });
  assert.equal(addressOf('for=192.0.2.7, for=198.51.100.1:4711;proto=https'), '198.51.100.1');
  assert.equal(addressOf('for="[2001:db8::17]:4711"'), '2001:db8::17');
  assert.equal(addressOf('for=192.0.2.7', { 'x-forwarded-for': '198.51.100.1' }), '198.51.100.1');
  for (const none of ['', 'proto=https', 'for=192.0.2.7, ']) assert.equal(addressOf(none), '10.0.0.1');
});

test('a connection that is already closed has none', () => {
  const closed = { headers: {}, socket: { remoteAddress: undefined } };
  for (const trustProxy of [true, false]) assert.equal(clientAddresses({ trustProxy })(closed), '');
});
