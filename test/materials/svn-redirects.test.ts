// Servers that send svn to another one: the password stays where it was entered for.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { SvnMaterial } from '../../src/materials/types/svn/material.ts';
import { svnClient } from '../../src/materials/types/svn/svn-client.ts';
import { makeCertificates } from '../support/services/certificates.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { type Answering, startWebServer } from '../support/services/web-server.ts';
import { allTextOf, Lab } from './support/polling.ts';

const lab = new Lab();
const PASSWORD = 'hunter2-hunter2';
const AUTHORIZATION = `Basic ${Buffer.from(`bob:${PASSWORD}`).toString('base64')}`;

before(() => ensureDebianPackages(['subversion']));
after(() => lab.remove());

const materialOf = (url: string, more: Partial<SvnMaterial> = {}): SvnMaterial => ({
  type: 'svn',
  fingerprint: 'f',
  url,
  checkExternals: false,
  username: 'bob',
  password: PASSWORD,
  ...more,
});

async function serve(t: TestContext, answer: Answering, tls?: Parameters<typeof startWebServer>[1]) {
  const server = await startWebServer(answer, tls);
  t.after(() => server.stop());
  return server;
}

/** Wants a password, and records the Authorization header of each request. */
async function trap(t: TestContext) {
  const authorizations: (string | undefined)[] = [];
  const { url } = await serve(t, (request, response) => {
    authorizations.push(request.headers.authorization);
    challenge(request, response);
  });
  return { url, authorizations };
}

function challenge({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Basic realm="here"' }).end();
  else response.writeHead(403).end();
}

const failureOf = (material: SvnMaterial, more: object = {}): Promise<Error> =>
  svnClient.checkConnection(material, { ...lab.context(), ...more }).then(
    () => assert.fail('accepted'),
    (reason: Error) => reason,
  );

describe('redirects to another server', () => {
  for (const status of [301, 302, 303, 307, 308])
    test(`a redirect with status ${status} to another server is not followed, and the message names that server`, async (t) => {
      const { url, authorizations } = await trap(t);
      const location = `${url.replace('://', `://eve:${PASSWORD}@`)}/moved?token=${PASSWORD}`;
      const sender = await serve(t, (_, response) => void response.writeHead(status, { location }).end());
      for (const material of [
        materialOf(`${sender.url}/x`),
        materialOf(`${sender.url.replace('://', `://bob:${PASSWORD}@`)}/x`, { username: null, password: null }),
      ]) {
        const failure = await failureOf(material);
        assert.equal(
          failure.message,
          `The server redirects to ${url}/moved. A password is sent only to the scheme, host and port it was entered for: enter this address instead, and the password again.`,
        );
        assert.ok(!allTextOf(failure).includes(PASSWORD));
      }
      assert.deepEqual(authorizations, []);
    });

  test('a redirect is not followed even if only clients with a login get it, by way of the same server', async (t) => {
    const { url, authorizations } = await trap(t);
    const sender = await serve(t, (request, response) => {
      if (request.headers.authorization !== AUTHORIZATION) challenge(request, response);
      else response.writeHead(301, { location: request.url === '/x' ? '/y' : `${url}/x` }).end();
    });
    assert.match((await failureOf(materialOf(`${sender.url}/x`))).message, /^The server redirects to http:/);
    assert.deepEqual(authorizations, []);
  });

  test('a redirect to another server fails all commands', async (t) => {
    const { url, authorizations } = await trap(t);
    const sender = await serve(t, (_, response) => void response.writeHead(301, { location: `${url}/x` }).end());
    const material = materialOf(`${sender.url}/x`, { checkExternals: true });
    for (const attempt of [
      () => Array.fromAsync(svnClient.poll(material, undefined, lab.context())),
      () => Array.fromAsync(svnClient.poll(material, { revision: '1' }, lab.context())),
      () => svnClient.findExternals!(material, lab.context()),
      () => svnClient.checkOut!(material, '1', lab.newPath('into'), lab.context()),
    ])
      await assert.rejects(attempt, /^Error: The server redirects to/);
    assert.deepEqual(authorizations, []);
    assert.deepEqual(new Set(sender.requests), new Set(['OPTIONS /x']));
  });

  test('a redirect of a server with an unknown certificate is not repeated', async (t) => {
    const certificates = await makeCertificates();
    t.after(() => certificates.remove());
    const { url, authorizations } = await trap(t);
    const sender = await serve(t, (_, response) => void response.writeHead(301, { location: `${url}/x` }).end(), certificates);
    const material = materialOf(`${sender.url}/x`);
    assert.match((await failureOf(material)).message, /^The server redirects to another one\. /);
    for (const tls of [{ caFile: certificates.caFile }, { uncheckedHosts: [new URL(sender.url).host] }])
      assert.ok((await failureOf(material, { tls })).message.startsWith(`The server redirects to ${url}/x. `));
    assert.deepEqual(authorizations, []);
  });

  test('a server with an unknown certificate gets no password', async (t) => {
    const certificates = await makeCertificates();
    t.after(() => certificates.remove());
    const authorizations: (string | undefined)[] = [];
    const { url } = await serve(
      t,
      (request, response) => {
        authorizations.push(request.headers.authorization);
        challenge(request, response);
      },
      certificates,
    );
    assert.match((await failureOf(materialOf(`${url}/x`))).message, /certificate/i);
    assert.deepEqual(new Set(authorizations), new Set([undefined]));
  });
});

describe('failures that svn itself reports', () => {
  test('redirects on the same server are reported by svn', async (t) => {
    const server = await serve(t, (request, response) => {
      if (request.url === '/x') response.writeHead(301, { location: '/y' }).end();
      else challenge(request, response);
    });
    assert.match((await failureOf(materialOf(`${server.url}/x`))).message, /E\d{6}/);
    assert.ok(server.requests.includes('OPTIONS /y'));
  });

  test('endless redirects on the same server are reported', async (t) => {
    const server = await serve(t, (_, response) => void response.writeHead(301, { location: '/x' }).end());
    assert.match((await failureOf(materialOf(`${server.url}/x`))).message, /redirects more than 5 times/);
  });

  test('a server that is missing, has no repository, or never answers is reported', async (t) => {
    assert.match((await failureOf(materialOf('http://127.0.0.1:1/x'))).message, /Connection refused|E\d{6}/);
    const page = await serve(t, (_, response) => void response.writeHead(200).end('a page'));
    assert.match((await failureOf(materialOf(`${page.url}/x`))).message, /E\d{6}/);
    const silent = await serve(t, () => {});
    const limits = { timeoutMs: 60_000, responseTimeoutMs: 400, maxBytes: 1_000_000 };
    assert.match((await failureOf(materialOf(`${silent.url}/x`), { limits })).message, /svn was stopped: it took longer than 0\.4 seconds/);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    assert.match((await failureOf(materialOf(`${silent.url}/x`), { signal: controller.signal })).message, /svn was stopped/);
  });

  test('without a login no request is sent beforehand', async (t) => {
    const server = await serve(t, (_, response) => void response.writeHead(404).end());
    await failureOf(materialOf(`${server.url}/x`, { username: null, password: null }));
    const alone = server.requests.length;
    await failureOf(materialOf(`${server.url}/x`));
    assert.equal(server.requests.length, 2 * alone + 1);
  });
});
