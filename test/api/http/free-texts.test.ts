// Texts that people write in sentences: line breaks are taken, control characters that terminals obey and XML cannot hold are not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

const TOKENS = '/api/current_user/access_tokens';
const ACCOUNTS = '/api/admin/service_accounts';

let server: TestServer;
before(async () => {
  server = await startServer();
  accepted(await server.post('/api/admin/pipelines', { group: 'g', pipeline: smallPipeline('shop') }));
});
after(() => server.stop());

async function tokenPath(): Promise<string> {
  const { json } = accepted(await server.post(TOKENS, { description: 'to be revoked' }));
  return `${TOKENS}/${json.id}/revoke`;
}

for (const [what, named, send] of [
  ['the description of a token', "The field 'description'", async (text: string) => server.post(TOKENS, { description: text })],
  ['the cause of a revocation', "The field 'revoke_cause'", async (text: string) => server.post(await tokenPath(), { revoke_cause: text })],
  [
    'the description of a service account',
    "The field 'description'",
    async (text: string) => server.post(ACCOUNTS, { name: `bot-${text.length}`, description: text }),
  ],
  ['the cause of a pause', '`pause_cause`', async (text: string) => server.post('/api/pipelines/shop/pause', { pause_cause: text })],
  ['the reason of maintenance', '`reason`', async (text: string) => server.post('/api/admin/maintenance_mode/enable', { reason: text })],
] as const) {
  test(`control characters are refused in ${what}`, async () => {
    for (const text of ['one\u001b]0;two\u0007', 'one\0', 'one\u0085two', 'one\u007f']) {
      const reply = await send(text);
      assert.equal(reply.status, 422, reply.text);
      assert.ok(reply.json.message.includes(`${named} must not hold control characters other than line breaks and tabs.`), reply.text);
    }
    const reply = await send('one line\n\tand another\r\n');
    assert.ok(reply.status < 300, reply.text);
  });
}
