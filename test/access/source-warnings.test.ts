// Warnings for administrators about the sources of users.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { HealthMessage } from '../../src/health/messages.ts';
import { hashPassword } from '../../src/plugins/bundled/authorization/password-hash.ts';
import { accepted } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD, TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start({}, { hashPassword });
});
after(() => server.stop());

const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const SHA1 = '{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=';
const messages = async (): Promise<HealthMessage[]> => (await server.get('/api/server_health_messages')).json;
const silence = async () => (await messages()).length === 0;

test('weak hashes are reported with the users and a fix, until they are replaced', async () => {
  await until('silence: the first password is hashed well', silence);
  writeFileSync(join(server.dataDir, 'others'), `jez:${SHA1}\n`);
  const properties = [{ key: 'PasswordFilePath', value: 'others' }];
  accepted(await server.post(AUTH_CONFIGS, { id: 'others', plugin_id: 'cd.go.authentication.passwordfile', properties }));
  const [message] = await until('the message', async () => !(await silence()) && messages());
  assert.deepEqual([message?.level, message?.message], ['WARNING', 'Password file `others` has weak hashes']);
  assert.match(message?.detail ?? '', /: jez\. .*htpasswd -B -C 10 others LOGIN$/);
  writeFileSync(join(server.dataDir, 'others'), `jez:${await hashPassword(ADMIN_PASSWORD)}\n`);
  await until('silence', silence);
});

test('a file that cannot be read is reported, until the configuration is gone', async () => {
  rmSync(join(server.dataDir, 'others'));
  mkdirSync(join(server.dataDir, 'others'));
  const [message] = await until('the message', async () => !(await silence()) && messages());
  assert.equal(message?.message, "The users of authorization configuration 'others' cannot be read");
  assert.equal(message?.detail, 'Password file path `others` is not a normal file.');
  accepted(await server.delete(`${AUTH_CONFIGS}/others`));
  await until('silence', silence);
});
