// The TypeScript client against a real server: it is generated from the OpenAPI document of the server, and its calls work there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiFailure, Client } from '../../client/index.ts';
import { clientFiles } from '../../tools/client/client-files.ts';
import { ADMIN_PASSWORD, TestServer } from '../support/server/server.ts';

const generated = join(import.meta.dirname, '..', '..', 'client', 'generated');
let server: TestServer;
let client: Client;

before(async () => {
  server = await TestServer.start();
  client = new Client({ url: `${server.url}/`, user: 'admin', password: ADMIN_PASSWORD });
});
after(() => server.stop());

function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  return promise.then(
    () => assert.fail('it succeeded'),
    (failure: unknown) => {
      assert.ok(failure instanceof ApiFailure);
      return failure;
    },
  );
}

it('the client is generated from the OpenAPI document of the server; if not: node tools/generate-client.ts', async () => {
  const { json } = await server.get('/api/openapi.json');
  for (const [name, text] of Object.entries(clientFiles(json))) {
    assert.ok(readFileSync(join(generated, name), 'utf8') === text, `client/generated/${name} is out of date`);
  }
});

it('the client can be packed, and used as it was packed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-client-'));
  execFileSync(process.execPath, [join(import.meta.dirname, '..', '..', 'tools', 'package-client.mjs'), folder]);
  const packed: typeof import('../../client/index.ts') = await import(join(folder, 'index.js'));
  const { body } = await new packed.Client({ url: server.url, user: 'admin', password: ADMIN_PASSWORD }).call('GET /api/version', {
    version: 1,
  });
  assert.match(body.version, /^\d+\./);
  rmSync(folder, { recursive: true });
});

describe('a client', () => {
  it('creates, reads, replaces and deletes', async () => {
    const created = await client.call('POST /api/admin/environments', {
      version: 3,
      body: { name: 'staging', pipelines: [], environment_variables: [{ name: 'REGION', value: 'north', secure: false }] },
      reason: 'für den Versuch',
    });
    assert.equal(created.body.name, 'staging');
    assert.ok(created.revision! > 0);
    const path = { id: 'staging' };
    const read = await client.call('GET /api/admin/environments/{id}', { version: 3, path });
    assert.deepEqual([read.body.environment_variables?.[0]?.name, read.etag], ['REGION', created.etag]);
    const body = { name: 'staging', pipelines: [], environment_variables: [] };
    const replaced = await client.call('PUT /api/admin/environments/{id}', { version: 3, path, body, ifMatch: read.etag! });
    assert.deepEqual(replaced.body.environment_variables, []);
    const { body: revisions } = await client.call('GET /api/admin/config/revisions', { version: 1, query: { resource: 'environments' } });
    assert.equal(revisions._embedded.revisions.at(-1)?.reason, 'für den Versuch');
    const { body: deleted } = await client.call('DELETE /api/admin/environments/{id}', { version: 3, path });
    assert.match(deleted.message, /deleted/);
  });

  it('makes dry runs', async () => {
    const body = { name: 'not-kept', pipelines: [], environment_variables: [] };
    const { headers } = await client.call('POST /api/admin/environments', { version: 3, body, query: { dry_run: true } });
    assert.equal(headers.get('X-Svc-Dry-Run'), 'true');
    const failure = await failureOf(client.call('GET /api/admin/environments/{id}', { version: 3, path: { id: 'not-kept' } }));
    assert.equal(failure.status, 404);
  });

  it('logs in by an access token', async () => {
    const { body } = await client.call('POST /api/current_user/access_tokens', { version: 1, body: { description: 'of a test' } });
    const other = new Client({ url: server.url, token: body.token });
    const { body: user } = await other.call('GET /api/current_user', { version: 1 });
    assert.equal(user.login_name, 'admin');
  });

  it('fails with the status and the errors of fields', async () => {
    const body = { name: 'a b/c', pipelines: [], environment_variables: [] };
    const refused = await failureOf(client.call('POST /api/admin/environments', { version: 3, body }));
    assert.equal(refused.status, 422);
    assert.match(refused.fields.name?.[0] ?? '', /Environment name is invalid/);
    const stranger = new Client({ url: server.url, user: 'nobody', password: 'x' });
    assert.equal((await failureOf(stranger.call('GET /api/current_user', { version: 1 }))).status, 401);
    const nowhere = await failureOf(new Client({ url: 'http://127.0.0.1:9' }).call('GET /api/version', { version: 1 }));
    assert.deepEqual([nowhere.status, nowhere.isUnavailable], [0, true]);
  });

  it('gets bodies that are not JSON as they are', async () => {
    const { body: feed } = await client.call('GET /cctray.xml', {});
    assert.match(feed, /<Projects/);
    const response = await client.request('/api/admin/config.xml');
    assert.match(await response.text(), /<cruise/);
  });
});
