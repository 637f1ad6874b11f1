// The configuration as one document: the current one, and every state it ever had.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { git } from '../../support/git.ts';
import { basic, type Reply, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const CURRENT = '/api/admin/config.xml';
const MD5 = 'x-cruise-config-md5';
let server: TestServer;

before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const md5Of = (text: string) => createHash('md5').update(text).digest('hex');

function assertDocument(reply: Reply): string {
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.headers.get('content-type'), 'text/xml; charset=utf-8');
  assert.equal(reply.headers.get(MD5), md5Of(reply.text), 'the header is the MD5 of the body');
  return reply.headers.get(MD5)!;
}

async function addEnvironment(name: string, value = 'x'): Promise<void> {
  const body = { name, environment_variables: [{ name: 'V', value }] };
  assert.equal((await server.ask('POST', '/api/admin/environments', { body })).status, 200);
}

test('the document shows every write acknowledged before, with any Accept header', async () => {
  for (const [count, accept] of ['text/xml', 'application/json', 'application/vnd.svc.v9+json', null].entries()) {
    await addEnvironment(`shown-${count}`, 'a <b> & "c"\n');
    const reply = await server.ask('GET', CURRENT, { accept });
    assertDocument(reply);
    assert.match(reply.text, new RegExp(`<environment name="shown-${count}">`));
  }
});

test('both addresses give the same, HEAD gives the headers, a known ETag gives 304', async () => {
  const reply = await server.ask('GET', CURRENT);
  const other = await server.ask('GET', '/api/admin/config/current.xml');
  assert.equal(assertDocument(other), assertDocument(reply));
  assert.equal(other.text, reply.text);
  const head = await server.ask('HEAD', CURRENT);
  assert.deepEqual(
    [head.status, head.text, head.headers.get(MD5), head.headers.get('content-length')],
    [200, '', reply.headers.get(MD5), String(Buffer.byteLength(reply.text))],
  );
  const known = await server.ask('GET', CURRENT, { headers: { 'If-None-Match': reply.headers.get('etag')! } });
  assert.deepEqual([known.status, known.text], [304, '']);
});

test('every state that a client has seen can be fetched by its MD5', async () => {
  const documents = new Map<string, string>();
  for (let count = 0; count < 5; count++) {
    await addEnvironment(`state-${count}`);
    const reply = await server.ask('GET', CURRENT);
    documents.set(assertDocument(reply), reply.text);
  }
  assert.equal(documents.size, 5);
  for (const [md5, text] of documents) {
    const reply = await server.ask('GET', `/api/admin/config/${md5}.xml`);
    assert.equal(assertDocument(reply), md5);
    assert.equal(reply.text, text);
    assert.equal((await server.ask('GET', `/api/admin/config/${md5.toUpperCase()}.xml`)).text, text);
  }
});

test('an unknown MD5 is not found', async () => {
  for (const md5 of ['0'.repeat(32), 'nonsense', '..%2f..%2fslipway.db']) {
    const reply = await server.ask('GET', `/api/admin/config/${md5}.xml`);
    assert.equal(reply.status, 404, md5);
    assert.ok(reply.json.message);
  }
});

test('states between two looks have their MD5, too', async () => {
  const batch = Array.from({ length: 30 }, (_, count) => addEnvironment(`burst-${count}`));
  await Promise.all(batch);
  const reply = await server.ask('GET', CURRENT);
  const log = await server.ask('GET', `/api/admin/config/${'0'.repeat(32)}.xml`); // waits for the history
  assert.equal(log.status, 404);
  const repository = join(server.dataDir, 'history', 'config.git');
  const messages = (await git(repository, 'log', '-30', '--format=%B')).matchAll(/^Config-MD5: (.*)$/gm);
  const states = [...messages].map(([, md5]) => md5!);
  assert.equal(new Set(states).size, 30);
  assert.equal(states[0], reply.headers.get(MD5));
  for (const md5 of states) assertDocument(await server.ask('GET', `/api/admin/config/${md5}.xml`));
});

test('the same configuration gives the same bytes: after a restart, and when the history is written anew', async () => {
  const before = await server.ask('GET', CURRENT);
  const repository = join(server.dataDir, 'history', 'config.git');
  await server.ask('GET', `/api/admin/config/${'0'.repeat(32)}.xml`);
  const head = await git(repository, 'rev-parse', 'master');
  await server.restart();
  assert.equal((await server.ask('GET', CURRENT)).text, before.text);
  await server.restart(() => rmSync(join(server.dataDir, 'history'), { recursive: true }));
  assert.equal((await server.ask('GET', CURRENT)).text, before.text);
  await server.ask('GET', `/api/admin/config/${'0'.repeat(32)}.xml`);
  assert.equal(await git(repository, 'rev-parse', 'master'), head, 'the commits are the same');
});

test('a repository that is gone, with the index still there, is written anew', async () => {
  const before = await server.ask('GET', CURRENT);
  const repository = join(server.dataDir, 'history', 'config.git');
  await server.restart(() => rmSync(repository, { recursive: true }));
  await addEnvironment('after-loss');
  assertDocument(await server.ask('GET', `/api/admin/config/${before.headers.get(MD5)}.xml`));
});

