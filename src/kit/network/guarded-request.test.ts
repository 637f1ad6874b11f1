// Tests what guarded requests refuse, follow and bound, and how the reason of a missing answer is told.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deadlineAfter, noAnswerOf, readBody, sendGuarded } from './guarded-request.ts';
import { ForbiddenAddress, type NetworkPolicy, TRUSTED } from './reach.ts';

const NO_LOOPBACK: NetworkPolicy = { ...TRUSTED, loopback: 'this machine.' };
const requests: string[] = [];
let server: Server;
let base: URL;

before(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (request.url === '/endless') {
      response.write('0123456789x');
      server.emit('endless', response);
    } else if (request.url !== '/silent') request.pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const common = { method: 'POST', headers: {}, networkPolicy: TRUSTED };
const limit = { maxBytes: 10, tooLarge: () => new Error('too large') };
const inTime = () => deadlineAfter(20_000);

test('an answer is read up to the limit, and one beyond it is ended', { timeout: 20_000 }, async () => {
  const sent = sendGuarded(base, { ...common, body: Buffer.from('0123456789'), signal: inTime() });
  assert.equal(String(await readBody(await sent, limit)), '0123456789');
  const coming = once(server, 'endless');
  const endless = await sendGuarded(new URL('endless', base), { ...common, signal: inTime() });
  const [response] = (await coming) as [ServerResponse];
  const closed = once(response, 'close');
  await assert.rejects(readBody(endless, limit), { message: 'too large' });
  await closed;
});

test('redirects are not followed', async () => {
  const answer = await sendGuarded(new URL('moved', base), { ...common, signal: inTime() });
  answer.resume();
  assert.equal(answer.statusCode, 302);
  assert.equal(requests.at(-1), 'POST /moved');
});

test('another path takes the place of that of the address', async () => {
  const answer = await sendGuarded(base, { ...common, path: '/a/..%2Fb?c', signal: inTime() });
  answer.resume();
  assert.equal(requests.at(-1), 'POST /a/..%2Fb?c');
});

test('a forbidden address gets no request, whether it is a name or a number', async () => {
  const before = requests.length;
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = new URL(base);
    url.hostname = host;
    const sent = sendGuarded(url, { ...common, networkPolicy: NO_LOOPBACK, signal: inTime() });
    const failure = await sent.then(
      () => assert.fail('It was sent.'),
      (reason: unknown) => reason,
    );
    assert.ok(failure instanceof ForbiddenAddress);
    assert.deepEqual(noAnswerOf(failure, inTime()), { reason: 'forbidden', message: failure.message });
  }
  assert.equal(requests.length, before);
});

test('a socket of this machine is no address', { skip: process.platform === 'win32' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-socket-'));
  const socketPath = join(folder, 'socket');
  const onSocket = createServer((request, response) => request.pipe(response)).listen(socketPath);
  await once(onSocket, 'listening');
  const request = { ...common, body: Buffer.from('hello'), socketPath, networkPolicy: NO_LOOPBACK, signal: inTime() };
  const answer = await sendGuarded(new URL('http://localhost/'), request);
  assert.equal(String(await readBody(answer, limit)), 'hello');
  onSocket.closeAllConnections();
  onSocket.close();
  rmSync(folder, { recursive: true });
});

test('the reason of a missing answer: late, no more wanted, or the code of the connection', async () => {
  const reasonOf = async (url: URL, deadline: AbortSignal) => {
    const failure = await sendGuarded(url, { ...common, signal: deadline }).catch((reason: unknown) => reason);
    return noAnswerOf(failure, deadline);
  };
  const silent = new URL('silent', base);
  assert.deepEqual(await reasonOf(silent, deadlineAfter(50)), { reason: 'timeout' });
  const caller = new AbortController();
  setTimeout(() => caller.abort(), 50);
  assert.deepEqual(await reasonOf(silent, deadlineAfter(20_000, caller.signal)), { reason: 'aborted' });
  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const closed = new URL(`http://127.0.0.1:${(unused.address() as AddressInfo).port}/`);
  unused.close();
  await once(unused, 'close');
  assert.deepEqual(await reasonOf(closed, inTime()), { reason: 'connection', code: 'ECONNREFUSED' });
});
