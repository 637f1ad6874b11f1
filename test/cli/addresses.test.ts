// Messages of commands about servers that cannot be reached at the given address.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { slipway } from '../support/server/command-line.ts';
import { type Certificates, makeCertificates } from '../support/services/certificates.ts';

let certificates: Certificates;
const servers: Server[] = [];
before(async () => {
  certificates = await makeCertificates();
});
after(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  await certificates.remove();
});

async function listening(server: Server, scheme = 'http'): Promise<string> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refusing = (_: unknown, response: { writeHead(status: number): { end(body: string): void } }) => response.writeHead(401).end('{}');
const startTls = () => listening(createTlsServer(certificates, refusing), 'https');
const startRedirect = (target: string) =>
  listening(createServer(({ url }, response) => void response.writeHead(308, { Location: `${target}${url}` }).end()));

async function failureOf(url: string, ...args: readonly string[]): Promise<string> {
  const { status, err } = await slipway(args.length > 0 ? args : ['maintenance', 'off'], {
    environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'x' },
  });
  assert.equal(status, 1);
  return err;
}

test('a certificate that is not trusted is reported with the fix', async () => {
  const url = await startTls();
  const err = await failureOf(url);
  assert.ok(err.startsWith(`${url} cannot be reached: its certificate is not trusted (`), err);
  assert.match(err, /Set NODE_EXTRA_CA_CERTS to the file/);
});

test('a failure behind a redirect names the address that failed', async () => {
  const target = await startTls();
  const err = await failureOf(`${await startRedirect(target)}/cd`, 'agents');
  assert.ok(err.startsWith(`${target}/cd cannot be reached: its certificate is not trusted (`), err);
});

test('a redirect to another port does not make the password look wrong', async () => {
  const target = await listening(createServer(refusing));
  const url = await startRedirect(target);
  const expected = `${url} redirects to ${target}: give that address as --url.\n`;
  assert.deepEqual([await failureOf(url), await failureOf(url, 'agents')], [expected, expected]);
});

test('a server that does not listen is reported', async () => {
  const server = createServer();
  const url = await listening(server);
  await new Promise((done) => server.close(done));
  assert.match(await failureOf(url), new RegExp(`^${url} cannot be reached: connect ECONNREFUSED`));
});

test('a token that cannot be sent is not printed', async () => {
  for (const token of ['geheim\nnoch eins', 'geheim…']) {
    const { status, err } = await slipway(['list', '--url', 'http://127.0.0.1:9', '--token', token]);
    assert.equal(status, 4);
    assert.equal(err, 'Login to http://127.0.0.1:9 failed: the access token has characters that no token has, such as a line break.\n');
  }
});
