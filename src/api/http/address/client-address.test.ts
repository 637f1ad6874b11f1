import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressList } from '../../../kit/network/address-list.ts';
import { clientAddresses } from './client-address.ts';

const PROXY = '10.0.0.1';
const behindProxies = clientAddresses(addressList(['10.0.0.0/8', 'fd00::/8']));
const request = (forwarded?: string, remoteAddress: string | undefined = PROXY) => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  socket: { remoteAddress },
});

test('X-Forwarded-For counts only behind a trusted proxy, for anybody can write it', () => {
  assert.equal(clientAddresses(undefined)(request('192.0.2.7')), PROXY);
  assert.equal(behindProxies(request('192.0.2.7')), '192.0.2.7');
  assert.equal(behindProxies(request('192.0.2.7', '::ffff:10.0.0.1')), '192.0.2.7');
  assert.equal(behindProxies(request('192.0.2.7', '198.51.100.1')), '198.51.100.1');
});

test('a chain is read from the right past all trusted proxies; any client may have written the addresses before', () => {
  assert.equal(behindProxies(request(' 192.0.2.7 , 198.51.100.1 ')), '198.51.100.1');
  assert.equal(behindProxies(request('192.0.2.7, 198.51.100.1, 10.0.0.3, fd00::3')), '198.51.100.1');
  assert.equal(behindProxies(request('10.0.0.9, 10.0.0.3')), '10.0.0.9');
});

test('without a valid address in the header the address of the connection counts', () => {
  for (const port of ['198.51.100.1:4711', '198.51.100.1:4712']) assert.equal(behindProxies(request(port)), '198.51.100.1');
  assert.equal(behindProxies(request('2001:db8::17')), '2001:db8::17');
  for (const none of [undefined, '', '198.51.100.1, ', 'unknown', '192.0.2.7, <script>']) assert.equal(behindProxies(request(none)), PROXY);
  assert.equal(behindProxies(request('192.0.2.7, unknown, 10.0.0.3')), '10.0.0.3');
});

test('`Forwarded` gives the address if there is no X-Forwarded-For', () => {
  const addressOf = (forwarded: string, more = {}) => behindProxies({ headers: { forwarded, ...more }, socket: { remoteAddress: PROXY } });
  assert.equal(addressOf('for=192.0.2.7, for=198.51.100.1:4711;proto=https'), '198.51.100.1');
  assert.equal(addressOf('for=192.0.2.7, for=198.51.100.1, for="[fd00::3]:80"'), '198.51.100.1');
  assert.equal(addressOf('for="[2001:db8::17]:4711"'), '2001:db8::17');
  assert.equal(addressOf('for=192.0.2.7', { 'x-forwarded-for': '198.51.100.1' }), '198.51.100.1');
  for (const none of ['', 'proto=https', 'for=192.0.2.7, ', 'for=_hidden', 'for=unknown']) assert.equal(addressOf(none), PROXY);
});

test('a closed connection has an empty address', () => {
  const closed = { headers: {}, socket: { remoteAddress: undefined } };
  for (const addressOf of [behindProxies, clientAddresses(undefined)]) assert.equal(addressOf(closed), '');
});
