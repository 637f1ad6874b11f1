// The memory and work that senders without a login can cost the server: little, however much they send.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1024 * 1024;

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const isHealthy = async () => (await server.ask('GET', '/api/v1/health', { as: '', accept: '*/*' })).status === 200;

/** A connection that has sent the beginning of something. */
async function begin(text: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  socket.on('error', () => {}); // the server closes it
  await once(socket, 'connect');
  socket.write(text);
  return { socket, answer: () => answer };
}

const callOf = (provider: string, headers: string, length: number) =>
  `POST /api/webhooks/${provider}/notify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n`;

test('the body of a call is not read if its proof is missing, or wrong in the headers', async () => {
  const calls = [
    callOf('github', 'X-GitHub-Event: push\r\n', 9 * MEGABYTE),
    callOf('gitlab', 'X-Gitlab-Event: Push Hook\r\nX-Gitlab-Token: wrong\r\n', 9 * MEGABYTE),
    callOf('bitbucket', 'X-Event-Key: repo:push\r\nAuthorization: Basic eDp5\r\n', 9 * MEGABYTE),
  ];
  for (const call of calls) {
    const { socket, answer } = await begin(call);
    await until('the refusal', () => answer().startsWith('HTTP/1.1 401 '));
    socket.destroy();
  }
});

test('bodies of many calls are held only up to a limit; then others are told to come later', async () => {
  const signed = callOf('github', 'X-GitHub-Event: push\r\nX-Hub-Signature: sha1=00\r\n', 9 * MEGABYTE);
  const calls = await Promise.all(Array.from({ length: 10 }, () => begin(signed)));
  const blanks = Buffer.alloc(9 * MEGABYTE - 1, ' ');
  for (const { socket } of calls) socket.write(blanks);
  await until('a refusal', () => calls.some(({ answer }) => answer().startsWith('HTTP/1.1 503 ')));
  assert.ok(await isHealthy());
  for (const { socket } of calls) socket.destroy();
  // The memory of those bodies is free again.
  await until('a call that is heard', async () => {
    const one = await begin(callOf('github', 'X-GitHub-Event: push\r\nX-Hub-Signature: sha1=00\r\n', 2));
    one.socket.write('{}');
    await once(one.socket, 'data');
    one.socket.destroy();
    return one.answer().startsWith('HTTP/1.1 401 ');
  });
});

test('a connection that sends far too much ahead is closed', async () => {
  const { socket } = await begin('GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000));
  await once(socket, 'close');
  assert.ok(await isHealthy());
});

test('a connection that sends some requests ahead gets all answers', async () => {
  const { socket, answer } = await begin('GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
  await until('all answers', () => answer().split('HTTP/1.1 200 ').length === 51);
  socket.destroy();
});
