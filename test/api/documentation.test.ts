// The documentation: a valid OpenAPI document whose examples work, and a page that needs nothing from elsewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { TestServer } from '../support/server.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: Record<string, unknown> }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

let server: TestServer;
let openApi: { paths: Record<string, Record<string, Operation>> };
before(async () => {
  server = await TestServer.start();
  openApi = (await server.get('/api/openapi.json')).json;
});
after(() => server.stop());

test('the OpenAPI document is valid', async () => {
  const verdict = await new Validator().validate(structuredClone(openApi));
  assert.deepEqual(verdict, { valid: true });
});

test('operation ids are unique, and every operation describes success and failure', () => {
  const operations = Object.values(openApi.paths).flatMap((path) => Object.values(path));
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  for (const { responses, operationId } of operations) {
    assert.ok(
      Object.keys(responses).some((status) => Number(status) < 400),
      operationId,
    );
  }
});

test('every example of a write to a collection or singleton is accepted by the server', async () => {
  for (const [path, operations] of Object.entries(openApi.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      if (!requestBody || path.includes('{') || path.includes('tokens')) continue;
      const { example } = requestBody.content['application/json']!;
      const reply = await server.ask(method.toUpperCase(), `${path}?dry_run=true`, { body: example, headers: { 'If-Match': '*' } });
      assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`);
    }
  }
});

test('the page has a chapter for every doc link, and loads nothing', async () => {
  const { text, headers } = await server.get('/api/docs');
  assert.match(headers.get('content-type')!, /^text\/html/);
  assert.match(headers.get('content-security-policy')!, /default-src 'none'/);
  for (const path of [
    '/api/admin/artifact_stores',
    '/api/admin/environments',
    '/api/current_user',
    '/api/version',
    '/api/admin/security/auth_configs',
  ]) {
    const anchor = (await server.get(path)).json._links.doc.href.split('#')[1];
    assert.ok(text.includes(`id="${anchor}"`), anchor);
  }
  assert.doesNotMatch(text, /(?:src|href)="(?:https?:)?\/\//);
});
