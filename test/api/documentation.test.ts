// The documentation: a valid OpenAPI document whose examples work, and a page that needs nothing from elsewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { EXAMPLE_BASE, EXAMPLE_CIPHER_TEXT } from '../../src/api/answer-example.ts';
import { TestServer } from '../support/server.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: Record<string, unknown> }>> };
  // biome-ignore lint/suspicious/noExplicitAny: examples have the shape of whatever they show
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly example?: any }>> }>>;
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
  let waiting = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) =>
      requestBody && !path.includes('{') && (method === 'post' || method === 'put')
        ? [{ path, method, example: requestBody.content['application/json']!.example }]
        : [],
    ),
  );
  // Some examples refer to others, so those that fail get another try after the rest.
  for (let round = 0; round < 3 && waiting.length > 0; round++) {
    const failed: typeof waiting = [];
    for (const one of waiting) {
      const { status } = await server.ask(one.method.toUpperCase(), one.path, { body: one.example, headers: { 'If-Match': '*' } });
      if (status !== 200) failed.push(one);
    }
    waiting = failed;
  }
  assert.deepEqual(waiting, []);
});

test('the examples of answers are what the server answers', async () => {
  const shown = (text: string) => JSON.parse(text.replaceAll(server.url, EXAMPLE_BASE).replace(/v1:[^"]+/g, EXAMPLE_CIPHER_TEXT));
  let compared = 0;
  for (const [path, { post, get }] of Object.entries(openApi.paths)) {
    const one = openApi.paths[`${path}/{id}`]?.get;
    const example = exampleOf(one ?? get);
    if (!post?.requestBody || !example) continue;
    const { text } = await server.get(one ? (example._links.self.href as string).slice(EXAMPLE_BASE.length) : path);
    const answer = shown(text);
    // What is shown of other entities is not in the example.
    for (const member of Object.keys(example))
      if (member !== 'package_repo') assert.deepEqual(answer[member], example[member], `${path} ${member}`);
    compared++;
  }
  assert.ok(compared > 12, `${compared} compared`);
});

function exampleOf(operation: Operation | undefined) {
  const [content] = Object.values(operation?.responses['200']?.content ?? {});
  return content?.example;
}

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