test('packs that are lost while the server is stopped are written anew at its start, without any change', async () => {
  const { headers } = await server.ask('GET', CURRENT);
  const repository = join(server.dataDir, 'history', 'config.git');
  await server.ask('GET', `/api/admin/config/${'0'.repeat(32)}.xml`);
  const head = await git(repository, 'rev-parse', 'master');
  await server.restart(() => rmSync(join(repository, 'objects', 'pack'), { recursive: true }));
  assertDocument(await server.ask('GET', `/api/admin/config/${headers.get(MD5)}.xml`));
  assert.equal(await git(repository, 'rev-parse', 'master'), head);
  assert.equal((await git(repository, 'fsck', '--full')).trim(), '');
});

/** Changes one byte in the middle of the newest pack. */
function damage(repository: string): void {
  const packs = join(repository, 'objects', 'pack');
  const files = readdirSync(packs).filter((file) => file.endsWith('.pack'));
  const path = join(packs, files.toSorted().at(-1)!);
  const content = readFileSync(path);
  content[content.length >> 1]! ^= 0xff;
  chmodSync(path, 0o644);
  writeFileSync(path, content);
}

const healthOf = async () =>
  ((await server.get('/api/server_health_messages')).json as { message: string }[]).map(({ message }) => message);
const DAMAGED = 'The history of the configuration is damaged';

test('a pack that is damaged while the server is stopped is noticed at its start, and written anew', async () => {
  const { headers } = await server.ask('GET', CURRENT);
  const repository = join(server.dataDir, 'history', 'config.git');
  await server.ask('GET', `/api/admin/config/${'0'.repeat(32)}.xml`);
  const head = await git(repository, 'rev-parse', 'master');
  server.lines.length = 0;
  await server.restart(() => damage(repository));
  await until('the whole history', () => server.log.includes('the history of the configuration is whole again'));
  assert.match(server.log, /is damaged and is written anew/);
  assert.equal(await git(repository, 'rev-parse', 'master'), head);
  assert.equal((await git(repository, 'fsck', '--full')).trim(), '');
  assertDocument(await server.ask('GET', `/api/admin/config/${headers.get(MD5)}.xml`));
  assert.ok(!(await healthOf()).includes(DAMAGED));
});

test('damage found by a read is repaired soon after', async () => {
  await addEnvironment('before-damage');
  const md5 = assertDocument(await server.ask('GET', CURRENT));
  await server.ask('GET', `/api/admin/config/${md5}.xml`);
  await server.restart();
  server.lines.length = 0;
  const repository = join(server.dataDir, 'history', 'config.git');
  // All of them: which one holds the document is not known here.
  const packs = join(repository, 'objects', 'pack');
  for (const file of readdirSync(packs).filter((name) => name.endsWith('.pack'))) {
    const path = join(packs, file);
    chmodSync(path, 0o644);
    writeFileSync(path, readFileSync(path).fill(0x55, 12));
  }
  const first = await server.ask('GET', `/api/admin/config/${md5}.xml`);
  assert.ok([200, 503].includes(first.status), first.text);
  await until('the whole history', () => server.log.includes('the history of the configuration is whole again'));
  assertDocument(await server.ask('GET', `/api/admin/config/${md5}.xml`));
  assert.equal((await git(repository, 'fsck', '--full')).trim(), '');
});

test('the history begins with the state before the first recorded revision, and leaves out nothing', async () => {
  // The thread of the document does not run yet: the changes below are written before it reads any.
  await server.restart();
  await Promise.all(Array.from({ length: 20 }, (_, count) => addEnvironment(`early-${count}`)));
  await server.ask('DELETE', '/api/admin/environments/early-3');
  const current = assertDocument(await server.ask('GET', CURRENT));
  await server.ask('GET', `/api/admin/config/${'0'.repeat(32)}.xml`);
  const repository = join(server.dataDir, 'history', 'config.git');
  assert.equal(md5Of(await git(repository, 'show', 'master:cruise-config.xml')), current);
});

test('no secret is in the document or its history in clear', async () => {
  const secret = 'The-Clear-Secret-93';
  const body = { name: 'secretive', environment_variables: [{ name: 'S', value: secret, secure: true }] };
  assert.equal((await server.ask('POST', '/api/admin/environments', { body })).status, 200);
  const { text } = await server.ask('GET', CURRENT);
  assert.doesNotMatch(text, new RegExp(secret));
  assert.match(text, /<variable name="S" secure="true">\s*<encryptedValue>v1:/);
});

test('the document is for administrators', async () => {
  for (const path of [CURRENT, '/api/admin/config/current.xml', `/api/admin/config/${'0'.repeat(32)}.xml`]) {
    assert.equal((await server.ask('GET', path, { as: '' })).status, 401);
    assert.equal((await server.ask('GET', path, { as: basic('nobody', 'x') })).status, 401);
  }
});
