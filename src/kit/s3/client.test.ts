// Tests how a client treats answers that stores give now and then.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { listIn, reasonIn } from './answers.ts';
import { S3Client } from './client.ts';
import { MAX_COPIED_BYTES } from './parts.ts';

/** A store with the given answers. */
async function store(context: TestContext, answer: (url: URL) => { readonly status?: number; readonly text: string }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { range, 'x-amz-copy-source-range': copied } = request.headers;
    asked.push([request.method, request.url, range ?? copied].filter(Boolean).join(' '));
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

test('a missing object has neither content nor size', async (context) => {
  const { client } = await store(context, () => ({ status: 404, text: '' }));
  assert.deepEqual([await client.get('key'), await client.size('key')], [undefined, undefined]);
});

test('steps in a key lead nowhere', async (context) => {
  const { client, asked } = await store(context, () => ({ text: '' }));
  for (const key of ['..', 'a/../b', './a']) await assert.rejects(client.get(key), /is no name of an object/);
  assert.deepEqual(asked, []);
});

test('a missing bucket is a failure, unlike a missing object', async (context) => {
  const text = '<Error><Code>NoSuchBucket</Code><Message>No.</Message></Error>';
  const { client } = await store(context, () => ({ status: 404, text }));
  await assert.rejects(client.get('key'), { message: 'The store answered 404 to GET key. NoSuchBucket: No.' });
  await assert.rejects(client.check(), { status: 404 });
});

test('part of an object is requested by its range', async (context) => {
  const { client, asked } = await store(context, () => ({ status: 206, text: 'x' }));
  for (const wanted of [{ from: 3, to: 7 }, { to: 0 }, { from: 4 }]) {
    const received = await client.get('key', wanted);
    received!.content.resume();
    assert.equal(received!.from, wanted.from ?? 0);
  }
  assert.deepEqual(asked, ['GET /b/key bytes=3-7', 'GET /b/key bytes=0-0', 'GET /b/key bytes=4-']);
});

test('many objects are deleted with few requests, and those that stay are named', async (context) => {
  const { client, asked } = await store(context, () => ({
    text: '<DeleteResult><Error><Key>a&amp;b</Key><Code>AccessDenied</Code><Message>No.</Message></Error></DeleteResult>',
  }));
  const undeleted = await client.remove(Array.from({ length: 1001 }, (_, number) => `k${number}`));
  assert.deepEqual(asked, ['POST /b/?delete=', 'POST /b/?delete=']);
  assert.deepEqual(undeleted, Array(2).fill({ key: 'a&b', reason: 'AccessDenied: No.' }));
});

test('a large object is copied piece by piece, and given up whole', async (context) => {
  let isBroken = false;
  const { client, asked } = await store(context, ({ searchParams }) => {
    if (isBroken && searchParams.get('partNumber') === '2') return { text: '<Error><Code>InternalError</Code></Error>' };
    return { text: '<r><UploadId>u</UploadId><ETag>&quot;t&quot;</ETag></r>' };
  });
  await client.copy('a', 'b', MAX_COPIED_BYTES);
  assert.deepEqual(asked.splice(0), ['PUT /b/b']);
  await client.copy('a', 'b', MAX_COPIED_BYTES + 1);
  assert.equal(asked.length, 8);
  assert.equal(asked[1], 'PUT /b/b?partNumber=1&uploadId=u bytes=0-1073741823');
  assert.equal(asked[6], `PUT /b/b?partNumber=6&uploadId=u bytes=${MAX_COPIED_BYTES}-${MAX_COPIED_BYTES}`);
  assert.equal(asked[7], 'POST /b/b?uploadId=u');
  isBroken = true;
  await assert.rejects(client.copy('a', 'b', MAX_COPIED_BYTES + 1), /did not copy b: InternalError/);
  assert.equal(asked.at(-1), 'DELETE /b/b?uploadId=u');
});

test('unfinished uploads are listed to the last page', async (context) => {
  const one = (key: string) => `<Upload><Key>${key}</Key><UploadId>of ${key}</UploadId></Upload>`;
  const { client, asked } = await store(context, ({ searchParams }) =>
    searchParams.has('key-marker')
      ? { text: `<r><IsTruncated>false</IsTruncated>${one('c')}</r>` }
      : {
          text: `<r><NextKeyMarker>a b</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker><IsTruncated>true</IsTruncated>${one('a b')}</r>`,
        },
  );
  assert.deepEqual(await client.unfinishedUploads('p/'), [
    { key: 'a b', upload: 'of a b' },
    { key: 'c', upload: 'of c' },
  ]);
  assert.deepEqual(asked, ['GET /b/?uploads=&prefix=p%2F', 'GET /b/?uploads=&prefix=p%2F&key-marker=a%20b&upload-id-marker=u']);
});

test('a link names the object, its headers and its expiry, and no secret', async (context) => {
  const { client } = await store(context, () => ({ text: '' }));
  const link = await client.linkTo('a b/c', { seconds: 60, type: 'text/plain', disposition: 'attachment; filename="c"' });
  const { pathname, searchParams } = new URL(link);
  assert.equal(pathname, '/b/a%20b/c');
  assert.deepEqual(
    ['X-Amz-Expires', 'response-content-type', 'response-content-disposition'].map((name) => searchParams.get(name)),
    ['60', 'text/plain', 'attachment; filename="c"'],
  );
  assert.match(searchParams.get('X-Amz-Signature')!, /^[0-9a-f]{64}$/);
  assert.doesNotMatch(link, /\+/);
});
