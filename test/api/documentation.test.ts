// The documentation: a valid OpenAPI document, and a page that needs nothing from elsewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenApi } from '../support/openapi.ts';
import { TestServer } from '../support/server.ts';

let server: TestServer;
let api: OpenApi;
before(async () => {
  server = await TestServer.start();
  api = await OpenApi.of(server);
});
after(() => server.stop());

test('the OpenAPI document is valid', async () => {
  const verdict = await new Validator().validate(structuredClone(api.document));
  assert.deepEqual(verdict, { valid: true });
});

test('operation ids are unique', () => {
  assert.equal(new Set(api.operations.map(({ operationId }) => operationId)).size, api.operations.length);
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

test('every link on the page leads somewhere, and every route of the document is on it', async () => {
  const { text } = await server.get('/api/docs');
  const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  assert.deepEqual(
    [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !anchors.has(id)),
    [],
  );
  const shown = text.replaceAll('<wbr>', '');
  const isShown = (path: string) => shown.includes(`<code>${path.replace(/\{(\w+)\}/g, ':$1')}</code></h3>`);
  assert.deepEqual(
    api.operations.map(({ path }) => path).filter((path) => !isShown(path)),
    [],
  );
});

test('the document and the page say who may, by policies and groups, too', async () => {
  const { text } = await server.get('/api/docs');
  for (const [route, who] of Object.entries({
    'GET /api/admin/artifact_stores': 'For administrators.',
    'GET /api/admin/environments': 'For administrators and users whose roles have a policy on any environment; each sees those they may.',
    'PUT /api/admin/config_repos/{id}':
      'For administrators and users whose roles allow them to administer this config repo; where one of their roles denies it, administrators only.',
    'GET /api/elastic/profiles/{id}':
      'For administrators, administrators of any pipeline group and users whose roles allow them to view this elastic agent profile; where one of their roles denies it, administrators only.',
    'POST /api/admin/pipeline_groups': 'For administrators.',
    'DELETE /api/admin/pipelines/{id}': 'For administrators and the administrators of its pipeline group.',
    'PUT /api/admin/templates/{id}': 'For administrators and the administrators of the template.',
    'GET /api/v1/health': 'For anyone, without a login.',
  })) {
    assert.equal(api.find(route).description, who, route);
    assert.ok(text.includes(`<dt>For</dt><dd>${who.slice('For '.length, -1)}</dd>`), route);
  }
});
