// The pages as browsers get them: files, addresses, headers, and missing pages.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { PAGE_POLICY, WITHOUT_PAGES } from '../../../src/api/pages/pages.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PAGE = '<!doctype html><base href="__BASE__"><script type="module" src="assets/main-1A2B.js"></script>';
const SCRIPT = `console.log('${'slipway '.repeat(100)}');`;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

let folder: string;
let server: TestServer;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-pages-'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'secret.txt'), 'not for anybody');
  const assets = join(folder, 'assets');
  mkdirSync(join(assets, 'inner'), { recursive: true });
  const put = (name: string, content: string | Buffer) => writeFileSync(join(assets, name), content);
  put('main-1A2B.js', SCRIPT);
  put('main-1A2B.js.br', brotliCompressSync(SCRIPT));
  put('main-1A2B.js.gz', gzipSync(SCRIPT));
  put('style-3C4D.css', 'body{}');
  put('logo-5E6F.svg', '<svg/>');
  put('text-7A8B.woff2', Buffer.from([0, 1, 2]));
  put('notes.md', 'of an unknown type');
  put('inner/deep.js', 'deep');
  symlinkSync(join(folder, 'secret.txt'), join(assets, 'link.js'));
  server = await TestServer.start({}, { pagesFolder: folder });
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** The path goes as it is: others would tidy it up first. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, { url = server.url, method = 'GET' } = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers, method }, async (message) => {
      const bytes = Buffer.concat(await message.toArray());
      resolve({ status: message.statusCode!, headers: message.headers, bytes, text: bytes.toString() });
    }).on('error', reject);
  });
}
const asBrowser = (path: string, headers: Readonly<Record<string, string>> = {}) => ask(path, { Accept: BROWSER, ...headers });

const ADDRESSES = [
  '/pipelines',
  '/pipelines?search=shop',
  '/pipeline/activity/shop',
  '/pipelines/value_stream_map/shop/12',
  '/materials/value_stream_map/0a1b/refs%2Fheads%2Fmain',
  '/pipelines/shop/12/build/1',
  '/tab/build/detail/shop/12/build/1/compile',
  '/agents',
  '/materials',
  '/compare/shop/11/with/12',
  '/auth/login',
  '/about',
  '/access_tokens',
  '/preferences/notifications',
  '/admin',
  '/admin/health',
  '/admin/security/auth_configs',
  '/admin/changes/17',
];

describe('a page', () => {
  for (const address of ADDRESSES) {
    test(`is at ${address}, without a login`, async () => {
      const { status, headers, text } = await asBrowser(address);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(text, PAGE.replace('__BASE__', '/'));
    });
  }

  test('cannot be framed, and runs and loads nothing but files of this server', async () => {
    const { headers } = await asBrowser('/pipelines');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['content-security-policy'], PAGE_POLICY);
    assert.match(PAGE_POLICY, /default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/);
    assert.doesNotMatch(PAGE_POLICY, /unsafe|https?:|\*/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['set-cookie'], undefined);
  });

  test('is the first one at the root', async () => {
    const { status, headers } = await asBrowser('/');
    assert.deepEqual([status, headers.location], [302, '/pipelines']);
  });

  test('is asked for again by its ETag, in the form that is sent', async () => {
    const plain = await asBrowser('/pipelines');
    const packed = await asBrowser('/pipelines', { 'Accept-Encoding': 'gzip, br' });
    assert.notEqual(plain.headers.etag, packed.headers.etag);
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(packed.bytes).toString(), plain.text);
    const again = await asBrowser('/agents', { 'If-None-Match': String(plain.headers.etag) });
    assert.deepEqual([again.status, again.text, again.headers['content-security-policy']], [304, '', PAGE_POLICY]);
    const other = await asBrowser('/agents', { 'If-None-Match': String(plain.headers.etag), 'Accept-Encoding': 'br' });
    assert.equal(other.status, 200);
  });

  test('is a 404 at an unknown address, even with an ETag that the browser has', async () => {
    const { headers } = await asBrowser('/pipelines');
    for (const address of ['/nowhere', '/pipelines/shop', '/apis', '/%ff', '/assets']) {
      const reply = await asBrowser(address, { 'If-None-Match': String(headers.etag) });
      assert.deepEqual([reply.status, reply.text], [404, PAGE.replace('__BASE__', '/')], address);
      assert.equal(reply.headers['x-frame-options'], 'DENY');
    }
  });

  test('is answered to HEAD without its body', async () => {
    const { status, text, headers } = await ask('/pipelines', { Accept: BROWSER }, { method: 'HEAD' });
    assert.deepEqual([status, text, headers['content-length']], [200, '', String(PAGE.length - '__BASE__'.length + 1)]);
  });
});

