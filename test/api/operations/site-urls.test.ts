// Site URLs: which addresses are accepted, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/config/server/site_urls';
const VALID = { site_url: 'http://cd.example.org:8153', secure_site_url: 'https://cd.example.org' };
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(() => server.put(PATH, VALID));

test('site URLs are empty until they are set', async () => {
  const fresh = await TestServer.start();
  try {
    const { json } = await fresh.get(PATH);
    assert.deepEqual([json.site_url, json.secure_site_url], ['', '']);
  } finally {
    await fresh.stop();
  }
});

test('POST and PUT set the site URLs, without If-Match, and write them in order', async () => {
  const links = { doc: { href: `${server.url}/api/docs#siteurls-config` }, self: { href: server.url + PATH } };
  for (const [method, site_url] of [
    ['POST', 'https://one.example.org'],
    ['PUT', 'HTTP://two.example.org'],
  ] as const) {
    const set = await server.ask(method, PATH, { body: { ...VALID, site_url } });
    assert.equal(set.status, 200, set.text);
    assert.equal(set.text, JSON.stringify({ _links: links, site_url, secure_site_url: VALID.secure_site_url }));
    assert.equal((await server.get(PATH)).text, set.text);
  }
  assert.equal((await server.delete(PATH)).status, 404);
});

test('a URL that is left out, null or empty is unset', async () => {
  for (const secure of [{}, { secure_site_url: null }, { secure_site_url: '' }]) {
    const { json } = await server.put(PATH, { site_url: 'http://cd.example.org', ...secure });
    assert.deepEqual([json.site_url, json.secure_site_url], ['http://cd.example.org', '']);
  }
});

test('addresses of another kind are refused, both at once', async () => {
  const before = await server.get(PATH);
  const reply = await server.put(PATH, { site_url: 'ftp://cd.example.org', secure_site_url: 'http://cd.example.org' });
  assert.equal(reply.status, 422);
  const plain = "Invalid format for site url. 'ftp://cd.example.org' must start with http/s";
  const secure = "Invalid format for secure site url. 'http://cd.example.org' must start with https";
  assert.deepEqual(reply.json, {
    message: `${plain}, ${secure}`,
    site_url: 'ftp://cd.example.org',
    secure_site_url: 'http://cd.example.org',
    errors: { site_url: [plain], secure_site_url: [secure] },
  });
  for (const site_url of ['cd.example.org', 'http://', '//cd.example.org']) {
    assert.equal((await server.put(PATH, { site_url })).status, 422, site_url);
  }
  assert.equal((await server.get(PATH)).text, before.text);
});

test('members of the wrong type are refused', async () => {
  const reply = await server.put(PATH, { site_url: {} });
  assert.equal(reply.status, 422);
  const message = 'Could not read property \'site_url\' as a String in json `{"site_url":{}}` ';
  assert.deepEqual(reply.json, { message, site_url: '', secure_site_url: '', errors: { site_url: [message] } });
});

test('site URLs do not change the links of answers', async () => {
  assert.ok((await server.get(PATH)).json._links.self.href.startsWith(server.url));
});

test('with a secure site URL, Kubernetes clusters need no server URL of their own', async () => {
  const body = { id: 'k8s', plugin_id: 'cd.go.contrib.elasticagent.kubernetes', properties: [{ key: 'go_server_url', value: '' }] };
  const clusters = '/api/admin/elastic/cluster_profiles';
  await server.put(PATH, { site_url: VALID.site_url });
  const refused = await server.post(clusters, body);
  assert.deepEqual(refused.json.data.properties[0].errors, {
    go_server_url: ['Secure site url is not configured. Please specify Go Server Url.'],
  });
  await server.put(PATH, VALID);
  assert.equal((await server.post(clusters, body)).status, 200);
});
