// System administrators: replaced and patched, but the last one always stays.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import { invalid, stale } from '../../support/requests/replies.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/security/system_admins';
const LAST_ADMIN = 'There must be at least one admin user enabled!';

let server: TestServer;
let ann: string;
before(async () => {
  server = await startServer();
  ann = await addUser(server, 'ann');
  await addRole(server, 'Ops', ['ann']);
  await addRole(server, 'nobody-yet', []);
});
after(() => server.stop());
beforeEach(async () => {
  accepted(await put({ users: ['admin'], roles: [] }));
});

const put = (body: object, as?: string) => server.put(PATH, body, '*', as === undefined ? {} : { as });
const patch = (operations: object, as?: string) => server.patch(PATH, { operations }, as === undefined ? {} : { as });
const membersIn = ({ json }: Reply) => ({ users: json.users, roles: json.roles });

test('users and roles are shown with links and an ETag', async () => {
  const { json, etag } = accepted(await server.get(PATH));
  assert.deepEqual(json, {
    _links: { doc: { href: `${server.url}/api/docs#system-admins` }, self: { href: `${server.url}${PATH}` } },
    roles: [],
    users: ['admin'],
  });
  assert.match(etag!, /^"[0-9a-f]{64}"$/);
});

const STALE = 'Someone has modified the entity. Please update your copy with the changes and try again.';

test('a PUT replaces both lists, and only the version it knows', async () => {
  const { etag } = await server.get(PATH);
  const replaced = accepted(await server.put(PATH, { users: ['admin', 'kim'], roles: ['Ops'] }, etag));
  assert.deepEqual(membersIn(replaced), { users: ['admin', 'kim'], roles: ['Ops'] });
  for (const known of [etag, undefined]) stale(await server.put(PATH, { users: ['admin'] }, known), STALE, known !== undefined);
  assert.deepEqual(membersIn(accepted(await put({ users: ['admin'] }))), { users: ['admin'], roles: [] });
});

test('a PATCH adds and removes, ignoring letter case, and leaves the rest', async () => {
  const added = accepted(await patch({ users: { add: ['kim', 'ADMIN'] }, roles: { add: ['Ops', 'nobody-yet'] } }));
  assert.deepEqual(membersIn(added), { users: ['admin', 'kim'], roles: ['Ops', 'nobody-yet'] });
  const removed = accepted(await patch({ users: { remove: ['KIM', 'ghost'] }, roles: { remove: ['NOBODY-YET'] } }));
  assert.deepEqual(membersIn(removed), { users: ['admin'], roles: ['Ops'] });
  assert.deepEqual(membersIn(accepted(await server.patch(PATH, {}))), { users: ['admin'], roles: ['Ops'] });
  assert.equal((await patch({ users: { add: 'kim' } })).status, 422);
  assert.equal((await server.patch(PATH, { operations: [] })).status, 422);
});

test('a PATCH honours If-Match when it is sent', async () => {
  const { etag } = await server.get(PATH);
  accepted(await patch({ users: { add: ['kim'] } }));
  stale(await server.patch(PATH, { operations: { users: { add: ['liu'] } } }, { headers: { 'If-Match': etag! } }), STALE);
});

test('a role must exist; a user need not be known yet', async () => {
  const reply = invalid(await put({ users: ['admin', 'not-yet-seen'], roles: ['ghost'] }), 'Validation failed.');
  assert.deepEqual(reply.json.data, {
    roles: ['ghost'],
    users: ['admin', 'not-yet-seen'],
    errors: { roles: ['Role "ghost" does not exist.'] },
  });
  assert.deepEqual((await patch({ roles: { add: ['ghost'] } })).json.data.errors, { roles: ['Role "ghost" does not exist.'] });
});

test('a new administrator has the right from their first request on', async () => {
  assert.equal((await server.get(PATH, { as: ann })).status, 403);
  accepted(await patch({ users: { add: ['ANN'] } }));
  accepted(await server.get(PATH, { as: ann }));
  accepted(await patch({ users: { remove: ['ann'] }, roles: { add: ['OPS'] } }));
  accepted(await server.get(PATH, { as: ann }));
  accepted(await patch({ roles: { remove: ['ops'] } }));
  assert.equal((await server.get(PATH, { as: ann })).status, 403);
});

test('the last administrator cannot be removed, by PUT or PATCH', async () => {
  const { etag } = await server.get(PATH);
  for (const reply of [
    await put({ users: [], roles: [] }),
    await put({}),
    await put({ users: ['never-seen'] }),
    await put({ users: ['never-seen'], roles: ['nobody-yet'] }),
    await patch({ users: { remove: ['ADMIN'] } }),
    await patch({ users: { remove: ['admin'], add: ['never-seen'] }, roles: { add: ['nobody-yet'] } }),
  ]) {
    assert.equal(reply.status, 422, reply.text);
  }
  invalid(await patch({ users: { remove: ['admin'], add: ['never-seen'] } }), LAST_ADMIN);
  assert.equal((await server.get(PATH)).etag, etag);
});

test('a disabled administrator does not count', async () => {
  accepted(await patch({ users: { add: ['ann'] } }));
  accepted(await server.patch('/api/users/ann', { enabled: false }));
  invalid(await patch({ users: { remove: ['admin'] } }), LAST_ADMIN);
  accepted(await server.patch('/api/users/ann', { enabled: true }));
  accepted(await patch({ users: { remove: ['admin'] } }));
  accepted(await put({ users: ['admin'] }, ann));
});

test('administrators may all come from a role', async () => {
  const reply = await put({ users: [], roles: ['Ops'] });
  assert.equal(reply.status, 200, reply.text);
  accepted(await put({ users: ['admin'] }, ann));
});

test('the role that gives the last administrator cannot be taken away', async () => {
  accepted(await put({ users: ['never-seen'], roles: ['Ops'] }));
  invalid(await patch({ roles: { remove: ['ops'] } }, ann), LAST_ADMIN);
  invalid(await put({ users: ['never-seen'], roles: ['nobody-yet'] }, ann), LAST_ADMIN);
  accepted(await put({ users: ['admin'], roles: [] }, ann));
});