describe('a document without a session', () => {
  test('leads a browser to the login and back, and to no other server', async () => {
    for (const path of ['/api/docs', '/api/docs/sessions?x=1&y', '/files/shop/1/build/1/unit/a%0d%0ab.html']) {
      const { status, headers, text } = await asBrowser(path, { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' });
      assert.deepEqual([status, headers.location, text], [302, `/auth/login?from=${encodeURIComponent(path)}`, ''], path);
      assert.equal(headers['cache-control'], 'no-store');
    }
    const expired = await asBrowser('/api/docs', { Cookie: `slipway_session=${'A'.repeat(43)}` });
    assert.equal(expired.status, 302);
  });

  test('is refused to all others as ever', async () => {
    const wrong = `Basic ${Buffer.from('admin:wrong').toString('base64')}`;
    assert.equal((await ask('/api/docs')).status, 401);
    assert.equal((await asBrowser('/api/docs', { Authorization: wrong })).status, 401);
    assert.equal((await asBrowser('/api/docs', { 'X-Requested-With': 'XMLHttpRequest' })).status, 401);
    assert.equal((await asBrowser('/api/docs', { 'Sec-Fetch-Dest': 'iframe' })).status, 401);
    assert.equal((await asBrowser('/api/session')).status, 401);
    assert.equal((await ask('/api/docs', { Accept: BROWSER }, { method: 'HEAD' })).status, 401);
  });
});

describe('programs', () => {
  test('get answers in JSON at the addresses of pages', async () => {
    for (const accept of ['application/json', '*/*', 'application/vnd.svc+json', 'text/html;q=0']) {
      const reply = await ask('/pipelines', { Accept: accept });
      assert.equal(reply.status, 401, accept);
      assert.match(String(reply.headers['www-authenticate']), /^Basic/);
      assert.equal((await server.get('/pipelines', { accept })).status, 404);
    }
    assert.equal((await server.get('/')).headers.get('location'), `${server.url}/api/docs`);
    assert.match((await server.get('/about', { accept: BROWSER })).text, /Server Version/);
  });

  test('never get HTML below /api, also where nothing is', async () => {
    for (const path of ['/api', '/api/', '/api/nowhere', '/api/admin/encrypt']) {
      const { status, json } = await server.get(path, { accept: BROWSER });
      assert.deepEqual([status, json.message], [404, 'The url you are trying to reach appears to be incorrect.'], path);
      const stranger = await asBrowser(path);
      assert.deepEqual([stranger.status, JSON.parse(stranger.text).message], [401, 'You are not authenticated!'], path);
    }
  });

  test('reach every route of the API, also when they accept HTML', async () => {
    assert.equal((await server.get('/api/version', { accept: BROWSER })).json.version, '23.2.0');
    assert.equal((await asBrowser('/api/current_user')).status, 401);
    assert.match(accepted(await server.get('/api/docs', { accept: BROWSER })).text, /<title>/);
  });

  test('cannot write to an address of a page', async () => {
    const reply = await server.post('/pipelines', {}, { accept: BROWSER });
    assert.equal(reply.status, 404);
    assert.equal(reply.json.message, 'The url you are trying to reach appears to be incorrect.');
  });
});

describe('a file of the pages', () => {
  test('is kept by browsers for good, with its type', async () => {
    for (const [name, type] of [
      ['main-1A2B.js', 'text/javascript; charset=utf-8'],
      ['style-3C4D.css', 'text/css; charset=utf-8'],
      ['logo-5E6F.svg', 'image/svg+xml'],
      ['text-7A8B.woff2', 'font/woff2'],
    ] as const) {
      const { status, headers } = await ask(`/assets/${name}`);
      assert.deepEqual([status, headers['content-type']], [200, type]);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal((await ask(`/assets/${name}`, { 'If-None-Match': String(headers.etag) })).status, 304);
    }
  });

  test('is sent as it was packed beforehand, in the smallest form that the client takes', async () => {
    const takes = (accepted: string) => ask('/assets/main-1A2B.js', { 'Accept-Encoding': accepted });
    const br = await takes('gzip, deflate, br');
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(br.bytes).toString(), SCRIPT);
    const gz = await takes('gzip, br;q=0');
    assert.equal(gz.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(gz.bytes).toString(), SCRIPT);
    const plain = await takes('identity');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.text, SCRIPT);
    assert.match(String(plain.headers.vary), /Accept-Encoding/);
    const unpacked = await ask('/assets/style-3C4D.css', { 'Accept-Encoding': 'br' });
    assert.deepEqual([unpacked.headers['content-encoding'], unpacked.text], [undefined, 'body{}']);
  });

  for (const path of [
    '/assets/../secret.txt',
    '/assets/../index.html',
    '/assets/%2e%2e/secret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/..%5csecret.txt',
    '/assets//etc/passwd',
    '/assets/./main-1A2B.js',
    '/assets/%00',
    '/assets/main-1A2B.js%00.css',
    '/assets/main-1A2B.js/',
    '/assets/MAIN-1a2b.js',
    '/assets/inner/deep.js',
    '/assets/inner',
    '/assets/link.js',
    '/assets/notes.md',
    '/assets/main-1A2B.js.br',
    '/assets/__proto__',
    '/assets/',
  ]) {
    test(`is none at ${path}`, async () => {
      for (const answer of [ask(path), asBrowser(path)]) {
        const { status, text } = await answer;
        assert.equal(status, 404);
        assert.equal(text, '{"message":"There is no such file."}');
      }
    });
  }

  test('a file of the pages that is made after they were read is not served', async () => {
    writeFileSync(join(folder, 'assets', 'late.js'), 'late');
    assert.equal((await ask('/assets/late.js')).status, 404);
  });
});

