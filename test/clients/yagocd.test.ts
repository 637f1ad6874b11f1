// Speaks as yagocd does, a client in Python: it reads the version from a page before every call, and chooses the rest by it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { create, dependency, pipeline } from '../api/pipelines/bodies.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

let server: TestServer;
before(async () => {
  // It asks for `go/about` with any settings; the address of the server ends with the context path.
  server = await TestServer.start({ 'context-path': '/go' });
});
after(() => server.stop());

/** The texts of all table cells, as its parser collects them, in pairs of title and value. */
function cellsOf(page: string): ReadonlyMap<string, string> {
  const texts = Array.from(page.matchAll(/<td[^>]*>([^<]*)/g), ([, text]) => text!);
  return new Map(texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? '']] : [])));
}

test('the client finds the version of the server in a table cell of the page about it', async () => {
  const page = await server.get('/about', { accept: 'text/html' });
  assert.equal(page.status, 200, page.text);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy')!, /^default-src 'none';(?!.*unsafe)/);
  const value = [...cellsOf(page.text)].find(([title]) => title.includes('Server Version'))?.[1] ?? '';
  const [number] = /^[\d.-]+/.exec(value) ?? [];
  assert.equal(number, '23.2.0');
  const { json } = await server.get('/api/version', { accept: 'application/vnd.go.cd.v1+json' });
  assert.equal(json.version, number);
});

test('the client lists pipelines and finds the upstream pipelines by name', async () => {
  accepted(await create(server, pipeline('web')));
  accepted(await create(server, pipeline('deploy', { materials: [dependency('web')] })));
  const { json } = accepted(await server.get('/api/config/pipeline_groups', { accept: 'application/json' }));
  const [{ pipelines }] = json;
  const [material] = pipelines[1].materials;
  assert.deepEqual([material.type, material.description], ['Pipeline', pipelines[0].name]);
});

test('unauthenticated clients are not shown the version: browsers get a page without data, programs a refusal', async () => {
  for (const accept of ['text/html', 'application/json']) {
    const stranger = await server.get('/about', { accept, as: '' });
    assert.ok(!stranger.text.includes('23.2.0'), accept);
  }
  assert.equal((await server.get('/about', { accept: 'application/json', as: '' })).status, 401);
});
