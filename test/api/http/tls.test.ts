// Plain HTTP beside TLS: redirected, closed or open; and the header that keeps browsers at HTTPS.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../../support/server/server.ts';
import { type Certificates, makeCertificates } from '../../support/services/certificates.ts';

const AS_ADMIN = { Authorization: basic('admin', ADMIN_PASSWORD) };
const CONFIRM = { 'X-Svc-Confirm': 'true' };
const HSTS = 'strict-transport-security';

let certificates: Certificates;
let folder: string;
const running: TestServer[] = [];
before(async () => {
  certificates = await makeCertificates('DNS:*.wild.example,DNS:localhost,DNS:cd.example.org,IP:127.0.0.1');
  folder = mkdtempSync(join(tmpdir(), 'slipway-tls-'));
  writeFileSync(join(folder, 'cert.pem'), certificates.cert);
  writeFileSync(join(folder, 'key.pem'), certificates.key);
});
after(async () => {
  for (const server of running) await server.stop();
  rmSync(folder, { recursive: true });
  await certificates.remove();
});

async function start(options: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const tls = { 'tls-cert': join(folder, 'cert.pem'), 'tls-key': join(folder, 'key.pem'), 'tls-port': '0' };
  const server = await TestServer.start({ ...tls, ...options });
  running.push(server);
  return server;
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asks without following anything. */
async function ask(method: string, url: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<Reply> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const request = send(url, { method, headers, rejectUnauthorized: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, text };
}

const locationOf = async (method: string, url: string, headers: Readonly<Record<string, string>> = {}, body?: string) => {
  const { status, headers: answered } = await ask(method, url, headers, body);
  return [status, answered.location];
};

describe('plain HTTP by default', () => {
  let server: TestServer;
  let plain: string;
  let secure: string;
  let port: string;
  before(async () => {
    server = await start({ 'context-path': '/cd' });
    [plain, secure] = server.addresses as [string, string];
    port = new URL(secure).port;
  });

  test('every request by HTTP is sent on, with its path and query, and keeps its method', async () => {
    for (const path of ['/cd/api/version', '/cd/api/admin/environments?at=1&x=%2F', '/elsewhere', '//evil.example/x'])
      assert.deepEqual(await locationOf('GET', `${new URL(plain).origin}${path}`), [308, `https://127.0.0.1:${port}${path}`]);
    const body = JSON.stringify({ name: 'x'.repeat(100_000) });
    assert.deepEqual(await locationOf('POST', `${plain}/api/admin/environments`, AS_ADMIN, body), [
      308,
      `${secure}/api/admin/environments`,
    ]);
    const { headers, text } = await ask('GET', `${plain}/api/version`);
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(JSON.parse(text).message, /^This server is reached by HTTPS\./);
  });

  test('load balancers are answered all the same', async () => {
    for (const path of ['/api/v1/health', '/api/v1/ready', '/api/v1/ready?x=1'])
      assert.equal((await ask('GET', plain + path)).status, 200, path);
    assert.equal((await ask('GET', `${plain}/api/v1/health/`)).status, 308);
  });

  test('a redirect repeats the host only if it is known to be this server', async () => {
    const sentTo = async (Host: string) => (await locationOf('GET', `${plain}/`, { Host }))[1];
    for (const [host, wanted] of [
      ['cd.example.org:8153', 'cd.example.org'],
      ['CD.example.org', 'cd.example.org'],
      ['ci.wild.example', 'ci.wild.example'],
      ['127.0.0.1', '127.0.0.1'],
      ['evil.example', 'localhost'],
      ['cd.example.org@evil.example', 'localhost'],
      ['cd.example.org/..', 'localhost'],
      ['169.254.169.254', 'localhost'],
    ] as const)
      assert.equal(await sentTo(host), `https://${wanted}:${port}/cd/`, host);
  });

  test('every answer by HTTPS tells browsers to stay with it', async () => {
    for (const [path, headers] of [
      ['/api/version', AS_ADMIN],
      ['/api/version', {}],
      ['/api/v1/health', {}],
      ['/nowhere', AS_ADMIN],
    ] as const)
      assert.equal((await ask('GET', secure + path, headers)).headers[HSTS], 'max-age=31536000', path);
    const version = await ask('GET', `${secure}/api/version`, AS_ADMIN);
    assert.equal(version.headers['content-type'], 'application/vnd.svc.v1+json; charset=utf-8');
    assert.match(version.headers.etag!, /^"/);
    for (const path of ['/api/version', '/api/v1/health']) assert.equal((await ask('GET', plain + path)).headers[HSTS], undefined);
  });
});

test('site URLs decide the target, for their own hosts and for unknown ones', async () => {
  const server = await start({ 'trust-proxy': '127.0.0.1' });
  const [plain, secure] = server.addresses as [string, string];
  const port = new URL(secure).port;
  const urls = JSON.stringify({ site_url: 'http://cd.example.org', secure_site_url: 'https://ci.example.com:8443/x' });
  const headers = { ...AS_ADMIN, ...CONFIRM, 'Content-Type': 'application/json' };
  assert.equal((await ask('PUT', `${secure}/api/admin/config/server/site_urls`, headers, urls)).status, 200);
  const sentTo = async (Host: string) => (await locationOf('GET', `${plain}/a?b`, { Host }))[1];
  assert.equal(await sentTo('ci.example.com'), 'https://ci.example.com:8443/a?b');
  assert.equal(await sentTo('evil.example'), 'https://ci.example.com:8443/a?b');
  assert.equal(await sentTo('cd.example.org'), `https://cd.example.org:${port}/a?b`);
});

test('behind a trusted proxy that takes the encryption off nothing is redirected: it would never end', async () => {
  const server = await start({ 'trust-proxy': '127.0.0.1' });
  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cd.example.org' };
  accepted(await server.get('/api/version', { headers: forwarded }));
  assert.equal((await ask('GET', `${server.url}/api/version`, { ...forwarded, 'X-Forwarded-Proto': 'http' })).status, 308);
  const other = await start({ 'trust-proxy': '192.0.2.1' });
  assert.equal((await ask('GET', `${other.url}/api/version`, forwarded)).status, 308);
});

test('with plain HTTP closed the server has only HTTPS', async () => {
  const server = await start({ 'tls-plain': 'closed' });
  assert.deepEqual(
    server.addresses.map((address) => new URL(address).protocol),
    ['https:'],
  );
  const { status, headers } = await ask('GET', `${server.url}/api/version`, AS_ADMIN);
  assert.deepEqual([status, headers[HSTS]], [200, 'max-age=31536000']);
});

test('with plain HTTP open both work, and browsers are not told to stay with HTTPS', async () => {
  const server = await start({ 'tls-plain': 'open' });
  for (const address of server.addresses) {
    const { status, headers } = await ask('GET', `${address}/api/version`, AS_ADMIN);
    assert.deepEqual([status, headers[HSTS]], [200, undefined]);
  }
});
