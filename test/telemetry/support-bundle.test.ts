// Support bundles: their contents, and no secret in them, wherever it was planted.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readTar } from '../../src/kit/tar/read.ts';
import type { BaseParts, OpenParts } from '../../src/server/open/all-parts.ts';
import { filled, secretKinds } from '../support/configuration/secret-bodies.ts';
import { databaseUrlOf, isEmbedded } from '../support/database/database.ts';
import { smallPipeline } from '../support/requests/bodies.ts';
import { Browser } from '../support/requests/browser-session.ts';
import { accepted } from '../support/requests/callers.ts';
import { slipway } from '../support/server/command-line.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

type Files = ReadonlyMap<string, string>;

const PATH = '/api/admin/support_bundle';
const SECRET = 'hush-5d21';
const PLAIN = 'plain-value-77ab';
const URL_PASSWORD = 'in-the-url-93cc';
const NOT_OF_STOPPED = ['settings.json', 'health.json', 'metrics.txt', 'process.json', 'replicas.json', 'log.jsonl'];

let server: TestServer;
let parts: BaseParts & OpenParts;
let folder: string;
let secrets: Record<string, string>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-bundle-test-'));
  const routes = (all: BaseParts & OpenParts) => {
    parts = all;
    return [];
  };
  server = await TestServer.start({ OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}` }, { routes });
  await plant();
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function plant(): Promise<void> {
  for (const { path, secret } of secretKinds) {
    for (const [needed, body] of Object.entries(secret.needs ?? {})) await server.post(needed, body);
    const body = filled(secret.body, 'one.example.org', SECRET);
    const reply = await server.post(path, secret.wrap?.(body) ?? body);
    assert.ok(reply.status === 200 || reply.status === 422, `${path}: ${reply.text}`);
  }
  const material = { type: 'git', attributes: { url: `http://ann:${URL_PASSWORD}@127.0.0.1:9/x.git`, branch: 'main', auto_update: true } };
  const variables = [{ name: 'PLAIN', secure: false, value: PLAIN }];
  const pipeline = { ...smallPipeline('failing'), materials: [material], environment_variables: variables };
  accepted(await server.post('/api/admin/pipelines', { group: 'shop', pipeline }));
  accepted(await server.post('/api/admin/environments', { name: 'plain', environment_variables: variables }));
  const token = accepted(await server.post('/api/current_user/access_tokens', { description: 'planted' })).json.token;
  const browser = new Browser(server);
  await browser.logIn('admin', ADMIN_PASSWORD);
  await server.get('/api/version', { as: basic('admin', `wrong-${SECRET}`) });
  // The failure of a material comes into health messages, events and the log.
  const [{ fingerprint }] = (await parts.materials.materials().then((all) => [...all.values()].filter(({ type }) => type === 'git'))) as [
    { fingerprint: string },
  ];
  await parts.materials.requestPoll(fingerprint);
  await until('the poll has failed', () => parts.configuration.health.all().length > 0);
  parts.log.error(
    { err: new Error(`git clone http://ann:${URL_PASSWORD}@127.0.0.1:9/x.git: password=${SECRET}`) },
    'words of another program',
  );
  secrets = {
    'a field of a resource': SECRET,
    'a variable that is not secure': PLAIN,
    'a password in an address': URL_PASSWORD,
    'an access token': token,
    'a cookie': browser.token,
    'the token of a session': browser.csrfToken,
    'the password of the administrator': ADMIN_PASSWORD,
    'its encoded form': basic('admin', ADMIN_PASSWORD).slice('Basic '.length),
    'the cipher key': readFileSync(join(server.dataDir, 'cipher.key'), 'utf8').trim(),
    'cipher texts': 'AES:',
  };
}

