// Which clients get compressed answers, and which answers are compressed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptsGzip, isCompressible, mayCompress } from './compression.ts';

describe('the header Accept-Encoding', () => {
  const headers: Readonly<Record<string, boolean>> = {
    gzip: true,
    'gzip, deflate, br, zstd': true,
    'br, gzip': true,
    'x-gzip': true,
    'GZIP;q=0.5': true,
    '*': true,
    'br;q=1.0, *;q=0.1': true,
    'gzip;q=0': false,
    'gzip;q=0, *': false,
    'gzip;q=0.000, br': false,
    '*;q=0': false,
    identity: false,
    'br, deflate': false,
    '': false,
  };
  for (const [header, expected] of Object.entries(headers))
    test(`${header || 'empty'}: ${expected}`, () => assert.equal(acceptsGzip(header), expected));
});

describe('answers', () => {
  const text = 'x'.repeat(2000);
  const json = 'application/vnd.svc.v1+json; charset=utf-8';
  const long = { status: 200, text, bytes: 2000 };
  const isPacked = (more: object, type = json) => isCompressible({ ...long, ...more }, type);
  test('answers that are long and text are compressed', () => {
    assert.ok(isPacked({}));
    for (const type of ['text/plain; charset=utf-8', 'application/xml', 'application/json', 'text/html', 'image/svg+xml'])
      assert.ok(isPacked({ type }), type);
    assert.ok(isPacked({ text: undefined, body: Buffer.from(text) }));
  });
  test('answers that are short, streams, compressed already, or parts of files are not compressed', () => {
    assert.ok(!isPacked({ bytes: 1000 }));
    for (const type of [
      'text/event-stream',
      'application/zip',
      'image/png',
      'application/octet-stream',
      'application/x-git-upload-pack-result',
    ])
      assert.ok(!isPacked({ type }), type);
    assert.ok(!isPacked({ headers: ['Content-Encoding', 'br'] }));
    assert.ok(!isPacked({ headers: ['accept-ranges', 'bytes'] }));
    assert.ok(!isPacked({ status: 206 }));
  });
  test('answers that hold secrets are not compressed', () => {
    assert.ok(mayCompress({ path: '/api/sessions-of-training' }));
    assert.ok(!mayCompress({ path: '/api/session' }));
    assert.ok(!mayCompress({ path: '/auth/login' }));
    assert.ok(!mayCompress({ path: '/api/other', isNeverCompressed: true }));
  });
});
