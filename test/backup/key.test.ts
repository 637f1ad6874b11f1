// The key of the secrets in backups: wherever the server has it, a restored server starts with it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { etagOf } from '../../src/shape/json/etag.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { makeBackup } from '../support/server/backup.ts';
import { BackupsAlone } from '../support/server/backups-alone.ts';
import { TestServer } from '../support/server/server.ts';
import { restore } from './restore-lab.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-key-'));
const newKey = () => `${randomBytes(32).toString('hex')}\n`;
after(() => rmSync(folder, { recursive: true }));

describe('the key of the secrets', ABOUT_EMBEDDED, () => {
  const elsewhere = join(folder, 'mounted-key');
  for (const { where, options } of [
    { where: 'in the data directory', options: {} },
    { where: 'in a file of its own', options: { 'cipher-key-file': elsewhere } },
  ])
    test(`${where}: a restored server starts with it`, async () => {
      writeFileSync(elsewhere, newKey());
      const server = await TestServer.startEmbedded(options);
      const restored = await TestServer.startEmbedded();
      try {
        const own = join(server.dataDir, 'cipher.key');
        const key = readFileSync(where === 'in the data directory' ? own : elsewhere, 'utf8');
        assert.equal(existsSync(own), where === 'in the data directory');
        const backup = await makeBackup(server);
        assert.equal(backup.verified, true, backup.verification);
        await restored.restart(async () => {
          rmSync(restored.dataDir, { recursive: true });
          const { status, stderr } = await restore(backup.path, restored.dataDir);
          assert.equal(status, 0, stderr);
        });
        const path = join(restored.dataDir, 'cipher.key');
        assert.equal(readFileSync(path, 'utf8'), key);
        assert.equal(statSync(path).mode & 0o777, 0o600);
        assert.equal((await makeBackup(restored)).verified, true, 'and the restored server can be backed up');
      } finally {
        await restored.stop();
        await server.stop();
      }
    });
});

describe('a backup', () => {
  async function withBackups(work: (alone: BackupsAlone, again: () => Promise<void>) => Promise<void>): Promise<void> {
    const alone = await BackupsAlone.open();
    const again = async () => {
      await alone.halt();
      await alone.start();
    };
    await work(alone, again).finally(() => alone.close());
  }

  test('has the key that the server uses, not another one that lies in the data directory', () =>
    withBackups(async (alone, again) => {
      alone.cipherKeyFile = join(folder, 'used-key');
      writeFileSync(alone.cipherKeyFile, newKey());
      await again();
      const { path, verified } = await alone.make();
      assert.equal(verified, true);
      const restoredDir = join(folder, 'restored');
      assert.equal((await restore(path, restoredDir)).status, 0);
      assert.equal(readFileSync(join(restoredDir, 'cipher.key'), 'utf8'), readFileSync(alone.cipherKeyFile, 'utf8'));
    }));

  test('fails in words while the key file is missing, or is no key', () =>
    withBackups(async (alone, again) => {
      alone.cipherKeyFile = join(folder, 'gone-key');
      await again();
      assert.match((await alone.make()).message, /Reason: The key file \S+gone-key cannot be read, and a backup without .*: ENOENT/);
      for (const content of ['a key', newKey() + ' '.repeat(5000)]) {
        writeFileSync(alone.cipherKeyFile, content);
        assert.match((await alone.make()).message, /Reason: The key file \S+gone-key is not a key of 64 hexadecimal characters\./);
      }
      alone.cipherKeyFile = folder;
      await again();
      assert.match((await alone.make()).message, /Reason: The key file \S+ is not a key/);
      assert.deepEqual(readdirSync(alone.folder), []);
    }));

  test('a backup without the key, or with another one, is not verified', () =>
    withBackups(async (alone) => {
      const path = join(alone.dataDir, 'cipher.key');
      rmSync(path);
      assert.match((await alone.make()).message, /the key of the secrets \(cipher\.key\) is missing$/);
      writeFileSync(path, newKey());
      const identity = { serverId: 'id', tokenKey: { cipherText: 'v1:00000000:AAAA', digest: '' } };
      using database = new DatabaseSync(join(alone.dataDir, 'slipway.db'));
      database.prepare("insert into entities values ('serverIdentity', '', 1, 1, ?, ?)").run(etagOf(identity), JSON.stringify(identity));
      assert.match((await alone.make()).verification!, /cipher\.key is not the key with which the secrets were encrypted/);
    }));
});
