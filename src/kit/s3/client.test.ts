// Tests what a client makes of answers that stores give now and then.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { listIn, reasonIn } from './answers.ts';
import { S3Client } from './client.ts';

/** A store that answers as it is told. */
async function store(context: TestContext, answer: (url: URL) => { readonly status?: number; readonly text: string }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { status = 200, text } = answer(new URL(request.url!, 'http://localhost'));
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = new S3Client({ endpoint, name: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's' });
  return { client, asked };
}

const page = (keys: readonly string[], next?: string) =>
  `<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}${keys
    .map((key) => `<Contents><Key>${key}</Key><Size>7</Size></Contents>`)
    .join('')}</ListBucketResult>`;

test('a list is read to its last page, and never without an end', async (context) => {
  const { client, asked } = await store(context, ({ searchParams }) => {
    const token = searchParams.get('continuation-token');
    if (token === null) return { text: page(['a &amp; b', 'c'], 'two/2') };
    return { text: page(['&#x e;d', '&#233;'], 'two/2') };
  });
  const found: string[] = [];
  for await (const objects of client.list('x y')) found.push(...objects.map(({ key, bytes }) => `${key} ${bytes}`));
  assert.deepEqual(found, ['a & b 7', 'c 7', '&#x e;d 7', 'é 7']);
  assert.deepEqual(asked, ['GET /b/?list-type=2&prefix=x%20y', 'GET /b/?list-type=2&prefix=x%20y&continuation-token=two%2F2']);
  assert.deepEqual(listIn(page([])), { objects: [], next: undefined });
});

test('a list that is refused says why, and nothing else of the answer', async (context) => {
  const text = '<Error><Code>AccessDenied</Code><Message>No.</Message><Secret>s</Secret></Error>';
  const { client } = await store(context, () => ({ status: 403, text }));
  await assert.rejects(client.list('').next(), {
    message: 'The store answered 403 to GET ?list-type=2&prefix=. AccessDenied: No.',
    status: 403,
  });
  assert.equal(reasonIn('no xml'), '');
});

test('a store that knows no ranges sends all of it', async (context) => {
  const { client } = await store(context, () => ({ text: 'whole' }));
  const received = await client.get('key', { from: 3 });
  assert.equal(received?.from, 0);
  assert.equal(String(await buffer(received!.content)), 'whole');
});

test('an object that is not there', async (context) => {
  const { client } = await store(context, () => ({ status: 404, text: '' }));
  assert.deepEqual([await client.get('key'), await client.size('key')], [undefined, undefined]);
});

test('steps in a key lead nowhere', async (context) => {
  const { client, asked } = await store(context, () => ({ text: '' }));
  for (const key of ['..', 'a/../b', './a']) await assert.rejects(client.get(key), /is no name of an object/);
  assert.deepEqual(asked, []);
});
