// Tests calls to clusters: requests, failures, and allowed addresses.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { TRUSTED } from '../../../../kit/network/reach.ts';
import { type ApiEndpoint, call, jsonOf } from './api-call.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));
let endpoint: ApiEndpoint;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`),
    headers: { authorization: 'Bearer hidden' },
  };
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const tools = { signal: new AbortController().signal, networkPolicy: TRUSTED };
const get = (more = {}) => call(endpoint, { method: 'GET', path: '/things', ...more }, tools);

test('the cluster gets the path, the query and the body', async () => {
  let received = '';
  answer = ({ method, url, headers }, response) => {
    received = `${method} ${url} ${headers.authorization} ${headers['content-type']}`;
    response.end('{"a":1}');
  };
  const reply = await call(endpoint, { method: 'POST', path: '/things', query: { name: 'a b' }, body: {} }, tools);
  assert.equal(received, 'POST /base/things?name=a+b Bearer hidden application/json');
  assert.deepEqual(jsonOf(reply, endpoint), { a: 1 });
});

test('a refusal is reported in the words of the cluster, shortened', async () => {
  answer = (_, response) => void response.writeHead(403).end(JSON.stringify({ message: `no ${'x'.repeat(10_000)}` }));
  await assert.rejects(get(), ({ message }: Error) => /refused: no x+…x+ \(status 403\)\.$/.test(message) && message.length < 500);
  answer = (_, response) => void response.writeHead(502).end('<html>secret</html>');
  await assert.rejects(get(), /^Error: http:\/\/127\.0\.0\.1:\d+ refused: status 502\.$/);
  assert.equal((await get({ alsoWanted: [502] })).status, 502);
});

test('an answer that is no JSON, is too large, or does not come, is a failure', async () => {
  assert.throws(() => jsonOf({ status: 200, text: '<html>' }, endpoint), /answered with something that is not JSON/);
  answer = (_, response) => void response.end(Buffer.alloc(17 * 1024 ** 2));
  await assert.rejects(get(), /answered with more than 16 MiB/);
  answer = () => {};
  await assert.rejects(get({ timeoutMs: 20 }), /did not answer in time/);
  answer = (_, response) => void response.destroy();
  await assert.rejects(get(), /cannot be reached: ECONNRESET/);
});

test('this machine is asked where the address itself names it', async () => {
  answer = (_, response) => void response.end('{}');
  const networkPolicy = { ...TRUSTED, loopback: 'this machine' };
  assert.equal((await call(endpoint, { method: 'GET', path: '/' }, { ...tools, networkPolicy })).status, 200);
});

test('addresses that are never allowed are not asked', async () => {
  const url = new URL('http://169.254.169.254/');
  await assert.rejects(call({ url }, { method: 'GET', path: '/' }, tools), /169\.254\.169\.254 is a link-local address/);
});

test('certificates that cannot be used are said, and not shown', async () => {
  const secure = { url: new URL('https://127.0.0.1:1/'), tls: { ca: 'hidden', cert: 'hidden', key: 'hidden' } };
  await assert.rejects(
    call(secure, { method: 'GET', path: '/' }, tools),
    ({ message }: Error) => /must be in PEM form/.test(message) && !/hidden/.test(message),
  );
});
