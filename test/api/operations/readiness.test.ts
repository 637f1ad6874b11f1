// Readiness: the answer to a load balancer while the server runs, is in maintenance mode, starts and stops.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readinessRoute } from '../../../src/api/endpoints/about/readiness.ts';
import { aboutRoutes } from '../../../src/api/endpoints/about/routes.ts';
import type { ApiRequest } from '../../../src/api/engine/route.ts';
import { HealthMessages } from '../../../src/health/messages.ts';
import { Readiness } from '../../../src/health/readiness.ts';
import { TestServer } from '../../support/server/server.ts';

const READY = '/api/v1/ready';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

test('a running server is ready, for every caller and with any Accept header', async () => {
  for (const accept of [null, '*/*', 'text/html', 'application/vnd.svc.v99+json']) {
    const reply = await server.get(READY, { as: '', accept });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(reply.json, { ready: true });
  }
  assert.equal((await server.ask('HEAD', READY, { as: '' })).status, 200);
});

test('a server in maintenance mode is not ready, and alive', async () => {
  await server.post('/api/admin/maintenance_mode/enable', { minutes: 10 });
  const reply = await server.get(READY, { as: '' });
  assert.equal(reply.status, 503);
  assert.deepEqual(reply.json, { ready: false, reason: 'The server is in maintenance mode.' });
  const wait = Number(reply.headers.get('retry-after'));
  assert.ok(wait > 590 && wait <= 600, String(wait));
  assert.equal((await server.get('/api/v1/health', { as: '' })).status, 200);
  await server.post('/api/admin/maintenance_mode/disable', {});
  assert.equal((await server.get(READY, { as: '' })).status, 200);
});

test('a server that starts is not ready yet', async () => {
  const readiness = new Readiness(() => undefined);
  const ask = async () => readinessRoute(readiness).handle({} as ApiRequest);
  const { status, text, headers } = await ask();
  assert.deepEqual([status, text, headers], [503, '{"ready":false,"reason":"The server is starting."}', ['Retry-After', '1']]);
  const alive = aboutRoutes({ version: { release: '1', gitSha: '1' }, dialect: '1', health: new HealthMessages(), readiness })[0]!;
  const { status: health, text: body } = await alive.handle({} as ApiRequest);
  assert.deepEqual([alive.path, health, body], ['/api/v1/health', 503, '{"health":"STARTING"}']);
  readiness.phase = 'running';
  assert.equal((await ask()).status, 200);
  assert.equal((await alive.handle({} as ApiRequest)).status, 200);
});

test('a server that is asked to stop is not ready any more, at once', async () => {
  const stopping = await TestServer.start();
  const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${READY} HTTP/1.1\r\nHost: localhost\r\n`);
  await pause(100); // a request under way is let finish
  const stopped = stopping.stop();
  socket.write('\r\n');
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 503 .*Retry-After: 10.*"ready":false,"reason":"The server is stopping\."/s);
  await stopped;
});
