// Backups of a server under write load: no request is refused, every backup is verified, and one of them becomes a server again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isEmbedded } from '../support/database/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { accepted, startServer, tokenOf } from '../support/requests/callers.ts';
import { type BackupJson, makeBackup } from '../support/server/backup.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';

const WRITERS = 4;
const BACKUPS = Number(process.env.TEST_ROUNDS ?? 2);
const MIN_WRITES = 100;
/** A backup yields to all other work: without a pause, writers would keep it from ever ending. */
const BETWEEN_WRITES_MS = 25;
let server: TestServer;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

test('every backup is whole while others write, and the restored state is one moment of it', { timeout: PATIENCE_MS }, async () => {
  const as = await tokenOf(server, basic('admin', ADMIN_PASSWORD));
  let isOver = false;
  let writes = 0;
  const write = async (writer: number) => {
    const path = '/api/admin/environments';
    const body = (n: number) => ({ name: `w${writer}`, environment_variables: [{ name: 'N', value: String(n) }] });
    accepted(await server.post(path, body(0), { as }));
    for (let n = 1; !isOver; n++) {
      accepted(await server.put(`${path}/w${writer}`, body(n), '*', { as }));
      accepted(await server.get(`${path}/w${writer}`, { as }));
      writes++;
      await pause(BETWEEN_WRITES_MS);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  const backups: BackupJson[] = [];
  while (backups.length < BACKUPS || writes < MIN_WRITES) backups.push(await makeBackup(server));
  isOver = true;
  await Promise.all(writers);
  assert.ok(backups.every(({ verified }) => verified));

  if (!isEmbedded) return; // a restore makes a data directory with a file
  const other = await TestServer.start();
  try {
    await other.restart(() => {
      rmSync(other.dataDir, { recursive: true });
      const { status, stderr } = spawnSync(process.execPath, [COMMAND_LINE, 'restore', backups[0].path, '--data-dir', other.dataDir], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    });
    const { _embedded } = (await other.get('/api/admin/environments')).json;
    const xml = (await other.get('/api/admin/config.xml', { accept: null })).text;
    for (const { name, environment_variables: variables } of _embedded.environments) {
      assert.match(xml, new RegExp(`<environment name="${name}">[^]*?<value>${variables[0].value}</value>`), `${name} in the document`);
    }
    assert.doesNotMatch(other.log, /"level":50/, 'the history and the change log belong together');
  } finally {
    await other.stop();
  }
});
