// JSON merge patches on every resource that can be replaced.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MERGE_PATCH, mergePatched } from '../../../src/shape/json/merge-patch.ts';
import { accepted } from '../../support/requests/callers.ts';
import { OpenApi } from '../../support/requests/openapi.ts';
import { type Ask, TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const STORES = '/api/admin/artifact_stores';
const ENVIRONMENTS = '/api/admin/environments';
const ADMINS = '/api/admin/security/system_admins';
const MAIL = '/api/config/mailserver';

const merge = (path: string, patch: unknown, etag?: string, ask: Ask = {}) =>
  server.ask('PATCH', path, {
    body: patch,
    ...ask,
    headers: { 'Content-Type': MERGE_PATCH, ...(etag !== undefined && { 'If-Match': etag }), ...ask.headers },
  });

describe('the rules of merging', () => {
  for (const [target, patch, merged] of [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ a: 'foo' }, { a: { b: { c: null } } }, { a: { b: {} } }],
    [{ encrypted_a: 'x', b: 1 }, { a: 'y' }, { b: 1, a: 'y' }],
    [{ encrypted_a: 'x', b: 1 }, { a: null }, { b: 1 }],
    [{ encrypted_a: 'x' }, { encrypted_a: 'z' }, { encrypted_a: 'z' }],
  ] as const) {
    test(`${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => assert.deepEqual(mergePatched(target, patch), merged));
  }

  test('a member called __proto__ is a member', () => {
    const merged = mergePatched({}, JSON.parse('{"__proto__":{"a":1}}'));
    assert.deepEqual(Object.keys(merged), ['__proto__']);
    assert.equal((merged as { a?: unknown }).a, undefined);
  });
});

test('every resource that can be replaced can be patched', async () => {
  const { operations } = await OpenApi.of(server);
  const names = new Set(operations.map(({ name }) => name));
  const lacking = operations.filter(({ method, path }) => method === 'PUT' && !names.has(`PATCH ${path}`));
  assert.deepEqual(
    lacking.map(({ name }) => name),
    [
      'PUT /api/admin/pipelines/{id}/extract_to_template', // a verb
      'PUT /api/admin/service_accounts/{name}', // keeps the fields that its body leaves out
      // Streams, not resources.
      'PUT /agent/v1/jobs/{job}/artifacts/file',
      'PUT /agent/v1/jobs/{job}/artifacts/archive',
      'PUT /agent/v1/jobs/{job}/console',
      'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}',
      'PUT /api/dashboard/views', // the views that one user has chosen for their own dashboard
    ],
  );
});

test('plain JSON means a merge patch, too, where there are no other operations', async () => {
  const created = accepted(
    await server.post(STORES, { id: 'by-json', plugin_id: 'unknown', properties: [{ key: 'region', value: 'north' }] }),
  );
  for (const type of ['application/json; charset=utf-8', 'application/vnd.svc.v1+json']) {
    const headers = { 'Content-Type': type, 'If-Match': '*' };
    const patched = accepted(await server.patch(`${STORES}/by-json`, { plugin_id: type.slice(12, 15) }, { headers }));
    assert.deepEqual([patched.json.plugin_id, patched.json.properties], [type.slice(12, 15), created.json.properties]);
  }
  const other = await server.patch(`${STORES}/by-json`, {}, { headers: { 'Content-Type': 'text/plain', 'If-Match': '*' } });
  assert.equal(other.status, 415);
  assert.equal(other.json.message, "You must specify a 'Content-Type' of 'application/json'");
});

test('the rights of a template can be patched', async () => {
  const template = {
    name: 'patched',
    stages: [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'ls' } }] }] }],
  };
  accepted(await server.post('/api/admin/templates', template));
  const path = '/api/admin/templates/patched/authorization';
  const unset = accepted(await server.get(path));
  const first = accepted(await merge(path, { admin: { users: ['ann'] } }, unset.etag));
  assert.deepEqual(first.json.admin, { users: ['ann'], roles: [] });
  assert.deepEqual(first.json.view, unset.json.view);
  const second = accepted(await merge(path, { all_group_admins_are_view_users: false }, first.etag));
  assert.deepEqual(second.json.admin.users, ['ann']);
  assert.equal(second.json.all_group_admins_are_view_users, false);
  const stale = await merge(path, { view: { users: ['bob'] } }, first.etag);
  assert.equal(stale.status, 412, stale.text);
  assert.deepEqual([stale.json.data.can_be_merged, stale.json.data.yours.length], [true, 1], stale.text);
  assert.equal((await merge(path, { admin: { users: ['ann'] } })).status, 412, 'it must say what it is based on');
  assert.equal(accepted(await server.get(path)).etag, second.etag);
});

test('the webhook secret can be patched', async () => {
  const path = '/api/admin/config/server/webhook_secret';
  const first = accepted(await merge(path, { webhook_secret: 'first-secret-of-hooks' }));
  assert.equal(accepted(await merge(path, {}, first.etag)).etag, first.etag, 'nothing was sent');
  const second = accepted(await merge(path, { webhook_secret: 'second-secret-of-hooks' }, first.etag));
  assert.notEqual(second.etag, first.etag);
  assert.equal((await merge(path, { webhook_secret: 'a-third-secret-of-hooks' }, first.etag)).status, 412);
  for (const patch of [{ webhook_secret: 'short' }, { encrypted_webhook_secret: null }]) {
    const reply = await merge(path, patch, second.etag);
    assert.equal(reply.status, 422, reply.text);
  }
  assert.equal(accepted(await server.get(path)).etag, second.etag);
});

test('absent members stay as they are, secrets among them; null removes', async () => {
  const mail = {
    hostname: 'a.example.org',
    port: 25,
    tls: false,
    username: 'me',
    password: 'once-sent',
    sender_email: 'a@b.org',
    admin_email: 'c@d.org',
  };
  const first = accepted(await server.post(MAIL, mail));
  const second = accepted(await merge(MAIL, { port: 26 }, first.etag));
  assert.deepEqual({ ...second.json, port: 25 }, first.json);
  assert.equal((await server.put(MAIL, { ...mail, port: 26 }, second.etag)).etag, second.etag, 'the secret is the same');
  const third = accepted(await merge(MAIL, { password: 'another' }, second.etag));
  assert.notEqual(third.json.encrypted_password, second.json.encrypted_password);
  const fourth = accepted(await merge(MAIL, { encrypted_password: third.json.encrypted_password }, third.etag));
  assert.equal(fourth.etag, third.etag);
  const fifth = accepted(await merge(MAIL, { password: null, username: null }, fourth.etag));
  assert.ok(!fifth.json.encrypted_password, fifth.text);
});

test('lists are replaced whole, and their secrets can come back as they were shown', async () => {
  const properties = [
    { key: 'S3Bucket', value: 'one' },
    { key: 'AWSAccessKey', value: 'key' },
    { key: 'AWSSecretAccessKey', value: 'hidden-5f' },
  ];
  const first = accepted(await server.post(STORES, { id: 's3', plugin_id: 'cd.go.artifact.s3', properties }));
  const [, ...rest] = first.json.properties;
  const second = accepted(await merge(`${STORES}/s3`, { properties: [{ key: 'S3Bucket', value: 'two' }, ...rest] }, first.etag));
  assert.equal(second.json.properties[0].value, 'two');
  assert.deepEqual(second.json.properties[2], first.json.properties[2]);
  assert.ok(!server.log.includes('hidden-5f'));
});

test('If-Match counts as it does for PUT', async () => {
  const { etag } = accepted(await server.post(STORES, { id: 'tag', plugin_id: 'some.plugin', properties: [] }));
  const missing = await merge(`${STORES}/tag`, { properties: [] });
  assert.equal(missing.status, 412);
  assert.deepEqual(missing.json, {
    message:
      'The header If-Match is missing. It says which version the change is based on: send the ETag of that version, or * for the current version.',
  });
  const stale = await merge(`${STORES}/tag`, { properties: [] }, '"older"');
  assert.equal(stale.status, 412);
  assert.equal(stale.json.data.changes.length, 1);
  assert.equal(accepted(await merge(`${STORES}/tag`, {}, etag)).etag, etag);
  assert.equal(accepted(await merge(`${STORES}/tag`, {}, '*')).etag, etag);
});

test('the content type decides where a resource has operations of its own', async () => {
  accepted(await server.post(ENVIRONMENTS, { name: 'both', environment_variables: [{ name: 'A', value: '1' }] }));
  const added = accepted(await server.patch(`${ENVIRONMENTS}/both`, { environment_variables: { add: [{ name: 'B', value: '2' }] } }));
  assert.equal(added.json.environment_variables.length, 2);
  const merged = accepted(await merge(`${ENVIRONMENTS}/both`, { environment_variables: [{ name: 'C', value: '3' }] }, added.etag));
  assert.deepEqual(
    merged.json.environment_variables.map(({ name }: { name: string }) => name),
    ['C'],
  );
  const admins = accepted(await server.get(ADMINS));
  assert.deepEqual(accepted(await merge(ADMINS, { users: [...admins.json.users, 'jez'] }, admins.etag)).json.users, [
    ...admins.json.users,
    'jez',
  ]);
});

test('errors are reported as for PUT', async () => {
  const properties = ['S3Bucket', 'AWSAccessKey', 'AWSSecretAccessKey'].map((key) => ({ key, value: 'x' }));
  accepted(await server.post(STORES, { id: 'wrong', plugin_id: 'cd.go.artifact.s3', properties }));
  const path = `${STORES}/wrong`;
  assert.equal((await merge(path, { id: 'other' }, '*')).status, 422);
  const problem = await merge(path, { properties: [{ key: 'S3Bucket', value: '' }] }, '*');
  assert.equal(problem.status, 422);
  assert.ok(problem.json.data.properties[0].errors, problem.text);
  assert.equal((await merge(path, { properties: 7 }, '*')).status, 422);
  assert.equal((await merge(`${STORES}/none`, {}, '*')).status, 404);
  assert.equal((await merge(path, {}, '*', { text: '[]', body: undefined })).status, 400);
});

test('patches that meet without If-Match are all done', async () => {
  accepted(
    await server.post('/api/admin/config/server/site_urls', { site_url: 'http://a.example.org', secure_site_url: 'https://a.example.org' }),
  );
  const path = '/api/admin/config/server/site_urls';
  const replies = await Promise.all([
    merge(path, { site_url: 'http://b.example.org' }),
    merge(path, { secure_site_url: 'https://b.example.org' }),
  ]);
  for (const reply of replies) accepted(reply);
  const { json } = await server.get(path);
  assert.deepEqual([json.site_url, json.secure_site_url], ['http://b.example.org', 'https://b.example.org']);
});
