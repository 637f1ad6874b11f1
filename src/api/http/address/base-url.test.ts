import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { addressList } from '../../../kit/network/address-list.ts';
import { baseUrls } from './base-url.ts';

const trusting = baseUrls({ contextPath: '/cd', isTrustedProxy: addressList(['10.0.0.0/8']) });
const urlFor = (headers: Record<string, string>, base = trusting, remoteAddress = '10.0.0.7') =>
  base({
    headers: { host: 'ci.example.com', ...headers },
    socket: { remoteAddress, localAddress: '10.0.0.1', localPort: 8153 },
  } as unknown as IncomingMessage);
const HTTPS = { 'x-forwarded-proto': 'https' };

test('the port that a proxy reports is that of the links, with the host of the proxy or of the request', () => {
  assert.equal(urlFor({ ...HTTPS, 'x-forwarded-port': '8443' }), 'https://ci.example.com:8443/cd');
  assert.equal(urlFor({ ...HTTPS, 'x-forwarded-port': '443', host: 'ci.example.com:8153' }), 'https://ci.example.com/cd');
  assert.equal(urlFor({ ...HTTPS, 'x-forwarded-port': '8443', 'x-forwarded-host': '[::1]' }), 'https://[::1]:8443/cd');
  assert.equal(
    urlFor({ ...HTTPS, 'x-forwarded-port': '8443', 'x-forwarded-host': 'a.example, b.example:9000' }),
    'https://b.example:9000/cd',
  );
  for (const port of ['', 'abc', '123456']) assert.equal(urlFor({ 'x-forwarded-port': port }), 'http://ci.example.com/cd');
});

test('`Forwarded` is read if there are no other headers of a proxy', () => {
  assert.equal(urlFor({ forwarded: 'proto=http, for=192.0.2.7;Proto=HTTPS;host="f.example.com:8443"' }), 'https://f.example.com:8443/cd');
  assert.equal(urlFor({ forwarded: 'proto=https' }), 'https://ci.example.com/cd');
  assert.equal(urlFor({ forwarded: 'host="a\\"b, c";proto=https' }), 'https://10.0.0.1:8153/cd');
  assert.equal(urlFor({ forwarded: 'proto=https;host=evil.example', 'x-forwarded-for': '192.0.2.7' }), 'http://ci.example.com/cd');
});

test('no header of a proxy counts unless the proxy is trusted', () => {
  const spoofed: Record<string, string>[] = [
    { ...HTTPS, 'x-forwarded-port': '8443', 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example' },
  ];
  for (const headers of spoofed) {
    assert.equal(urlFor(headers, baseUrls({ contextPath: '', isTrustedProxy: undefined })), 'http://ci.example.com');
    assert.equal(urlFor(headers, trusting, '192.0.2.7'), 'http://ci.example.com/cd');
  }
});

test('in a chain the outermost trusted proxy reports the address that the client sees, not the client, and not the proxies behind it', () => {
  const chain = { 'x-forwarded-for': '203.0.113.1, 192.0.2.7, 10.0.0.8', 'x-forwarded-proto': 'http, https, http' };
  assert.equal(urlFor({ ...chain, 'x-forwarded-host': 'evil.example, cd.example.org, inner:8080' }), 'https://cd.example.org/cd');
  assert.equal(urlFor({ ...chain, 'x-forwarded-host': 'cd.example.org', 'x-forwarded-proto': 'https' }), 'https://cd.example.org/cd');
  const forwarded = 'host=evil.example;for=203.0.113.1, for=192.0.2.7;proto=https;host=cd.example.org, for=10.0.0.8;proto=http;host=inner';
  assert.equal(urlFor({ forwarded }), 'https://cd.example.org/cd');
});

test('an invalid host is ignored, so that links can always be parsed', () => {
  for (const host of ['[::1]:99999', 'a:65536', '[:::]', '1.2.3.999', 'a b']) {
    assert.equal(urlFor({ host }), 'http://10.0.0.1:8153/cd', host);
    assert.equal(urlFor({ ...HTTPS, 'x-forwarded-host': host }), 'https://10.0.0.1:8153/cd', host);
  }
});
