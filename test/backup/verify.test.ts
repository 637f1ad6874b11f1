// Verification: a backup whose bytes are right is still compared with the data of the server.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { diskSpaceProblem } from '../../src/backup/disk-space.ts';
import { type Manifest, writeManifest } from '../../src/backup/manifest.ts';
import { readManifest } from '../../src/backup/read-manifest.ts';
import { verifyBackup } from '../../src/backup/verify/verify-backup.ts';
import { writeBackup } from '../../src/backup/write/write-backup.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { TestServer } from '../support/server/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-verify-'));
const dataDir = join(directory, 'data');
const folder = join(directory, 'backup');
let server: TestServer;

describe('verifying a backup', ABOUT_EMBEDDED, () => {
  before(async () => {
    server = await TestServer.start();
    await server.post('/api/admin/environments', { name: 'prod' });
    await server.get(`/api/admin/config/${'0'.repeat(32)}.xml`, { accept: null }); // waits for the history
    await write(server.dataDir);
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function write(from: string): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const artifactsDir = join(from, 'artifacts');
    await writeBackup({ folder, dataDir: from, artifactsDir, version: 'test', backup: { id: 1, time: '', user: 'ada' } }, () => {});
  }

  const manifest = () => readManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const verify = async () => (await verifyBackup({ folder, scratch: join(directory, 'scratch') }, () => {})).problems;

  async function problemsWith(change: (manifest: Manifest) => Partial<Manifest>): Promise<readonly string[]> {
    const right = manifest();
    writeFileSync(join(folder, 'manifest.json'), writeManifest({ ...right, ...change(right) }));
    const problems = await verify();
    writeFileSync(join(folder, 'manifest.json'), writeManifest(right));
    return problems;
  }

  test('the manifest of a verified backup says so, with the digests of its files', async () => {
    assert.equal(manifest().verified, null);
    assert.deepEqual(await verify(), []);
    const { sha256 } = manifest().verified!;
    assert.deepEqual(Object.keys(sha256), ['version.txt', 'config-dir.zip', 'config-repo.zip', 'db.zip']);
    assert.ok(!existsSync(join(directory, 'scratch')));
  });

  test('a table with a wrong number of rows is named', async () => {
    const problems = await problemsWith(({ tables }) => ({ tables: { ...tables, entities: tables.entities! + 1, gone: 5 } }));
    assert.deepEqual(problems, [
      `the table entities has ${manifest().tables.entities} rows instead of ${manifest().tables.entities! + 1}`,
      'the table gone has no rows instead of 5',
    ]);
  });

  test('another revision, another schema and other ETags are named', async () => {
    assert.match((await problemsWith(() => ({ revision: 4711 }))).join(), /^the last revision is \d+ instead of 4711$/);
    assert.match((await problemsWith(() => ({ schema: 1 }))).join(), /^the schema is \d+ instead of 1$/);
    assert.deepEqual(await problemsWith(() => ({ etags: 'other' })), ['the ETags of the entities are not those of the server']);
  });

  test('a history that does not belong to it is found', async () => {
    const problems = await problemsWith(() => ({ commit: 'f'.repeat(40) }));
    assert.match(problems.join(), /^the history ends with [0-9a-f]{40} instead of f{40}$/);
  });

  test('an entity whose content is not that of its ETag is named', async () => {
    mkdirSync(dataDir);
    const path = join(dataDir, 'slipway.db');
    const source = new DatabaseSync(join(server.dataDir, 'slipway.db'), { readOnly: true });
    source.exec(`vacuum into '${path}'`);
    source.close();
    const copy = new DatabaseSync(path);
    copy.exec("update entities set value = replace(value, 'prod', 'drop') where kind = 'environments'");
    copy.close();
    await write(dataDir);
    assert.deepEqual(await verify(), ["the ETag of environments 'prod' is not that of its content"]);
  });

  test('too little room is reported before anything is written', async () => {
    assert.equal(await diskSpaceProblem(directory, 1), undefined);
    assert.match(
      (await diskSpaceProblem(directory, 2 ** 60))!,
      /^There is not enough space at .*: about \d+ MB are needed, and \d+ MB are free\.$/,
    );
  });
});