async function filesOf(bundle: Buffer): Promise<Files> {
  const files = new Map<string, string>();
  const limits = { maxEntries: 100, maxBytes: 50_000_000 };
  for await (const entry of readTar(Readable.from([gunzipSync(bundle)]), limits)) {
    assert.equal(entry.type, 'file');
    if (entry.type === 'file') files.set(entry.path.replace(/^slipway-support\//, ''), entry.bytes.toString());
  }
  return files;
}

async function download(): Promise<Files> {
  const response = await fetch(server.url + PATH, { headers: { Authorization: basic('admin', ADMIN_PASSWORD) } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/gzip');
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="slipway-support-\d{8}T\d{6}Z\.tar\.gz"$/);
  return filesOf(Buffer.from(await response.arrayBuffer()));
}

function assertNoSecret(files: Files): void {
  for (const [name, text] of files)
    for (const [what, secret] of Object.entries(secrets)) assert.ok(!text.includes(secret), `${name} holds ${what}`);
}

describe('a support bundle of a running server', () => {
  test('has versions, settings, health messages, metrics and counts', async () => {
    const files = await download();
    const json = (name: string) => JSON.parse(files.get(name)!);
    assert.equal(json('versions.json').node, process.versions.node);
    assert.equal(json('settings.json').database, isEmbedded ? 'embedded' : 'PostgreSQL');
    assert.ok(json('health.json').length > 0);
    assert.match(files.get('metrics.txt')!, /^slipway_config_revision \d+$/m);
    assert.ok(
      json('configuration.json').entities.some(({ kind, count }: { kind: string; count: number }) => kind === 'pipelines' && count >= 1),
    );
    const tables = json('database.json').tables as { table: string; rows: number; bytes: number | null }[];
    // PostgreSQL estimates rows only now and then, and knows bytes.
    assert.ok(tables.some(({ table, rows, bytes }) => table === 'entities' && (rows > 0 || (bytes ?? 0) > 0)));
    assert.ok(json('database.json').schema[0].version >= 25);
    assert.equal(json('replicas.json').length, 1);
    assert.match(files.get('log.jsonl')!, /words of another program/);
    assert.match(files.get('log.jsonl')!, /"requestId":"/);
    assert.match(files.get('README.txt')!, /no secrets/);
  });

  test('has no secret, whichever was planted', async () => {
    const planted = readFileSync(join(server.dataDir, 'cipher.key'), 'utf8').trim();
    assert.ok(planted.length >= 32 && Object.values(secrets).every((secret) => secret.length >= 4), 'something was planted');
    assertNoSecret(await download());
  });

  test('has no address of an agent or a client', async () => {
    for (const [name, text] of await download()) assert.doesNotMatch(text, /"(?:address|ip_address|hostname|url|host)"/, name);
  });

  test('is fetched by the command', async () => {
    const environment = { SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD };
    const { status, out, err } = await slipway(['support-bundle', 'there.tar.gz'], { environment, directory: folder });
    assert.deepEqual([status, out], [0, `${join(folder, 'there.tar.gz')}\n`], err);
    assert.equal(statSync(join(folder, 'there.tar.gz')).mode & 0o777, 0o600);
    const files = await filesOf(readFileSync(join(folder, 'there.tar.gz')));
    assert.ok(NOT_OF_STOPPED.every((name) => files.has(name)));
    assertNoSecret(files);
  });
});

test('a support bundle of a stopped server has the contents of the database, and no secret', async () => {
  const url = await databaseUrlOf(server.dataDir);
  const target = url === undefined ? ['--data-dir', server.dataDir] : ['--database-url', url];
  await server.restart(async () => {
    const { status, out, err } = await slipway(['support-bundle', ...target], { directory: folder });
    assert.equal(status, 0, err);
    assert.equal(statSync(out.trim()).mode & 0o777, 0o600);
    const files = await filesOf(readFileSync(out.trim()));
    assert.ok(NOT_OF_STOPPED.every((name) => !files.has(name)));
    assert.ok(
      ['versions.json', 'database.json', 'configuration.json', 'agents.json', 'work.json', 'failures.json'].every((name) =>
        files.has(name),
      ),
    );
    assertNoSecret(files);
  });
});

test('contradicting options, and a missing database, are refused', async () => {
  const both = await slipway(['support-bundle', '--url', 'http://x', '--data-dir', 'y'], { directory: folder });
  assert.deepEqual([both.status, both.err.split('\n')[0]], [2, 'Give one of --url and --data-dir, not both.']);
  const missing = await slipway(['support-bundle', '--data-dir', 'nowhere'], { directory: folder });
  assert.equal(missing.status, 1);
  assert.ok(missing.err.startsWith(`There is no database ${join(folder, 'nowhere', 'slipway.db')}. For a server that runs, give --url`));
  const also = await slipway(['support-bundle', '--context', 'home', '--data-dir', 'y'], { directory: folder });
  assert.deepEqual([also.status, also.err.split('\n')[0]], [2, 'Give one of --context and --data-dir, not both.']);
});

test('a server that is named by a context is asked, and not a data directory that is here', async () => {
  const environment = { XDG_CONFIG_HOME: join(folder, 'config'), SLIPWAY_PASSWORD: ADMIN_PASSWORD };
  assert.equal((await slipway(['login', server.url, '--user', 'admin', '--context', 'home'], { environment })).status, 0);
  for (const [file, flags, more] of [
    ['by-flag.tar.gz', ['--context', 'home'], {}],
    ['by-variable.tar.gz', [], { SLIPWAY_CONTEXT: 'home' }],
  ] as const) {
    const { status, err } = await slipway(['support-bundle', file, ...flags], {
      directory: folder,
      environment: { ...environment, ...more },
    });
    assert.equal(status, 0, err);
    assert.ok((await filesOf(readFileSync(join(folder, file)))).has('log.jsonl'));
  }
});
