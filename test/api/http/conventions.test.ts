// Rules for every address: unknown paths, limits, headers, links, deprecation, the context path.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { jsonAnswer, type Route } from '../../../src/api/engine/route.ts';
import { MAX_LINGERING_MS } from '../../../src/api/http/reply.ts';
import { withGrowingLimits } from '../../support/patience.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../../support/server/server.ts';

const WRONG_URL = 'The url you are trying to reach appears to be incorrect.';
const oldAndNew: Route[] = [1, 2].map((version) => ({
  method: 'GET',
  path: '/api/things',
  version,
  permission: 'user',
  ...(version === 1 && { deprecation: { entity: 'Things', deprecatedIn: '1.2.0', removedIn: '2.0.0', successor: 2 } }),
  description: { chapter: 'version', summary: 'Things' },
  handle: () => jsonAnswer({ version }),
}));
const leaving: Route = {
  ...oldAndNew[0]!,
  path: '/api/leaving',
  deprecation: { entity: 'Leaving', deprecatedIn: '1.2.0', removedIn: '2.0.0', suggestion: 'Use things.' },
};

let server: TestServer;
before(async () => {
  server = await TestServer.start({}, { routes: [...oldAndNew, leaving] });
});
after(() => server.stop());

describe('addresses', () => {
  test('unknown paths and methods are 404 in JSON', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['GET', '/nothing'],
      ['POST', '/api/version'],
      ['OPTIONS', '/api/version'],
      ['PUT', '/api/admin/artifact_stores'],
      ['GET', '/api/admin/artifact_stores/%zz'],
    ] as const) {
      const reply = await server.ask(method, path);
      assert.equal(reply.status, 404, `${method} ${path}`);
      assert.equal(reply.json.message, WRONG_URL);
    }
  });

  test('a failure is typed in the vendor word that was asked with', async () => {
    const typed = async (path: string, accept: string, ask: object = {}) => {
      const { status, headers } = await server.get(path, { accept, ...ask });
      return `${status} ${headers.get('content-type')}`;
    };
    const theirs = (version: number) => `application/vnd.go.cd.v${version}+json`;
    assert.equal(await typed('/api/things', theirs(1), { as: '' }), `401 ${theirs(1)}; charset=utf-8`);
    assert.equal(await typed('/api/things', theirs(99)), `404 ${theirs(2)}; charset=utf-8`);
    assert.equal(await typed('/api/nothing', theirs(3)), `404 ${theirs(1)}; charset=utf-8`);
    assert.equal(await typed('/api/things?at=never', theirs(2)), `400 ${theirs(2)}; charset=utf-8`);
    assert.equal(await typed('/api/nothing', '*/*'), '404 application/vnd.svc.v1+json; charset=utf-8');
  });

  test('a query parameter that is given twice is refused, even with the same value, unless it is a list', async () => {
    for (const query of ['dry_run=false&dry_run=true', 'dry_run=false&dry_run=false', 'dry_run=false&x=1&dry%5Frun=true']) {
      const reply = await server.post(`/api/admin/pipeline_groups?${query}`, { name: 'twice' });
      assert.equal(reply.status, 400, query);
      assert.equal(reply.json.message, 'The query parameter `dry_run` is given more than once.');
    }
    assert.equal((await server.get('/api/admin/pipeline_groups/twice')).status, 404);
    assert.equal((await server.get('/api/admin/events?type=backup.*&type=configuration.changed')).status, 200);
  });

  test('health needs no login and no Accept header', async () => {
    const reply = await server.get('/api/v1/health', { as: '', accept: 'text/html' });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json, { health: 'OK' });
  });

  test('the version is shown', async () => {
    const { json } = await server.get('/api/version');
    assert.deepEqual(Object.keys(json), ['_links', 'version', 'build_number', 'git_sha', 'full_version', 'commit_url']);
    assert.equal((await server.get('/api/version', { as: '' })).status, 401);
  });

  test('metrics are for administrators', async () => {
    const { text, status } = await server.get('/metrics');
    assert.equal(status, 200);
    assert.match(text, /slipway_http_requests_total\{method="GET",route="\/api\/v1\/health",status="200"\} 1/);
    assert.match(text, /slipway_config_revision 1/);
    assert.equal((await server.get('/metrics', { as: '' })).status, 401);
  });
});

