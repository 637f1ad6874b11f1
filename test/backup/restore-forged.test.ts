// Restore of backups that no server made: refused in words, and nothing is changed nor left behind.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type BackupJson, makeBackup } from '../support/server/backup.ts';
import { TestServer } from '../support/server/server.ts';
import { manifestOf, withFiles, withManifest } from './forge.ts';
import { restore } from './restore-lab.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-forged-'));
const NAMES_ALIKE_ON_DISK = ['own/\ud800', 'own/\udbff'];
let server: TestServer;
let backup: BackupJson;
let directoryCount = 0;

before(async () => {
  server = await TestServer.start();
  backup = await makeBackup(server);
});
after(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('names that cannot be files, or not together, are refused by a plan already', async () => {
  const content = 'planted';
  const long = 'n'.repeat(300);
  const deep = Array(3000).fill('d').join('/');
  const cases: readonly (readonly [archive: string, names: readonly string[], problem: RegExp])[] = [
    ['config-dir.zip', ['x', 'x/y'], /config-dir\.zip: "x" is a file and a folder at once\./],
    ['config-dir.zip', ['x/y/z', 'x'], /config-dir\.zip: "x" is a file and a folder at once\./],
    ['config-repo.zip', ['config.git/refs/heads/a', 'config.git/refs/heads/a/b'], /"config\.git\/refs\/heads\/a" is a file and a folder/],
    ['config-dir.zip', [long], /config-dir\.zip: "n{20,99}…n+" is too long a name\./],
    ['config-dir.zip', [deep], /config-dir\.zip: "d[d/]{20,99}…[d/]+" is too long a name\./],
  ];
  for (const [archive, names, problem] of cases) {
    const files = Object.fromEntries(names.map((name) => [name, { content }]));
    await refusedBoth(await withFiles(backup.path, newDirectory(), archive, files), problem);
  }
  await refusedBoth(
    await withFiles(backup.path, newDirectory(), 'db.zip', {}, ['slipway.db', 'slipway.db-wal']),
    /db\.zip: "slipway\.db" is missing\./,
  );
});

test('a failure during unpacking or later changes nothing, and leaves no keys behind', async () => {
  const content = 'no database at all';
  const cases: readonly (readonly [folder: string, problem: RegExp])[] = [
    [
      await withFiles(backup.path, newDirectory(), 'db.zip', { 'slipway.db': { content } }, ['slipway.db-wal']),
      /\nThe slipway\.db of the backup cannot be used as a database of Slipway\. Nothing was changed\.\n {2}file is not a database\n$/,
    ],
    [
      await withFiles(
        backup.path,
        newDirectory(),
        'config-dir.zip',
        Object.fromEntries(NAMES_ALIKE_ON_DISK.map((name) => [name, { content }])),
      ),
      /\nThe backup cannot be read or unpacked\. Nothing was changed\.\n {2}EEXIST: /,
    ],
  ];
  for (const [folder, problem] of cases) {
    const restoredDir = newDirectory();
    const { status, stderr } = await restore(folder, restoredDir);
    assert.equal(status, 1);
    assert.match(stderr, problem);
    assert.ok(!existsSync(restoredDir));

    assert.equal((await restore(backup.path, restoredDir)).status, 0);
    writeFileSync(join(restoredDir, 'notes.txt'), 'own');
    const old = readdirSync(restoredDir, { recursive: true }).toSorted();
    assert.match((await restore(folder, restoredDir, '--replace')).stderr, problem);
    assert.deepEqual(readdirSync(restoredDir, { recursive: true }).toSorted(), old);
  }
});

test('terminal escapes are printed as visible escapes', async () => {
  const manifest = manifestOf(backup.path);
  const escapes = { version: '\u001b[2J1', backup: { ...manifest.backup, user: '\u001b]0;planted\u0007\u009b31mada' } };
  const named = await withFiles(backup.path, newDirectory(), 'config-dir.zip', { 'a\u202eb': { content: '', mode: 0o755 } });
  const folder = withManifest(named, newDirectory(), escapes);
  for (const flags of [['--plan'], []]) {
    const { status, stdout, stderr } = await restore(folder, newDirectory(), ...flags);
    assert.equal(status, 0, stderr);
    assert.ok(stdout.includes('by \\u{001b}]0;planted\\u{0007}\\u{009b}31mada: Slipway \\u{001b}[2J1, revision'), stdout);
    assert.ok(stdout.includes('chmod u+x): a\\u{202e}b\n'), stdout);
    assertPlain(stdout);
  }
  const { files } = manifest;
  for (const change of [{ files: { ...files, '\u001b[2J\u009bx': { bytes: 0, crc32: '0' } } }, { ...escapes, schema: 999 }]) {
    const { status, stderr } = await restore(withManifest(backup.path, newDirectory(), change), newDirectory());
    assert.equal(status, 1);
    assertPlain(stderr);
  }
  cpSync(named, join(directory, 'damaged'), { recursive: true });
  writeFileSync(join(directory, 'damaged', 'config-dir.zip'), '');
  const { stderr } = await restore(join(directory, 'damaged'), newDirectory());
  assert.match(stderr, /config-dir\.zip: cipher\.key ends after 0 of/);
  assertPlain(stderr);
});

async function refusedBoth(folder: string, problem: RegExp): Promise<void> {
  for (const flags of [['--plan'], []]) {
    const restoredDir = newDirectory();
    const { status, stderr } = await restore(folder, restoredDir, ...flags);
    assert.equal(status, 1, stderr);
    assert.match(stderr, problem);
    assert.ok(!existsSync(restoredDir));
  }
}

/** Nothing but line breaks is unseen. */
function assertPlain(text: string): void {
  assert.doesNotMatch(text, /(?!\n)[\p{C}]/u);
}

function newDirectory(): string {
  return join(directory, String(++directoryCount));
}
