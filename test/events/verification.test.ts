// The check of all events by the running server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

const PATH = '/api/admin/events/verification';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
  for (const name of ['staging', 'production']) accepted(await server.post('/api/admin/environments', { name }));
});
after(() => server.stop());

test('the check passes, and a concurrent request gets the same answer', async () => {
  const [one, other] = await Promise.all([server.get(PATH), server.get(PATH)]);
  const { is_whole, message, faults } = accepted(one).json;
  assert.deepEqual([is_whole, faults], [true, []]);
  assert.match(message, /^All \d+ events are as they were written, from \S+ to \S+\.\nThe last one is \d+:[0-9a-f]{64}$/);
  assert.equal(accepted(other).json.message, message);
});

test('an event that was changed in the database is named', ABOUT_EMBEDDED, async () => {
  const database = new DatabaseSync(join(server.dataDir, 'slipway.db'));
  database.exec("update events set body = replace(body, 'staging', 'elsewhere') where body like '%staging%'");
  database.close();
  const { is_whole, message, faults } = accepted(await server.get(PATH)).json;
  assert.deepEqual([is_whole, message], [false, null]);
  assert.match(faults[0], /^Event \d+ is not as it was written\. /);
});
