// Bodies that take longer than a request may: those of marked requests go on, others are cut off, and one that stalls is given up.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { allowLong, piecesOf } from '../../../src/api/http/body/long-bodies.ts';
import { listen } from '../../../src/api/http/listen.ts';

const LIMITS = { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50 };

test('a body that is allowed to comes to its end, however long it takes; another one does not', async (t) => {
  const listening = await listen(
    async (incoming, response) => {
      if (incoming.url === '/long') allowLong(incoming);
      const body = await buffer(incoming).catch(() => undefined);
      if (body) response.end(String(body.length));
    },
    { host: '127.0.0.1', port: 0, tls: undefined, contextPath: '' },
    { baseOf: () => '', configuredUrls: () => [] },
    LIMITS,
  );
  t.after(() => listening.stop());
  const send = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const sending = request(listening.addresses[0] + path, { method: 'PUT', headers: { 'Content-Length': 10 } }, (answer) => {
        text(answer).then((body) => resolve(`${answer.statusCode} ${body}`), reject);
      });
      sending.on('error', reject);
      const trickle = async () => {
        for (let count = 0; count < 10 && !sending.destroyed; count++) {
          sending.write('x');
          await pause(100);
        }
        sending.end();
      };
      void trickle();
    });
  assert.equal(await send('/long'), '200 10');
  assert.match(await send('/short'), /^408 /);
});

test('a client that has its answer does not hold the connection by a body that never ends', async (t) => {
  const listening = await listen(
    (incoming, response) => {
      allowLong(incoming, response);
      response.end('refused');
    },
    { host: '127.0.0.1', port: 0, tls: undefined, contextPath: '' },
    { baseOf: () => '', configuredUrls: () => [] },
    LIMITS,
  );
  t.after(() => listening.stop());
  const socket = connect(Number(new URL(listening.addresses[0]!).port), '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk)).on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n');
  const trickle = setInterval(() => socket.write('x'), 50);
  await once(socket, 'close');
  clearInterval(trickle);
  assert.match(heard, /refused/);
});

test('time counts only while the server waits for the sender', async () => {
  const body = new PassThrough();
  body.write('one');
  const pieces = piecesOf(body, 100);
  assert.equal(String((await pieces.next()).value), 'one');
  await pause(200);
  body.write('two');
  assert.equal(String((await pieces.next()).value), 'two');
  await assert.rejects(pieces.next(), /stalled/);
});

test('a reader that stops early leaves the request open for the answer', async () => {
  const body = new PassThrough();
  body.write('one');
  for await (const _ of piecesOf(body)) break;
  assert.equal(body.destroyed, false);
  body.end();
  body.resume();
});
