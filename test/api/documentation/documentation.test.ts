// The documentation: a valid OpenAPI document, and pages that need nothing from elsewhere.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { addressOf, OpenApi, type Operation } from '../../support/requests/openapi.ts';
import { ADMIN_PASSWORD, TestServer } from '../../support/server/server.ts';

const run = promisify(execFile);
const MAX_BYTES = 150_000;

let server: TestServer;
let api: OpenApi;
/** The start page and those of all chapters, by path. */
let pages: ReadonlyMap<string, string>;
before(async () => {
  server = await TestServer.start();
  api = await OpenApi.of(server);
  const { text } = await server.get('/api/docs');
  const paths = new Set([...text.matchAll(/ href="docs\/([^"#]+)"/g)].map(([, name]) => `/api/docs/${name}`));
  const chapters = await Promise.all([...paths].map(async (path) => [path, (await server.get(path)).text] as const));
  pages = new Map([['/api/docs', text], ...chapters]);
});
after(() => server.stop());

function decoded(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

test('the OpenAPI document is valid', async () => {
  const verdict = await new Validator().validate(structuredClone(api.document));
  assert.deepEqual(verdict, { valid: true });
});

test('operation ids are unique', () => {
  assert.equal(new Set(api.operations.map(({ operationId }) => operationId)).size, api.operations.length);
});

describe('the pages', () => {
  test('have a place for every doc link', async () => {
    for (const path of [
      '/api/admin/artifact_stores',
      '/api/admin/environments',
      '/api/current_user',
      '/api/version',
      '/api/admin/security/auth_configs',
    ]) {
      const [page, anchor] = (await server.get(path)).json._links.doc.href.replace(server.url, '').split('#');
      assert.ok(pages.get(page)?.includes(` id="${anchor}"`), `${page}#${anchor}`);
      assert.ok(pages.has(`/api/docs/${anchor}`), anchor);
    }
  });

  test('are of bearable size, one for each chapter', () => {
    assert.ok(pages.size > 30, `${pages.size}`);
    for (const [path, text] of pages) assert.ok(text.length < MAX_BYTES, `${path}: ${text.length}`);
  });

  test('let in nothing but their style sheet and their script', async () => {
    for (const path of ['/api/docs', '/api/docs/users', '/api/docs?q=token']) {
      const { text, headers } = await server.get(path);
      assert.match(headers.get('content-type')!, /^text\/html/);
      const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
      const style = hashOf(/<style>(.*?)<\/style>/s.exec(text)![1]!);
      const script = hashOf(/<script>(.*?)<\/script>/s.exec(text)![1]!);
      assert.equal(
        headers.get('content-security-policy'),
        `default-src 'none'; script-src ${script}; style-src ${style}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      );
    }
    for (const [path, text] of pages) {
      assert.equal(text.match(/<script/g)?.length, 1, path);
      assert.doesNotMatch(text, /<script [^>]| on\w+="| style="|javascript:/, path);
      assert.doesNotMatch(text, /(?:src|href|action)="(?:https?:)?\/\//, path);
    }
  });

  test('have links that all lead somewhere', () => {
    const wrong: string[] = [];
    for (const [path, text] of pages) {
      for (const [, href] of text.matchAll(/ (?:href|action)="([^"]*)"/g)) {
        const { pathname, hash } = new URL(decoded(href!), `http://host${path}`);
        if (pathname === '/api/openapi.json') continue;
        const target = pages.get(pathname);
        if (target === undefined || (hash !== '' && !target.includes(` id="${decodeURIComponent(hash.slice(1))}"`)))
          wrong.push(`${path}: ${href}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  test('have each anchor once', () => {
    for (const [path, text] of pages) {
      const anchors = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(anchors).size, anchors.length, path);
    }
  });

  test('show every route of the document in its chapter, and on the start page', () => {
    const shown = new Map([...pages].map(([path, text]) => [path, text.replaceAll('<wbr>', '')]));
    const chapters = [...shown].filter(([path]) => path !== '/api/docs').map(([, text]) => text);
    const named = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');
    for (const { path } of api.operations) {
      assert.equal(chapters.filter((text) => text.includes(`<code>${named(path)}</code></h3>`)).length, 1, path);
      assert.ok(shown.get('/api/docs')!.includes(`<code>${named(path)}</code></a>`), path);
    }
  });

  test('show the operation that switches on before the one that switches off', () => {
    const page = pages.get('/api/docs/maintenance-mode')!;
    const [on, off] = ['enable', 'disable'].map((word) => page.indexOf(`<article id="post-api-admin-maintenance-mode-${word}-v1">`));
    assert.ok(0 < on! && on! < off!);
  });

  test('name the users who may call each route, by policies and groups, too, as the document does', () => {
    const all = [...pages.values()].join('');
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
      assert.ok(all.includes(`<dt>For</dt><dd>${who.slice('For '.length, -1)}</dd>`), route);
    }
  });

  test('a chapter that does not exist is not found', async () => {
    const { status, json } = await server.get('/api/docs/nonsense');
    assert.deepEqual([status, json], [404, { message: "The documentation has no chapter 'nonsense'." }]);
  });
});

describe('the search', () => {
  const search = async (query: string) => {
    const { text, status } = await server.get(`/api/docs?q=${encodeURIComponent(query)}`);
    assert.equal(status, 200);
    return [...text.replaceAll('<wbr>', '').matchAll(/<li><a href="(docs\/[^"]+)">(.*?)<\/a> <span>/g)].map(([, href, title]) => ({
      href,
      title: title!.replace(/<[^>]+>/g, ''),
    }));
  };

  test('finds chapters first, then routes, then fields', async () => {
    const [first, ...others] = await search('access tokens');
    assert.deepEqual(first, { href: 'docs/access-tokens', title: 'Access tokens' });
    assert.ok(others.length > 0);
    assert.equal((await search('POST REVOKE own'))[0], undefined);
    assert.match((await search('post revoke access_tokens'))[0]!.title, /^POST \/api\/.*\/revoke$/);
    const [field] = await search('checkin_aliases');
    assert.match(field!.title, /^checkin_aliases \(/);
    const [path, anchor] = field!.href!.split('#');
    assert.ok(pages.get(`/api/${path}`)!.includes(` id="${anchor}"`));
  });

  test('a text that is on no page is not found, and is shown escaped', async () => {
    assert.deepEqual(await search('<script>alert(1)</script>'), []);
    const { text } = await server.get(`/api/docs?q=${encodeURIComponent('"><script>')}`);
    assert.equal(text.match(/<script>/g)?.length, 1);
    assert.ok(text.includes('value="&quot;&gt;&lt;script&gt;"'));
    assert.ok((await server.get(`/api/docs?q=${'x'.repeat(5000)}`)).text.length < MAX_BYTES);
  });

  test('a search without words shows the start page', async () => {
    for (const query of ['?q=', '?q=%20']) assert.equal((await server.get(`/api/docs${query}`)).text, pages.get('/api/docs'));
  });
});

describe('the lines for curl', () => {
  /** The lines of a page, each with the words that a shell makes of it. */
  let lines: readonly { readonly line: string; readonly args: readonly string[] }[];
  before(async () => {
    const all = [...pages.values()].flatMap((text) => [...text.matchAll(/<pre class="curl"><code>(.*?)<\/code><\/pre>/gs)]);
    const texts = all.map(([, html]) => decoded(html!));
    const script = ['curl() { printf "%s\\0" "$@"; printf "\\1\\0"; }', ...texts].join('\n');
    const env = { PATH: process.env.PATH, SLIPWAY_URL: 'http://host', SLIPWAY_USER: 'u', SLIPWAY_PASSWORD: 'p q' };
    const { stdout } = await run('bash', ['-c', script], { env, maxBuffer: 64 * 1024 * 1024 });
    const args = stdout.split('\u0001\0').map((part) => part.split('\0').slice(0, -1));
    lines = texts.map((line, index) => ({ line, args: args[index]! }));
  });

  const valuesOf = (args: readonly string[], flag: string) => args.flatMap((word, index) => (args[index - 1] === flag ? [word] : []));
  const sentBy = (args: readonly string[]) => {
    const data = [...valuesOf(args, '--data'), ...valuesOf(args, '--data-binary')];
    const hasBody = data.length > 0 || args.includes('--form') || args.includes('--data-urlencode');
    const headers = new Map(valuesOf(args, '--header').map((header) => [header.split(': ')[0], header.slice(header.indexOf(': ') + 2)]));
    return { method: valuesOf(args, '--request')[0] ?? (hasBody ? 'POST' : 'GET'), url: new URL(args.at(-1)!), data, headers, args };
  };
  const linesFor = (operation: Operation) =>
    lines.map(({ args }) => sentBy(args)).filter(({ method, url }) => method === operation.method && url.pathname === addressOf(operation));

  test('every example has a line for curl that sends it', () => {
    const wrong: string[] = [];
    for (const operation of api.operations.filter(({ protocol }) => protocol === undefined)) {
      const found = linesFor(operation);
      if (found.length < Math.max(1, operation.bodies.length)) wrong.push(`${operation.name}: ${found.length} lines`);
      for (const { type, example } of operation.bodies) {
        const line = found.find(
          ({ headers }) => headers.get('Content-Type') === type || (type === 'multipart/form-data' && !headers.has('Content-Type')),
        );
        if (!line) wrong.push(`${operation.name}: none as ${type}`);
        else if (type.endsWith('json')) assert.deepEqual(JSON.parse(line.data[0]!), example, operation.name);
        else if (typeof example === 'string') assert.equal(line.data[0], example, operation.name);
      }
      const { type } = operation.success;
      if (type?.startsWith('application/vnd.') && !found.some(({ headers }) => headers.get('Accept') === type))
        wrong.push(`${operation.name}: not as ${type}`);
      const login = operation.permission === undefined ? [] : ['u:p q'];
      for (const { args } of found) assert.deepEqual(valuesOf(args, '--user'), login, operation.name);
    }
    assert.deepEqual(wrong, []);
  });

  test('the lines for curl make, show, change and remove an environment', async () => {
    const inOrder = [
      'POST /api/admin/environments',
      'GET /api/admin/environments/{id}',
      'PUT /api/admin/environments/{id}',
      'DELETE /api/admin/environments/{id}',
    ].map((name) => {
      const { method, path } = { method: api.find(name).method, path: addressOf(api.find(name)) };
      return lines.find(({ args }) => sentBy(args).method === method && sentBy(args).url.pathname === path)!.line;
    });
    const env = { PATH: process.env.PATH, SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD };
    for (const line of inOrder) {
      const { stdout } = await run('bash', ['-c', `${line} --silent --show-error --write-out ' %{http_code}'`], { env });
      assert.match(stdout, / 200$/, `${line}\n${stdout}`);
    }
  });
});
