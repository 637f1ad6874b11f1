// The keys of the server and its document: read from it, never shown in it, and not lost by a save.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';

const DOCUMENT = '/api/admin/config.xml';
const MD5 = 'X-CRUISE-CONFIG-MD5';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const key = async (): Promise<string> => accepted(await server.get('/api/admin/agent_registration')).json.auto_register_key;
const fetched = async () => accepted(await server.get(DOCUMENT));
const save = (text: string, md5: string) => server.ask('POST', DOCUMENT, { text, headers: { 'Content-Type': 'text/xml', [MD5]: md5 } });

test('a document is saved as it was served, and the auto-register key stays', async () => {
  const before = await key();
  const { text, headers } = await fetched();
  assert.ok(!text.includes(before));
  assert.doesNotMatch(text, /agentAutoRegisterKey/);
  accepted(await save(text, headers.get(MD5)!));
  assert.equal(await key(), before);
  assert.equal((await fetched()).headers.get(MD5), headers.get(MD5));
});

test('a document that has a key sets it, and does not show it afterwards', async () => {
  const { text, headers } = await fetched();
  accepted(await save(text.replace('<server ', '<server agentAutoRegisterKey="of-another-server" '), headers.get(MD5)!));
  assert.equal(await key(), 'of-another-server');
  assert.equal((await fetched()).text, text);
});
