// Artifacts are neither in a backup nor touched by a restore, wherever in the data directory they are.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeBackup } from '../../src/backup/write/write-backup.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';
import { manifestOf, withFiles } from './forge.ts';
import { restore } from './restore-lab.ts';

const ARTIFACT_CONFIG = '/api/admin/config/server/artifact_config';
const directory = mkdtempSync(join(tmpdir(), 'slipway-artifacts-'));
let server: TestServer;
let folder: string;
let directoryCount = 0;

describe('artifacts and backups', ABOUT_EMBEDDED, () => {
  before(async () => {
    server = await TestServer.start();
    accepted(await server.put(ARTIFACT_CONFIG, { artifacts_dir: 'store/art' }, '*'));
    write(server.dataDir, 'artifacts/old', 'of the time before');
    write(server.dataDir, 'store/art/new', 'of the time since');
    write(server.dataDir, 'store/notes.txt', 'own');
    folder = newDirectory();
    mkdirSync(folder);
    const artifactsDir = join(server.dataDir, 'store/art');
    const order = { folder, dataDir: server.dataDir, artifactsDir, version: 'test', backup: { id: 1, time: '', user: 'ada' } };
    await writeBackup(order, () => {});
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('a backup holds neither the artifacts of today nor those of the folder that was theirs before', () => {
    const config = manifestOf(folder).files['config-dir.zip']!;
    const names = 'entries' in config ? Object.keys(config.entries) : [];
    assert.deepEqual(
      names.filter((name) => /^(?:artifacts|store)\b/.test(name)),
      ['store/notes.txt'],
    );
  });

  test('both artifacts and backups stay when all other files are replaced, also those beside them', async () => {
    const restoredDir = usedDataDir();
    const { status, stdout, stderr } = await restore(folder, restoredDir, '--replace');
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stdout, /Left out/);
    assert.equal(read(restoredDir, 'artifacts/old'), 'stays');
    assert.equal(read(restoredDir, 'store/art/new'), 'stays');
    assert.equal(read(restoredDir, 'store/notes.txt'), 'own');
    assert.ok(!existsSync(join(restoredDir, 'store/later.txt')));
    const [aside] = readdirSync(restoredDir).filter((name) => name.startsWith('replaced-'));
    assert.deepEqual(readdirSync(join(restoredDir, aside!, 'store')).toSorted(), ['later.txt', 'notes.txt']);
    assert.equal(read(restoredDir, `${aside}/store/notes.txt`), 'changed');
    assert.ok(!existsSync(join(restoredDir, aside!, 'artifacts')) && !existsSync(join(restoredDir, '.restoring')));
  });

  test('a backup of an earlier version, which holds artifacts, is restored without them and says so', async () => {
    const names = ['artifacts/old', 'artifacts/serverBackups/backup_20200101-000000/manifest.json', 'artifacts/12:30\\x', 'store/art/new'];
    const planted = Object.fromEntries(names.map((name) => [name, { content: 'planted', mode: 0o755 }]));
    const earlier = await withFiles(folder, newDirectory(), 'config-dir.zip', planted);
    const plan = await restore(earlier, newDirectory(), '--plan');
    assert.match(plan.stdout, /\nLeft out, because artifacts are not restored: 3 files of the backup \(artifacts\/old, /, plan.stderr);
    for (const restoredDir of [usedDataDir(), newDirectory()]) {
      const isUsed = existsSync(restoredDir);
      const { status, stdout, stderr } = await restore(earlier, restoredDir, '--replace');
      assert.equal(status, 0, stderr);
      assert.match(stdout, /\nLeft out, because artifacts are not restored: 4 files of the backup \(.*, store\/art\/new\)\n/);
      assert.doesNotMatch(stdout, /chmod/);
      assert.equal(existsSync(join(restoredDir, 'artifacts')), isUsed);
      assert.equal(existsSync(join(restoredDir, 'store/art')), isUsed);
      if (isUsed) assert.deepEqual([read(restoredDir, 'artifacts/old'), read(restoredDir, 'store/art/new')], ['stays', 'stays']);
      assert.ok(!existsSync(join(restoredDir, 'artifacts/serverBackups')));
      assert.equal(read(restoredDir, 'store/notes.txt'), 'own');
    }
  });

  test('a file that cannot be moved to its place leaves everything where it was', async () => {
    const inTheWay = await withFiles(folder, newDirectory(), 'config-dir.zip', { store: { content: 'a file' } }, ['store/notes.txt']);
    const restoredDir = usedDataDir();
    const old = contentsOf(restoredDir);
    const { status, stderr } = await restore(inTheWay, restoredDir, '--replace');
    assert.equal(status, 1);
    assert.match(stderr, /\nNot all files could be moved to their places\. Nothing was changed\.\n {2}.*store is there already\.\n$/);
    assert.deepEqual(contentsOf(restoredDir), old);
    assert.equal((await restore(folder, restoredDir, '--replace')).status, 0, 'another one can be restored');
  });

  test('a configuration cannot say that files of the server are artifacts', async () => {
    for (const artifactsDir of ['slipway.db', 'history', 'cipher.key', server.dataDir]) {
      accepted(await server.put(ARTIFACT_CONFIG, { artifacts_dir: artifactsDir }, '*'));
      const other = newDirectory();
      mkdirSync(other);
      const order = {
        folder: other,
        dataDir: server.dataDir,
        artifactsDir: '/nowhere',
        version: 'test',
        backup: { id: 1, time: '', user: '' },
      };
      await writeBackup(order, () => {});
      const restoredDir = usedDataDir();
      const key = readFileSync(join(restoredDir, 'cipher.key'));
      const { status, stderr } = await restore(other, restoredDir, '--replace');
      assert.equal(status, 0, stderr);
      const [aside] = readdirSync(restoredDir).filter((name) => name.startsWith('replaced-'));
      for (const name of ['slipway.db', 'history', 'cipher.key']) {
        assert.ok(existsSync(join(restoredDir, name)) && existsSync(join(restoredDir, aside!, name)), `${artifactsDir}: ${name}`);
      }
      assert.deepEqual(readFileSync(join(restoredDir, aside!, 'cipher.key')), key);
    }
  });
});

/** A data directory with artifacts in both places, and files of its own that are not those of the backup. */
function usedDataDir(): string {
  const restoredDir = newDirectory();
  cpSync(server.dataDir, restoredDir, { recursive: true, filter: (path) => !path.includes('server.') });
  write(restoredDir, 'artifacts/old', 'stays');
  write(restoredDir, 'store/art/new', 'stays');
  write(restoredDir, 'store/notes.txt', 'changed');
  write(restoredDir, 'store/later.txt', 'changed');
  return restoredDir;
}

function contentsOf(restoredDir: string): Readonly<Record<string, string>> {
  const files = readdirSync(restoredDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/^server\./.test(entry.name),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'base64')]));
}

function write(dataDir: string, name: string, content: string): void {
  mkdirSync(dirname(join(dataDir, name)), { recursive: true });
  writeFileSync(join(dataDir, name), content);
}

function read(dataDir: string, name: string): string {
  return readFileSync(join(dataDir, name), 'utf8');
}

function newDirectory(): string {
  return join(directory, String(++directoryCount));
}
