// Compressed answers of a real server.
import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Route } from '../../../src/api/engine/route.ts';
import { accepted } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../../support/server/server.ts';

const LIST = '/api/admin/environments';
const LINE = `${JSON.stringify({ text: 'all work and no play' })}\n`;
const description = { chapter: 'version', summary: 'for a test' };
const route = (path: string, more: Partial<Route>): Route => ({
  method: 'GET',
  path,
  version: null,
  permission: 'user',
  description,
  handle: () => ({ status: 200, text: LINE.repeat(1000), bytes: LINE.length * 1000, type: 'application/json' }),
  ...more,
});
const lines = () => Readable.from(Array.from({ length: 1000 }, () => Buffer.from(LINE)));

let server: TestServer;
before(async () => {
  const routes = [
    route('/test/stream', {
      handle: () => ({ status: 200, body: lines(), type: 'application/json', headers: ['Content-Length', String(LINE.length * 1000)] }),
    }),
    route('/test/failing', {
      handle: () => ({ status: 200, body: Readable.from(failing()), type: 'text/plain' }),
    }),
    route('/api/session', {}),
  ];
  server = await TestServer.start({}, { routes });
  for (let index = 0; index < 20; index++) accepted(await server.post(LIST, { name: `environment-${index}` }));
});
after(() => server.stop());

async function* failing(): AsyncGenerator<string> {
  yield 'x'.repeat(100_000);
  throw new Error('the disk is broken');
}

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isCut: boolean;
}

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Got> {
  const all = { Authorization: basic('admin', ADMIN_PASSWORD), Accept: 'application/vnd.svc+json', ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(server.url + path, { method, agent: false, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks), isCut: !response.complete });
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', () => {})
        .on('close', end);
    });
    outgoing.once('error', reject).end();
  });
}

const GZIP = { 'Accept-Encoding': 'gzip, deflate, br' };

test('clients that accept compression get the same in fewer bytes, others get it uncompressed', async () => {
  const [plain, packed] = [await get(LIST), await get(LIST, GZIP)];
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers['content-length'], String(packed.body.length));
  assert.ok(packed.body.length < plain.body.length / 3);
  assert.deepEqual(JSON.parse(gunzipSync(packed.body).toString()), JSON.parse(plain.body.toString()));
  for (const { headers } of [plain, packed]) assert.match(headers.vary!, /Accept-Encoding/);
  assert.equal(packed.headers.etag, plain.headers.etag);
});

test('either tag leads to 304, with and without compression, and to a write', async () => {
  const path = `${LIST}/environment-1`;
  const { headers } = await get(LIST);
  for (const tag of [headers.etag!, `W/${headers.etag}`])
    for (const accepts of [{}, GZIP]) {
      const reply = await get(LIST, { 'If-None-Match': tag, ...accepts });
      assert.deepEqual([reply.status, reply.body.length], [304, 0]);
    }
  const { etag } = accepted(await server.get(path));
  accepted(await server.put(path, { name: 'environment-1' }, `W/${etag}`));
});

test('HEAD has the headers and no body', async () => {
  const [head, whole] = [await get(LIST, GZIP, 'HEAD'), await get(LIST, GZIP)];
  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
  for (const name of ['content-encoding', 'content-type', 'etag', 'vary']) assert.equal(head.headers[name], whole.headers[name], name);
});

test('a stream is compressed as it comes, and has no length then', async () => {
  const { headers, body } = await get('/test/stream', GZIP);
  assert.deepEqual([headers['content-encoding'], headers['content-length']], ['gzip', undefined]);
  assert.equal(gunzipSync(body).toString(), LINE.repeat(1000));
  const head = await get('/test/stream', GZIP, 'HEAD');
  assert.deepEqual([head.headers['content-encoding'], head.headers['content-length']], ['gzip', undefined]);
  assert.equal((await get('/test/stream')).headers['content-length'], String(LINE.length * 1000));
});

test('a stream that breaks off is reported as such', async () => {
  // Before or after the headers are out.
  const { isCut } = await get('/test/failing', GZIP).catch(() => ({ isCut: true }));
  assert.equal(isCut, true);
});

test('short answers, refusals, sessions and keys stay as they are', async () => {
  for (const path of ['/api/version', '/api/nowhere', '/api/session', '/api/admin/agent_registration'])
    assert.equal((await get(path, GZIP)).headers['content-encoding'], undefined, path);
});
