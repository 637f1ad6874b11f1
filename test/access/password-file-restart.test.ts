// Changes of the password file while the server does not run apply when it starts again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openCipher } from '../../src/kit/bytes/cipher.ts';
import { isEmbedded } from '../support/database/database.ts';
import { changeRows } from '../support/database/sql.ts';
import { givePassword } from '../support/requests/callers.ts';
import { quickHash } from '../support/server/quick-login.ts';
import { basic, TestServer } from '../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const canLogIn = async (login: string, password: string) =>
  (await server.get('/api/current_user', { as: basic(login, password) })).status === 200;

test('users who were added just before a stop, or while stopped, can log in', async () => {
  givePassword(server, 'before', { password: 'one' });
  await server.restart(() => void givePassword(server, 'meanwhile', { password: 'two' }));
  assert.deepEqual([await canLogIn('before', 'one'), await canLogIn('meanwhile', 'two')], [true, true]);
  await server.restart();
  assert.ok(await canLogIn('meanwhile', 'two'));
});

test('changes that other servers have made meanwhile win', { skip: isEmbedded && 'about servers that share a database' }, async () => {
  await server.restart(async () => {
    const shared = `${readFileSync(join(server.dataDir, 'password.properties'), 'utf8')}elsewhere:${quickHash('three')}\n`;
    givePassword(server, 'here', { password: 'four' });
    const sealed = openCipher(join(server.dataDir, 'cipher.key')).encrypt(shared);
    await changeRows(server.dataDir, "update shared_files set content = ? where name = 'password.properties'", sealed);
  });
  assert.deepEqual([await canLogIn('elsewhere', 'three'), await canLogIn('here', 'four')], [true, false]);
});
