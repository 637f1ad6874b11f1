// Speaks as py-gocd does, a client in Python on which a command line is built: it logs in only when told to, and names no version.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { create, pipeline } from '../api/pipelines/bodies.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

const headers = { 'User-Agent': 'py-gocd' };

let server: TestServer;
before(async () => {
  server = await TestServer.start({ 'context-path': '/go' });
  accepted(await create(server, pipeline('web')));
});
after(() => server.stop());

test('the client gets a challenge without a login', async () => {
  const reply = await server.get('/api/config/pipeline_groups', { accept: null, as: '', headers });
  assert.equal(reply.status, 401);
  assert.match(reply.headers.get('www-authenticate')!, /^Basic realm="/);
});

test('the client finds the names of all pipelines', async () => {
  const { json } = accepted(await server.get('/api/config/pipeline_groups', { accept: null, headers }));
  const names = json.flatMap((group: { pipelines: { name: string }[] }) => group.pipelines.map(({ name }) => name));
  assert.deepEqual(names, ['web']);
});

test('the client reads the configuration of a pipeline at an address that ends with a slash', async () => {
  const { json } = accepted(await server.get('/api/admin/pipelines/web/', { accept: null, headers }));
  assert.equal(json.name, 'web');
});
