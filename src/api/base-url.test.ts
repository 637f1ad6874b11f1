import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { baseUrls } from './base-url.ts';

const trusting = baseUrls({ contextPath: '/cd', trustProxy: true });
const seen = (headers: Record<string, string>, base = trusting) =>
  base({
    headers: { host: 'ci.example.com', ...headers },
    socket: { localAddress: '10.0.0.1', localPort: 8153 },
  } as unknown as IncomingMessage);
const HTTPS = { 'x-forwarded-proto': 'https' };

test('the port that a proxy tells is that of the links, whoever names the host', () => {
  assert.equal(seen({ ...HTTPS, 'x-forwarded-port': '8443' }), 'https://ci.example.com:8443/cd');
  assert.equal(seen({ ...HTTPS, 'x-forwarded-port': '443', host: 'ci.example.com:8153' }), 'https://ci.example.com/cd');
  assert.equal(seen({ ...HTTPS, 'x-forwarded-port': '8443', 'x-forwarded-host': '[::1]' }), 'https://[::1]:8443/cd');
  assert.equal(
    seen({ ...HTTPS, 'x-forwarded-port': '8443', 'x-forwarded-host': 'a.example:9000, b.example' }),
    'https://a.example:9000/cd',
  );
  for (const port of ['', 'abc', '123456']) assert.equal(seen({ 'x-forwarded-port': port }), 'http://ci.example.com/cd');
});

test('`Forwarded` is read where there is nothing else', () => {
  assert.equal(seen({ forwarded: 'for=192.0.2.7;Proto=HTTPS;host="f.example.com:8443", proto=http' }), 'https://f.example.com:8443/cd');
  assert.equal(seen({ forwarded: 'proto=https' }), 'https://ci.example.com/cd');
  assert.equal(seen({ forwarded: 'host="a\\"b, c";proto=https' }), 'https://10.0.0.1:8153/cd');
  assert.equal(seen({ forwarded: 'proto=https;host=evil.example', 'x-forwarded-for': '192.0.2.7' }), 'http://ci.example.com/cd');
});

test('nothing of it counts unless the proxy is trusted', () => {
  const headers = { ...HTTPS, 'x-forwarded-port': '8443', forwarded: 'host=evil.example' };
  assert.equal(seen(headers, baseUrls({ contextPath: '', trustProxy: false })), 'http://ci.example.com');
});
