// The plugin for versions in JSON documents, and servers of all sorts: those that answer, and those that do harm.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { httpJsonPackagePlugin } from '../../src/plugins/bundled/packages/http-json.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { makeCertificates } from '../support/services/certificates.ts';
import { type Answering, startWebServer, type WebServer } from '../support/services/web-server.ts';
import { pollTools, settings } from './tools.ts';

const { latestRevision, latestRevisionSince, checkRepository, checkPackage } = httpJsonPackagePlugin;
const SECRET = 'do-not-tell';
const json =
  (body: unknown): Answering =>
  (_, response) =>
    void response.setHeader('last-modified', 'Sat, 31 Jan 2026 09:30:00 GMT').end(JSON.stringify(body));
const redirect =
  (to: () => string, status = 302): Answering =>
  (_, response) =>
    void response.writeHead(status, { location: to() }).end();

let changing = { version: '1' };
let elsewhere: WebServer;
let here: WebServer;
const authorizations: (string | undefined)[] = [];
const ANSWERS: Readonly<Record<string, Answering>> = {
  '/base/releases.json': json([{ tag_name: 'v1.2.3', assets: [] }]),
  '/base/numbers.json': (_, response) =>
    void response.end('{"build": 1.10, "big": 12345678901234567890, "flag": true, "none": null, "empty": " "}'),
  '/base/keys.json': json({ 'a/b': { 'm~n': 'x' } }),
  '/base/packed': (_, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync('{"version":"7"}')),
  '/base/odd': (_, response) => void response.setHeader('content-encoding', 'rot13').end('{"irefvba":"7"}'),
  '/base/changing': (request, response) => {
    const etag = `"${changing.version}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.setHeader('etag', etag).end(JSON.stringify(changing));
  },
  '/base/page': (_, response) => void response.end('<html>'),
  '/base/query?key=do-not-tell': json({ version: 'q' }),
  '/base/moved': redirect(() => 'releases.json', 301),
  '/base/away': redirect(() => `${elsewhere.url}/who`),
  '/base/around': redirect(() => '/base/around'),
  '/base/file': redirect(() => 'file:///etc/passwd'),
  '/base/closed': (request, response) => {
    authorizations.push(request.headers.authorization);
    response.writeHead(request.headers.authorization ? 403 : 401).end(`you sent ${request.headers.authorization}`);
  },
  '/base/silent': () => {},
  '/base/stuck': (_, response) => void response.write('{"version":'),
  '/base/trickle': (_, response) => {
    const more = () => {
      if (response.destroyed) return;
      response.write(' ');
      setTimeout(more, 5);
    };
    more();
  },
  '/base/broken': (_, response) => void response.write('{"version":', () => response.destroy()),
  '/base/endless': (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65536)));
      response.once('drain', more);
    };
    more();
  },
  '/base/bomb': (_, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50_000_000, ' '))),
};
before(async () => {
  elsewhere = await startWebServer((request, response) => {
    authorizations.push(request.headers.authorization);
    response.end('{"version":"9"}');
  });
  here = await startWebServer((request, response) =>
    (ANSWERS[request.url!] ?? ((_, answer) => void answer.writeHead(404).end()))(request, response),
  );
});
after(() => Promise.all([here.stop(), elsewhere.stop()]));

const of = (path: string, pointer = '/version', more: Record<string, string> = {}) =>
  settings({ REPO_URL: `${here.url}/base`, ...more }, { PACKAGE_PATH: path, REVISION_POINTER: pointer });
const revisionAt = async (...at: Parameters<typeof of>) => (await latestRevision(of(...at), pollTools())).revision;

describe('a version', () => {
  for (const [path, pointer, revision] of [
    ['releases.json', '/0/tag_name', 'v1.2.3'],
    ['/releases.json', '/0/tag_name', 'v1.2.3'],
    ['numbers.json', '/build', '1.10'],
    ['numbers.json', '/big', '12345678901234567890'],
    ['keys.json', '/a~1b/m~0n', 'x'],
    ['packed', '/version', '7'],
    ['moved', '/0/tag_name', 'v1.2.3'],
    ['away', '/version', '9'],
    ['query?key=do-not-tell', '/version', 'q'],
  ] as const) {
    test(`the version in ${path} at ${pointer} is found`, async () => assert.equal(await revisionAt(path, pointer), revision));
  }

  test('comes with its time and location', async () => {
    assert.deepEqual(await latestRevision(of('releases.json', '/0/tag_name'), pollTools()), {
      revision: 'v1.2.3',
      time: new Date('2026-01-31T09:30:00Z'),
      user: undefined,
      comment: undefined,
      trackbackUrl: `${here.url}/base/releases.json`,
      data: { VERSION: 'v1.2.3', LOCATION: `${here.url}/base/releases.json` },
    });
  });

  test('is new if it differs from the known one', async () => {
    const since = (revision: string) => latestRevisionSince(of('changing'), { revision }, pollTools());
    assert.equal(await since('1'), undefined);
    assert.equal(await since('1'), undefined);
    changing = { version: '2' };
    assert.equal((await since('1'))?.revision, '2');
    assert.equal((await since('1'))?.revision, '2');
  });
});

describe('credentials', () => {
  test('go to the repository, and not to where it redirects', async () => {
    authorizations.length = 0;
    await revisionAt('away', '/version', { TOKEN: SECRET });
    assert.deepEqual(authorizations, [undefined]);
    await assert.rejects(revisionAt('closed', '/version', { USERNAME: 'jez', PASSWORD: SECRET }));
    assert.deepEqual(authorizations, [undefined, `Basic ${Buffer.from(`jez:${SECRET}`).toString('base64')}`]);
  });

  for (const path of ['https://evil.example.org/x', '//evil.example.org/x', '../x', '..%2f../../x', 'a/../../x', '\\\\evil.example.org']) {
    test(`do not leave it by ${path}`, async () => {
      const staysOrRefused = new RegExp(`^PACKAGE_PATH must lead to a place below REPO_URL\\.$|^${here.url}/base/`);
      await assert.rejects(revisionAt(path, '/version', { TOKEN: SECRET }), { message: staysOrRefused });
      assert.ok(!here.requests.some((request) => request === 'GET /x'));
    });
  }
});

describe('failures are explained, without secrets', () => {
  const maxBytes = 1_000_000;
  for (const [path, pointer, message] of [
    ['nothing.json', '/version', /\/base\/nothing\.json was answered with status 404: there is no such thing\.$/],
    ['page', '/version', /\/base\/page is not answered with JSON that can be read\. It has /],
    ['numbers.json', '/missing', /^The document has nothing at \/missing\.$/],
    ['numbers.json', '/flag', /^What the document has at \/flag is no version: /],
    ['numbers.json', '/none', /is no version/],
    ['numbers.json', '/empty', /is no version/],
    ['releases.json', '/0', /is no version/],
    ['around', '/version', /\/base\/around leads from one address to the next, more than 5 times\.$/],
    ['file', '/version', /\/base\/file leads to an address that is neither http nor https\.$/],
    ['closed', '/version', /\/base\/closed was answered with status 403: the credentials are wrong or do not suffice\.$/],
    ['odd', '/version', /was sent with an encoding that was not asked for\.$/],
    ['silent', '/version', /\/base\/silent was not answered in time\.$/],
    ['stuck', '/version', /\/base\/stuck was not answered in time\.$/],
    ['broken', '/version', /\/base\/broken cannot be read: ECONNRESET\.$/],
    ['endless', '/version', /\/base\/endless is larger than 1000000 bytes\.$/],
    ['bomb', '/version', /\/base\/bomb is larger than 1000000 bytes\.$/],
    ['closed?key=do-not-tell', '/version', /\/base\/closed\?… was answered with status 404/],
  ] as const) {
    test(`a failure is explained without secrets: ${path} ${pointer}`, async () => {
      const given = of(path, pointer, { TOKEN: SECRET });
      const limits = { timeoutMs: path === 'silent' || path === 'stuck' ? 1500 : PATIENCE_MS, maxBytes };
      await assert.rejects(latestRevision(given, pollTools(limits)), (failure: Error) => {
        assert.match(failure.message, message);
        assert.ok(!failure.message.includes(SECRET));
        return true;
      });
      const { isOk, messages } = await checkPackage(given, pollTools(limits));
      assert.equal(isOk, false);
      assert.match(messages.join('\n'), message);
    });
  }

  test('a server that sends a byte now and then', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const asked = latestRevision(of('trickle'), pollTools()).catch(({ message }: Error) => message);
    while (here.requests.at(-1) !== 'GET /base/trickle') await pause(5);
    t.mock.timers.tick(60_000);
    assert.match(String(await asked), /\/base\/trickle sent less than 16 KB in 60 seconds\.$/);
  });

  test('a request that is aborted', async () => {
    const control = new AbortController();
    const asked = latestRevision(of('silent'), pollTools({ signal: control.signal }));
    control.abort();
    await assert.rejects(asked, /\/base\/silent is not waited for any longer\.$/);
  });

  test('a missing server', async () => {
    const gone = await startWebServer(() => {});
    await gone.stop();
    const { isOk, messages } = await checkRepository(settings({ REPO_URL: gone.url }).repository, pollTools());
    assert.deepEqual([isOk, messages], [false, [`${gone.url}/ cannot be read: ECONNREFUSED.`]]);
  });

  test('a certificate of an unknown authority', async () => {
    const certificates = await makeCertificates();
    const server = await startWebServer(json({ version: '1' }), certificates);
    try {
      const { isOk, messages } = await checkRepository(settings({ REPO_URL: server.url }).repository, pollTools());
      assert.equal(isOk, false);
      assert.match(messages.join(), /cannot be read: UNABLE_TO_VERIFY_LEAF_SIGNATURE \(unable to verify the first certificate\)\.$/);
    } finally {
      await server.stop();
      await certificates.remove();
    }
  });
});

test('the check of a repository passes without a first page', async () => {
  const check = async (url: string) => checkRepository(settings({ REPO_URL: url }).repository, pollTools());
  assert.deepEqual(await check(`${here.url}/base/releases.json`), { isOk: true, messages: ['The server answers.'] });
  assert.deepEqual(await check(here.url), { isOk: true, messages: ['The server answers, though its first page with status 404.'] });
});
