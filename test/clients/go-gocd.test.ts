// Speaks as go-gocd does, a client in Go: it asks for the version first, and for most resources in versions that it has a table of.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { create, pipeline } from '../api/pipelines/bodies.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start({ 'context-path': '/go' });
  accepted(await create(server, pipeline('web')));
});
after(() => server.stop());

test('the version can be compared number by number', async () => {
  const { json } = accepted(await server.get('/api/version', { accept: 'application/vnd.go.cd.v1+json' }));
  assert.match(json.version, /^\d+\.\d+\.\d+$/);
});

test('pipeline groups come with pipelines, materials and stages', async () => {
  const { json } = accepted(await server.get('/api/config/pipeline_groups', { accept: null }));
  const [{ name, pipelines }] = json;
  assert.equal(name, 'g');
  const [{ stages, materials, label }] = pipelines;
  assert.deepEqual(stages, [{ name: 's' }]);
  assert.deepEqual(Object.keys(materials[0]), ['description', 'fingerprint', 'type']);
  assert.equal(label, `\${COUNT}`);
});

test('a version that is not served is refused with the list of those that are', async () => {
  const reply = await server.get('/api/admin/pipelines/web', { accept: 'application/vnd.go.cd.v6+json' });
  assert.equal(reply.status, 404);
  for (const version of [10, 11]) assert.ok(reply.json.supported.includes(`application/vnd.go.cd.v${version}+json`));
});