describe('headers', () => {
  test('every answer has the security headers and an id', async () => {
    for (const reply of [
      await server.get('/api/version'),
      await server.get('/api/nothing', { as: '' }),
      await server.get('/api/v1/health'),
    ]) {
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(reply.headers.get('x-frame-options'), 'SAMEORIGIN');
      assert.equal(reply.headers.get('x-xss-protection'), '1; mode=block');
      assert.equal(reply.headers.get('cache-control'), 'max-age=0, private, must-revalidate');
      assert.match(reply.headers.get('x-request-id')!, /^[\w-]+$/);
    }
    assert.equal((await server.get('/api/version', { headers: { 'X-Request-Id': 'mine-1' } })).headers.get('x-request-id'), 'mine-1');
    assert.notEqual((await server.get('/api/version', { headers: { 'X-Request-Id': 'not ok' } })).headers.get('x-request-id'), 'not ok');
  });

  test('forwarded headers do not count unless the proxy is trusted', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cd.example.org' };
    assert.ok((await server.get('/api/version', { headers })).json._links.self.href.startsWith(server.url));
  });

  test('writes are logged with user, request and revision, without bodies', async () => {
    await server.post(
      '/api/admin/environments',
      { name: 'logged', environment_variables: [{ name: 'X', value: 'in-the-body' }] },
      { headers: { 'X-Svc-Reason': 'tést' } },
    );
    const line = server.lines.map((text) => JSON.parse(text)).find((one) => one.msg === 'write' && one.path === '/api/admin/environments');
    assert.deepEqual([line.actor, line.method, line.status, typeof line.revision], ['admin', 'POST', 200, 'number']);
    assert.ok(!server.log.includes('in-the-body'));
    const dry = await server.delete('/api/admin/environments/logged?dry_run=true');
    assert.equal(dry.headers.get('x-svc-revision'), null);
    const tried = server.lines.map((text) => JSON.parse(text)).find((one) => one.msg === 'dry run');
    assert.deepEqual([tried.method, tried.path, tried.revision], ['DELETE', '/api/admin/environments/logged', undefined]);
  });
});

describe('deprecation', () => {
  test('headers of a deprecated version name its successor', async () => {
    const { headers } = await server.get('/api/things?x=1', { accept: 'application/vnd.svc.v1+json' });
    assert.equal(headers.get('x-svc-api-deprecated-in'), 'v1.2.0');
    assert.equal(headers.get('x-svc-api-removal-in'), 'v2.0.0');
    assert.equal(headers.get('x-svc-api-deprecation-info'), `${server.url}/api/docs#api-changelog`);
    assert.equal(headers.get('link'), `<${server.url}/api/things>; Accept="application/vnd.svc.v2+json"; rel="successor-version"`);
    assert.match(
      headers.get('warning')!,
      /^299 Slipway\/v\d+\.\d+\.\d+ "The Things API version v1 has been deprecated in Slipway Release v1\.2\.0\. This version will be removed in Slipway Release v2\.0\.0\. Version v2 of the API is available, and users are encouraged to use it"$/,
    );
  });

  test('headers of a deprecated version use the vendor word of the request, and do without a successor', async () => {
    const other = await server.get('/api/things', { accept: 'application/vnd.go.cd.v1+json' });
    assert.equal(other.headers.get('x-gocd-api-deprecated-in'), 'v1.2.0');
    const { headers } = await server.get('/api/leaving', { accept: 'application/vnd.svc.v1+json' });
    assert.equal(headers.get('link'), null);
    assert.match(
      headers.get('warning')!,
      /has been deprecated without replacement in Slipway Release v1\.2\.0\. This API will be removed in Slipway Release v2\.0\.0\. Use things\."$/,
    );
  });

  test('the newest version has no headers about deprecation', async () => {
    const reply = await server.get('/api/things');
    assert.deepEqual(reply.json, { version: 2 });
    assert.equal(reply.headers.get('warning'), null);
  });
});

