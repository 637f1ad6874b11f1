// Speaks as a Terraform provider does: creates, reads for the ETag, plans, sends the same again, and changes with the ETag it kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dockerCluster } from '../support/configuration/samples.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

const SECRET = 'not-to-be-seen-5d1c';

/** The resources it manages here: the collection, the version, the body, and a change of it. */
const RESOURCES = [
  {
    path: '/api/admin/elastic/cluster_profiles',
    version: 1,
    id: 'farm',
    body: { id: 'farm', ...dockerCluster, properties: [...dockerCluster.properties, { key: 'docker_client_key', value: SECRET }] },
    change: { properties: [...dockerCluster.properties, { key: 'docker_client_key', value: `${SECRET}-2` }] },
  },
  {
    path: '/api/admin/secret_configs',
    version: 3,
    id: 'vault',
    body: { id: 'vault', plugin_id: 'cd.go.secrets.file', properties: [{ key: 'SecretsFilePath', value: '/etc/secrets.json' }], rules: [] },
    change: { properties: [{ key: 'SecretsFilePath', value: '/etc/other.json' }] },
  },
  {
    path: '/api/admin/environments',
    version: 3,
    id: 'prod',
    body: { name: 'prod', pipelines: [], environment_variables: [{ name: 'KEY', value: SECRET, secure: true }] },
    change: { environment_variables: [{ name: 'KEY', value: `${SECRET}-2`, secure: true }] },
  },
  {
    path: '/api/admin/pipeline_groups',
    version: 1,
    id: 'team',
    body: { name: 'team', authorization: { view: { users: ['ada'], roles: [] } } },
    change: { authorization: { view: { users: ['ada', 'bob'], roles: [] } } },
  },
] as const;

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

for (const { path, version, id, body, change } of RESOURCES) {
  test(`${path}: created, unchanged when sent again, changed, deleted`, async () => {
    const accept = `application/vnd.go.cd.v${version}+json`;
    const one = `${path}/${id}`;
    const etagOf = async () => accepted(await server.get(one, { accept })).etag!;
    accepted(await server.post(path, body, { accept }));
    const etag = await etagOf();
    accepted(await server.put(one, { ...body, etag }, etag, { accept }));
    assert.equal(await etagOf(), etag, 'what did not change is not different for the next plan');
    const changed = accepted(await server.put(one, { ...body, ...change, etag }, etag, { accept }));
    assert.notEqual(changed.etag, etag);
    assert.equal(await etagOf(), changed.etag);
    assert.equal((await server.put(one, { ...body, etag }, etag, { accept })).status, 412, 'an older state is refused');
    accepted(await server.delete(one, { accept }));
    assert.equal((await server.get(one, { accept })).status, 404);
  });
}
