// Drafts of large texts, sealed by the server and kept by browsers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted, addUser, startServer, tokenOf } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

const PATH = '/api/current_user/sealed_drafts';

let server: TestServer;
let jez: string;
before(async () => {
  server = await startServer();
  jez = await addUser(server, 'jez');
});
after(() => server.stop());

const seal = (text: unknown, options = {}) => server.post(PATH, { form: 'config_xml', text }, options);
const open = (sealed: unknown, options = {}, form = 'config_xml') => server.post(`${PATH}/open`, { form, sealed }, options);

test('a draft is sealed, and opens for the same user and the same form', async () => {
  const { json, text } = accepted(await seal('password="hush"'));
  assert.doesNotMatch(text, /hush/);
  assert.deepEqual(accepted(await open(json.sealed)).json, { text: 'password="hush"' });
  const long = 'ö'.repeat(250_000);
  assert.equal(accepted(await open(accepted(await seal(long)).json.sealed)).json.text, long);
  const others = [await open(json.sealed, { as: jez }), await open(json.sealed, {}, 'plan'), await open(`x${json.sealed}`)];
  for (const reply of others) assert.deepEqual([reply.status, reply.json.message.startsWith('The draft cannot be decrypted')], [422, true]);
});

test('a user who gets the name of a deleted one opens none of their drafts', async () => {
  const first = await addUser(server, 'kim');
  const { sealed } = accepted(await seal('hush', { as: first })).json;
  assert.equal(accepted(await open(sealed, { as: first })).json.text, 'hush');
  accepted(await server.patch('/api/users/kim', { email: 'kim@example.org' }));
  assert.equal(accepted(await open(sealed, { as: first })).json.text, 'hush', 'the same user, changed');
  accepted(await server.patch('/api/users/kim', { enabled: false }));
  accepted(await server.delete('/api/users/kim'));
  const second = await addUser(server, 'kim');
  assert.equal((await open(sealed, { as: second })).status, 422);
});

test('an access token neither seals nor opens drafts', async () => {
  const as = await tokenOf(server, jez);
  assert.deepEqual([(await seal('x', { as })).status, (await open('x', { as })).status], [403, 403]);
});

test('a missing, wrong or long text is refused, and not quoted', async () => {
  const replies = [await seal(undefined), await seal({ hush: 1 }), await seal(`hush${'ö'.repeat(250_000)}`), await open(null)];
  assert.deepEqual(
    replies.map(({ status }) => status),
    [422, 422, 422, 422],
  );
  for (const { text } of replies) assert.doesNotMatch(text, /hush/);
});
