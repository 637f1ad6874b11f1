// The files of the data directory are the server's alone, even if others could read them before.
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { MARK, makeAllPrivate, makePrivate } from '../../src/store/files/private-files.ts';
import { isEmbedded } from '../support/database/database.ts';
import { startProcess } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';

const directories: string[] = [];
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-private-'));
  directories.push(directory);
  return directory;
}

/** Open to all users; names that end with a slash are folders. */
function treeOf(...names: readonly string[]): string {
  const directory = newDirectory();
  for (const name of names) {
    if (name.endsWith('/')) mkdirSync(join(directory, name), { recursive: true });
    else writeFileSync(join(directory, name), '');
  }
  openAll(directory);
  return directory;
}

function openAll(directory: string): void {
  chmodSync(directory, 0o755);
  for (const path of below(directory)) chmodSync(path, lstatSync(path).isDirectory() ? 0o2775 : 0o664);
}

const below = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name));
const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const openIn = (directory: string): string[] =>
  [directory, ...below(directory)].filter((path) => (modeOf(path) & 0o7077) !== 0).map((path) => path.slice(directory.length + 1));

describe('closing files at the start', () => {
  test('the directory and everything below it is closed, except folders that can be large', () => {
    const directory = treeOf(
      'cipher.key',
      'history/config.git/',
      'history/config.git/HEAD',
      'pipelines/flyweight/',
      'compile-cache/',
      'compile-cache/a',
    );
    assert.deepEqual(makePrivate(directory), []);
    assert.deepEqual(openIn(directory).toSorted(), ['compile-cache/a', 'pipelines/flyweight']);
    assert.deepEqual([modeOf(directory), modeOf(join(directory, 'cipher.key')), modeOf(join(directory, 'history'))], [0o700, 0o600, 0o700]);
  });

  test('a limited number of files is looked at, the upper ones first', () => {
    const directory = treeOf('a/', 'a/b/', 'a/b/c/', 'a/b/c/d', 'z');
    makePrivate(directory, 3);
    assert.deepEqual(openIn(directory).toSorted(), ['a/b/c', 'a/b/c/d']);
  });

  test('another user who passes to the folders of agents still passes, and those folders stay as they are', () => {
    const directory = treeOf('cipher.key', 'agents/local-1/', 'agents/local-1/agent.json', 'history/agents/');
    chmodSync(directory, 0o711);
    assert.deepEqual(makePrivate(directory), []);
    assert.deepEqual(openIn(directory).toSorted(), ['', 'agents', 'agents/local-1', 'agents/local-1/agent.json']);
    assert.deepEqual([modeOf(directory), modeOf(join(directory, 'agents'))], [0o711, 0o2775]);
  });

  test('programs stay programs, for their owner', () => {
    const directory = treeOf('plugins/', 'plugins/run');
    chmodSync(join(directory, 'plugins/run'), 0o4755);
    makePrivate(directory);
    assert.equal(modeOf(join(directory, 'plugins/run')), 0o700);
  });

  test('links are left alone, and so are their targets', () => {
    const [elsewhere, directory] = [treeOf('secret'), newDirectory()];
    symlinkSync(join(elsewhere, 'secret'), join(directory, 'password.properties'));
    symlinkSync(elsewhere, join(directory, 'folder'));
    assert.deepEqual(makePrivate(directory), []);
    assert.equal(modeOf(join(elsewhere, 'secret')), 0o664);
  });

  test('files that the server may not change are named', () => {
    // Not even root may change modes in there.
    const [open] = makePrivate('/proc/self/attr');
    assert.match(open ?? '', /^\/proc\/self\/attr\/\w+$/);
  });
});

test('all files are closed once, also in large folders', async () => {
  const directory = treeOf(
    'pipelines/flyweight/a/',
    'pipelines/flyweight/a/config',
    'compile-cache/',
    'compile-cache/a',
    'artifacts/p/1/',
    'artifacts/p/1/log',
    'agents/local-1/',
  );
  makePrivate(directory);
  const stopped = new AbortController();
  stopped.abort();
  await makeAllPrivate(directory, stopped.signal);
  assert.ok(!existsSync(join(directory, MARK)), 'what was cut off begins anew');
  await makeAllPrivate(directory, new AbortController().signal);
  assert.deepEqual(openIn(directory), ['agents', 'agents/local-1'], 'agents have modes of their own');
  openAll(join(directory, 'artifacts'));
  await makeAllPrivate(directory, new AbortController().signal);
  assert.ok(openIn(directory).includes('artifacts/p'), 'it is not done twice');
});

test('a server closes files that were open to others, and writes none that others can read, backups and history included', async () => {
  const dataDir = join(newDirectory(), 'data');
  await (await startProcess(dataDir)).end('SIGTERM');
  assert.deepEqual(openIn(dataDir), [], 'a new one');
  openAll(dataDir);
  const server = await startProcess(dataDir);
  const headers = { Authorization: `Basic ${btoa('admin:secret')}`, Accept: 'application/vnd.svc+json', 'X-Svc-Confirm': 'true' };
  const ask = async (method: string, path: string) => fetch(server.url + path, { method, headers });
  const { headers: answered } = await ask('POST', '/api/backups');
  await until(
    'the backup',
    async () => ((await (await ask('GET', answered.get('location')!)).json()) as { status: string }).status === 'COMPLETED',
  );
  const inside = openIn(dataDir).filter((path) => !path.startsWith('compile-cache/'));
  for (const name of ['db.zip', ...(isEmbedded ? ['slipway.db-wal'] : [])])
    assert.ok(
      below(dataDir).some((path) => path.endsWith(name)),
      name,
    );
  await server.end('SIGTERM');
  assert.deepEqual(inside, []);
});
