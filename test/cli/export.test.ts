// The command `export`, against a server that runs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeEntity } from '../../src/shape/json/entity-json.ts';
import { MERGE_PATCH } from '../../src/shape/json/merge-patch.ts';
import { hideSecrets } from '../../src/shape/secrets/secret-writer.ts';
import { kinds } from '../support/configuration/samples.ts';
import { smallPipeline } from '../support/requests/bodies.ts';
import { accepted, tokenOf } from '../support/requests/callers.ts';
import { slipway } from '../support/server/command-line.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';

let server: TestServer;
let folder: string;
before(async () => {
  server = await TestServer.start();
  folder = mkdtempSync(join(tmpdir(), 'slipway-export-test-'));
  accepted(await server.post('/api/admin/pipelines', { group: 'first', pipeline: smallPipeline('web') }));
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const run = (args: readonly string[], environment: Record<string, string> = login(), isTTY = false) =>
  slipway(['export', ...args], { environment, isTTY });

const login = () => ({ SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD });
const ZIP_START = Buffer.from('PK');

test('export writes the whole configuration to standard output or a file, with each way to log in', async () => {
  const { text } = accepted(await server.get('/api/admin/config.xml'));
  const token = (await tokenOf(server, basic('admin', ADMIN_PASSWORD))).replace(/^bearer /i, '');
  const file = join(folder, 'config.xml');
  writeFileSync(file, 'older');
  for (const [args, environment] of [
    [[], login()],
    [['-'], login()],
    [[], { SLIPWAY_URL: server.url, SLIPWAY_TOKEN: token }],
    [['--url', server.url, '--user', 'admin', '--password', ADMIN_PASSWORD], {}],
    [['--url', server.url, '--token', token], {}],
  ] as const) {
    const { status, bytes, err } = await run(args, environment);
    assert.deepEqual([status, bytes.toString(), err], [0, text, '']);
  }
  assert.equal((await run([file])).status, 0);
  assert.equal(readFileSync(file, 'utf8'), text);
});

describe('a plan of the export with prune on the same server has no changes', () => {
  const withUnset = kinds.flatMap((kind) => (kind.shape === 'singleton' && kind.unset ? { ...kind, unset: kind.unset } : []));
  const revision = async () => (await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0].revision;

  async function mustBeNothing() {
    const file = join(folder, 'again.xml');
    assert.equal((await run([file])).status, 0);
    const { status, out, err } = await slipway(['plan', file, '--prune'], { environment: login() });
    assert.equal(status, 0, err);
    assert.match(out, /^Nothing to do/);
  }

  test('a plan of the export has no changes while settings are not set, and patches nothing into them', async () => {
    assert.ok(withUnset.length > 3);
    const before = await revision();
    for (const { path } of withUnset) {
      const { etag, text } = await server.get(path);
      const headers = { 'Content-Type': MERGE_PATCH, ...(etag !== undefined && { 'If-Match': etag }) };
      const patched = accepted(await server.patch(path, {}, { headers }));
      assert.deepEqual([patched.text, patched.etag, patched.headers.get('x-svc-revision')], [text, etag, null]);
    }
    const operations = withUnset.map(({ path }) => ({ method: 'PATCH', path, body: {}, if_match: '*' }));
    assert.equal(accepted(await server.post('/api/admin/config/batch', { operations })).json.revision, null);
    assert.equal(await revision(), before);
    const shown = await Promise.all(withUnset.map(async ({ path }) => [path.split('/').at(-1), (await server.get(path)).json] as const));
    assert.deepEqual(accepted(await server.post('/api/admin/config/plan', Object.fromEntries(shown))).json.changes, []);
    await mustBeNothing();
  });

  test('a plan of the export has no changes when everything is set', async () => {
    for (const { path, shape, sample } of kinds) {
      for (const [needed, body] of Object.entries(sample.needs ?? {})) await server.post(needed, body);
      const body = sample.body(1);
      accepted(shape === 'collection' ? await server.post(path, sample.wrap?.(body) ?? body) : await server.put(path, body, '*'));
    }
    await mustBeNothing();
  });

  test('a plan of the export has no changes when settings are set to their defaults', async () => {
    for (const kind of withUnset) {
      accepted(await server.put(kind.path, writeEntity(kind, kind.unset, hideSecrets), '*'));
    }
    await mustBeNothing();
  });
});

test('export writes pipelines as code: one, those of a group, or all', async () => {
  const one = await run(['--pipeline', 'web']);
  assert.equal(one.status, 0, one.err);
  assert.match(one.bytes.toString(), /^ {2}web:$/m);
  const json = await run(['--pipeline', 'web', '--plugin', 'json.config.plugin']);
  assert.equal(JSON.parse(json.bytes.toString()).name, 'web');
  const named = join(folder, 'web.gopipeline.json');
  assert.equal((await run([named, '--pipeline', 'web'])).status, 0);
  assert.equal(readFileSync(named, 'utf8'), json.bytes.toString());
  for (const args of [['--group', 'first'], ['--pipelines']]) {
    const { status, bytes, err } = await run(args);
    assert.equal(status, 0, err);
    assert.deepEqual(bytes.subarray(0, 2), ZIP_START);
    assert.ok(bytes.includes('web'));
  }
});

test('a refused export ends with 1, and leaves the old file', async () => {
  const file = join(folder, 'kept.yaml');
  writeFileSync(file, 'older');
  for (const [args, message] of [
    [[file, '--pipeline', 'none'], /none.*\(404\)/],
    [[file, '--pipeline', 'web', '--plugin', 'none'], /`none` is not a config-repo plugin\. \(422\)/],
    [[file, '--password', 'wrong', '--user', 'admin'], /^Login to \S+ failed: the user name or the password is wrong\.\n$/],
    [[file, '--token', 'wrong'], /^Login to \S+ failed: the access token is wrong\.\n$/],
    [[file, '--url', 'http://127.0.0.1:1'], /cannot be reached/],
    [[join(folder, 'no', 'folder.xml')], /could not be written/],
  ] as const) {
    const { status, err, bytes } = await run(args);
    assert.equal(status, 1, err);
    assert.match(err, message);
    assert.equal(bytes.length, 0);
  }
  assert.equal(readFileSync(file, 'utf8'), 'older');
  assert.ok(!readdirSync(folder).some((name) => name.endsWith('.partial')));
});

test('wrong arguments end with 2', async () => {
  for (const [args, message, environment, isTTY] of [
    [['a', 'b'], /^Unexpected: b\.\nSee: npm run slipway -- export --help\n$/],
    [['--pipeline', 'web', '--group', 'first'], /only one of --pipeline, --group/],
    [['--plugin', 'json.config.plugin'], /--plugin is about pipelines/],
    [['--colour'], /--colour/],
    [['--data-dir', '.'], /Unknown option --data-dir/],
    [[], /one that runs/, {}],
    [[], /SLIPWAY_TOKEN/, { SLIPWAY_URL: 'http://127.0.0.1:1' }],
    [['--pipelines'], /cannot be shown on a terminal/, undefined, true],
  ] as const) {
    const { status, err } = await run(args, environment ?? login(), isTTY);
    assert.equal(status, 2, err);
    assert.match(err, message);
  }
  const help = await run(['--help']);
  assert.equal(help.status, 0);
  assert.match(help.out, /^Usage: npm run slipway -- export/);
  assert.ok(!existsSync('a'));
});

test('the program has the command export', async () => {
  const file = join(folder, 'by-command.xml');
  const env = { PATH: process.env.PATH, ...login() };
  const code = await new Promise((resolve) => {
    execFile(process.execPath, [COMMAND_LINE, 'export', file], { env }, (failure) => resolve(failure?.code ?? 0));
  });
  assert.equal(code, 0);
  assert.match(readFileSync(file, 'utf8'), /<cruise /);
});