describe('bodies', () => {
  test('bodies that are too large, too deep or too long are refused', async () => {
    const large = await server.ask('POST', '/api/admin/environments', { text: `{"name":"${'x'.repeat(10 * 1024 * 1024)}"}` });
    assert.equal(large.status, 413);
    assert.match(large.json.message, /larger than 10485760 bytes/);
    const deep = await server.ask('POST', '/api/admin/environments', { text: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` });
    assert.equal(deep.status, 400);
    assert.match(deep.json.message, /nested deeper than/);
    const long = await server.ask('POST', '/api/admin/environments', { text: `{"a":[${'1,'.repeat(60_000)}1]}` });
    assert.equal(long.status, 400);
    const list = `[${'1,'.repeat(49_000)}1]`;
    const many = await server.ask('POST', '/api/admin/environments', { text: `{"a":[${Array.from({ length: 8 }, () => list).join()}]}` });
    assert.equal(many.status, 400);
    assert.match(many.json.message, /it has more than 300000 values/);
    const text = await server.ask('POST', '/api/admin/environments', { text: `{"name":"${'x'.repeat(1_000_001)}"}` });
    assert.equal(text.status, 400);
    assert.match(text.json.message, /a string is longer than 1000000 characters/);
  });

  test('a body that cannot be read, for a missing entity, has the status that GoCD has for the resource', async () => {
    for (const [path, status] of [
      ['/api/admin/config_repos/none', 404],
      ['/api/admin/artifact_stores/none', 404],
      ['/api/admin/security/auth_configs/none', 404],
      ['/api/elastic/profiles/none', 404],
      ['/api/admin/environments/none', 400],
      ['/api/admin/packages/none', 400],
      ['/api/admin/repositories/none', 400],
    ] as const)
      assert.equal((await server.ask('PUT', path, { text: '{' })).status, status, path);
    const wrongType = { text: '{', headers: { 'Content-Type': 'text/plain' } };
    assert.equal((await server.ask('PUT', '/api/admin/config_repos/none', wrongType)).status, 415);
  });

  test('texts that are not UTF-8 are refused, not repaired', async () => {
    const body = new Uint8Array(Buffer.from('{"name":"p\xe4ss"}', 'latin1'));
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD), 'Content-Type': 'application/json' };
    const response = await fetch(`${server.url}/api/admin/environments`, { method: 'POST', headers, body });
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { message: 'Payload data is not valid JSON: the body is not UTF-8' });
  });

  test('a body that is compressed is refused by the name of its encoding', async () => {
    for (const [path, encoding] of [
      ['/api/admin/environments', 'gzip'],
      ['/api/admin/config/plan', 'br'],
    ] as const) {
      const refused = await server.post(path, { name: 'e' }, { headers: { 'Content-Encoding': encoding } });
      assert.equal(refused.status, 415);
      assert.equal(refused.json.message, `The request body is compressed with '${encoding}'; send JSON uncompressed.`);
    }
    const plain = await server.post('/api/admin/environments', { name: 'plain' }, { headers: { 'Content-Encoding': 'Identity' } });
    assert.equal(plain.status, 200);
  });

  test('a number that is meant as a text stays as it was written', async () => {
    for (const written of ['12345678901234567890', '1.10', '1.0', '1E400', '7', '-2.5']) {
      const variables = `[{"name":"N","value":${written}}]`;
      const text = `{"name":"numbers","environment_variables":${variables}}`;
      const { json } = await server.ask('POST', '/api/admin/environments', { text });
      assert.deepEqual([written, json.environment_variables[0].value], [written, written]);
      await server.delete('/api/admin/environments/numbers');
    }
  });

  test('the confirm header is accepted under all its names', async () => {
    for (const name of ['X-Svc-Confirm', 'X-GoCD-Confirm', 'Confirm']) {
      assert.equal((await server.ask('POST', '/api/admin/environments', { headers: { [name]: 'true' } })).status, 422);
    }
    const reply = await server.ask('POST', '/api/admin/environments');
    assert.equal(reply.json.message, "Missing required header 'X-Svc-Confirm' with value 'true'");
    const other = await server.ask('POST', '/api/admin/environments', { accept: 'application/vnd.go.cd+json' });
    assert.equal(other.json.message, "Missing required header 'X-GoCD-Confirm' with value 'true'");
  });

  test('a request that is not HTTP is answered in JSON too', async () => {
    const answer = await exchange('NONSENSE\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(answer, /\{"message":"The request is not valid HTTP\."\}$/);
  });

  test('a request that announces no body has none, and the server does not wait for it', async () => {
    const lines = (more: string) => `${more}Authorization: ${basic('admin', ADMIN_PASSWORD)}\r\nConnection: close\r\n\r\n`;
    const saved = await exchange(lines('POST /api/admin/config.xml HTTP/1.1\r\nHost: x\r\n'));
    assert.match(saved, /^HTTP\/1\.1 4\d\d .*\{"message":/s);
    const created = await exchange(lines('POST /api/admin/environments HTTP/1.1\r\nHost: x\r\n'));
    assert.match(created, /^HTTP\/1\.1 400 .*Missing required header/s);
    await withGrowingLimits(async () => {
      const startedAt = performance.now();
      const hostless = await exchange(lines('GET /api/version HTTP/1.1\r\n'));
      assert.match(hostless, /^HTTP\/1\.1 400 .*The request has no Host header\./s);
      assert.ok(performance.now() - startedAt < MAX_LINGERING_MS, 'the server waited for a body that nobody announced');
    });
  });
});

describe('the host', () => {
  const ask = (line: string, ...hosts: string[]) =>
    exchange([`${line} HTTP/1.1`, ...hosts, `Authorization: ${basic('admin', ADMIN_PASSWORD)}`, 'Connection: close', '', ''].join('\r\n'));

  test('a host that is named twice, or differs from the request line, is 400', async () => {
    const line = 'GET /api/version';
    for (const hosts of [
      ['Host: a', 'Host: b'],
      ['Host: a', 'Host: a'],
      ['Host: a', 'hOST: b'],
    ])
      assert.match(await ask(line, ...hosts), /^HTTP\/1\.1 400 .*The request has more than one Host header\./s);
    assert.match(await ask('GET http://b/api/version', 'Host: a'), /^HTTP\/1\.1 400 .*names another host than the Host header\./s);
  });

  test('may stand in the request line, too', async () => {
    assert.match(
      await ask('GET http://cd.example.org/api/version', 'Host: cd.example.org'),
      /^HTTP\/1\.1 200 .*http:\/\/cd\.example\.org\/api/s,
    );
  });
});

describe('a client that holds its body back', () => {
  const BODY = JSON.stringify({ name: 'patient' });

  /** Sends the head, and the body only when the server asks for it. Everything that comes back. */
  function send(...more: string[]): Promise<string> {
    const lines = [
      'POST /api/admin/environments HTTP/1.1',
      'Host: localhost',
      `Content-Length: ${BODY.length}`,
      'Expect: 100-continue',
      'Connection: close',
      ...more,
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('100 Continue\r\n\r\n')) socket.write(BODY);
        else if (/^HTTP\/1\.1 4.*\}$/s.test(text)) socket.end(); // answered without it: there is nothing more to send
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
  }
  const AUTHORIZATION = `Authorization: ${basic('admin', ADMIN_PASSWORD)}`;
  const JSON_TYPE = 'Content-Type: application/json';

  test('is asked for it after the login, and served', async () => {
    assert.match(await send(AUTHORIZATION, JSON_TYPE), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*"name":"patient"/s);
  });

  test('is not asked for it without a login, nor for one that would be refused', async () => {
    assert.match(await send(JSON_TYPE), /^HTTP\/1\.1 401 /);
    assert.match(await send(JSON_TYPE, `Authorization: ${basic('admin', 'wrong')}`), /^HTTP\/1\.1 401 /);
    assert.match(await send(AUTHORIZATION, 'Content-Type: text/plain'), /^HTTP\/1\.1 415 /);
  });

  test('a body that is sent after a refusal all the same cannot be taken for the next request', async () => {
    const head = 'POST /api/admin/environments HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n';
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(head));
      socket.once('data', (chunk) => {
        resolve(String(chunk));
        socket.destroy();
      });
      socket.on('error', reject);
    });
    assert.match(answer, /^HTTP\/1\.1 401 .*\r\nConnection: close\r\n/s);
  });
});

/** The answer of the server until it closes the connection. */
function exchange(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

test('the headers of a proxy that is not in the list are ignored', async () => {
  const proxied = await TestServer.start({ 'trust-proxy': '192.0.2.0/24,fd00::/8' });
  try {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-For': '192.0.2.7' };
    const { json } = await proxied.get('/api/admin/environments', { headers });
    assert.equal(json._links.self.href, `${proxied.url}/api/admin/environments`);
    assert.equal((await proxied.post('/api/admin/environments', { name: 'prod' }, { headers })).status, 200);
    assert.ok(!proxied.log.includes('192.0.2.7'));
  } finally {
    await proxied.stop();
  }
});

test('behind a trusted proxy and under a context path, links and addresses follow', async () => {
  const proxied = await TestServer.start({ 'context-path': '/cd', 'trust-proxy': 'true' });
  try {
    assert.ok(proxied.url.endsWith('/cd'));
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cd.example.org', 'X-Forwarded-Port': '443' };
    const { json } = await proxied.get('/api/admin/environments', { headers });
    assert.equal(json._links.self.href, 'https://cd.example.org/cd/api/admin/environments');
    const other = await proxied.get('/api/admin/environments', { headers: { ...headers, 'X-Forwarded-Port': '8443' } });
    assert.equal(other.json._links.self.href, 'https://cd.example.org:8443/cd/api/admin/environments');
    const outside = await fetch(`${proxied.url.slice(0, -'/cd'.length)}/api/v1/health`);
    assert.equal(outside.status, 401);
    assert.deepEqual((await proxied.get('/api/openapi.json')).json.servers, [{ url: '/cd' }]);
  } finally {
    await proxied.stop();
  }
});