test('all addresses are below the context path, and the page says so', async () => {
  const below = await TestServer.start({ 'context-path': '/cd' }, { pagesFolder: folder });
  try {
    const at = (path: string) => ask(path, { Accept: BROWSER }, { url: below.url });
    assert.equal((await at('/cd/pipelines')).text, PAGE.replace('__BASE__', '/cd/'));
    assert.equal((await at('/cd')).headers.location, '/cd/pipelines');
    assert.equal((await at('/cd/assets/main-1A2B.js')).text, SCRIPT);
    assert.equal((await at('/pipelines')).status, 401);
    assert.equal((await at('/cdx/pipelines')).status, 401);
  } finally {
    await below.stop();
  }
});

test('a server whose pages cannot be read says so, and tries again when they are asked for again', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'slipway-broken-pages-'));
  mkdirSync(join(broken, 'index.html'));
  const stricken = await TestServer.start({}, { pagesFolder: broken });
  try {
    const at = (path: string) => ask(path, { Accept: BROWSER }, { url: stricken.url });
    assert.deepEqual(
      (await Promise.all([at('/pipelines'), at('/assets/x.js')])).map(({ status }) => status),
      [500, 500],
    );
    rmSync(join(broken, 'index.html'), { recursive: true });
    writeFileSync(join(broken, 'index.html'), PAGE);
    assert.equal((await at('/pipelines')).text, PAGE.replace('__BASE__', '/'));
  } finally {
    await stricken.stop();
    rmSync(broken, { recursive: true });
  }
});

test('a server without pages says so at their addresses, and is a server all the same', async () => {
  const bare = await TestServer.start({}, { pagesFolder: join(folder, 'missing') });
  try {
    const at = (path: string) => ask(path, { Accept: BROWSER }, { url: bare.url });
    const reply = await at('/pipelines');
    assert.deepEqual([reply.status, reply.text, reply.headers['content-type']], [404, WITHOUT_PAGES, 'text/plain; charset=utf-8']);
    assert.equal((await at('/nowhere')).status, 401);
    assert.equal((await at('/assets/main-1A2B.js')).status, 404);
    assert.equal((await bare.get('/', { accept: BROWSER })).status, 302);
    accepted(await bare.get('/api/version'));
  } finally {
    await bare.stop();
  }
});
