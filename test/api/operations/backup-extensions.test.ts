// Extensions of the backup config: the plain API neither shows nor changes them, and a schedule through it works at once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../../support/patience.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';

const CONFIG = '/api/config/backup';
const EXTENSIONS = '/api/config/backup/extensions';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

test('before anything is set, everything stays and nothing is copied', async () => {
  const { json } = accepted(await server.get(EXTENSIONS));
  assert.deepEqual(json.retention, { keep_last: null, keep_days: null });
  assert.equal(json.copy.bucket, null);
  assert.equal(json.script_timeout, 60);
});

test('writes and deletions of the plain backup config leave the extensions as they are', async () => {
  const copy = { endpoint: 'https://s3.example.org', bucket: 'backups', access_key_id: 'me', secret_access_key: 'not-to-be-seen' };
  const put = accepted(await server.put(EXTENSIONS, { retention: { keep_last: 7 }, copy }));
  assert.ok(!put.text.includes('not-to-be-seen'));
  const before = await server.get(EXTENSIONS);
  assert.match(before.json.copy.encrypted_secret_access_key, /^v2:/);
  const plain = accepted(await server.put(CONFIG, { schedule: '0 0 3 * * ?' }));
  assert.deepEqual(Object.keys(plain.json), ['_links', 'email_on_failure', 'email_on_success', 'post_backup_script', 'schedule']);
  accepted(await server.delete(CONFIG));
  const after = await server.get(EXTENSIONS);
  assert.deepEqual([after.text, after.etag], [before.text, before.etag]);
});

test('an invalid value is refused beside its field', async () => {
  const wrong = await server.put(EXTENSIONS, {
    retention: { keep_last: 0, keep_days: -1 },
    copy: { endpoint: 'ftp://x', bucket: 'No Bucket' },
    script_timeout: 0,
  });
  assert.equal(wrong.status, 422);
  const { retention, copy, errors } = wrong.json.data;
  assert.deepEqual(Object.keys(retention.errors), ['keep_last', 'keep_days']);
  assert.deepEqual(Object.keys(copy.errors), ['endpoint', 'bucket', 'access_key_id', 'secret_access_key']);
  const withPassword = await server.put(EXTENSIONS, { copy: { endpoint: 'https://me:not-to-be-seen@s3.example.org' } });
  assert.equal(withPassword.status, 422);
  assert.ok(!withPassword.text.includes('not-to-be-seen'), withPassword.text);
  assert.deepEqual(Object.keys(errors), ['script_timeout']);
});

test('a schedule takes effect at once', async () => {
  accepted(await server.delete(EXTENSIONS));
  accepted(await server.put(CONFIG, { schedule: '* * * * * ?' }));
  for (const end = Date.now() + PATIENCE_MS; ; await delay(100)) {
    const { json } = await server.get('/api/backups');
    const [backup] = json._embedded.backups.filter(({ status }: { status: string }) => status === 'COMPLETED');
    if (backup) {
      assert.deepEqual([backup.user.login_name, backup.initiated_via], ['timer', 'TIMER']);
      break;
    }
    assert.ok(Date.now() < end, 'no backup was made');
  }
  accepted(await server.put(CONFIG, { schedule: '' }));
});
