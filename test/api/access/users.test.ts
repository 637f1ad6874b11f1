// Users: adding, changing, disabling and deleting them, one by one and many at once.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { atOnce, statusesOf, times } from '../../support/requests/at-once.ts';
import { accepted, addRole, addUser, startServer, tokenOf } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import type { TestServer } from '../../support/server/server.ts';

const PATH = '/api/users';
const STATE = `${PATH}/operations/state`;
const ADMINS = '/api/admin/security/system_admins';
const LAST_ADMIN = 'There must be at least one admin user enabled!';
const STALE = 'Someone has modified the entity. Please update your copy with the changes and try again.';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());
beforeEach(async () => {
  accepted(await server.put(ADMINS, { users: ['admin'], roles: [] }, '*'));
  const others = (await listed()).filter((login) => login !== 'admin');
  if (others.length === 0) return;
  accepted(await setState(others, false));
  accepted(await deleteMany(...others));
});

const listed = async (): Promise<string[]> =>
  (await server.get(PATH)).json._embedded.users.map((user: { login_name: string }) => user.login_name);
const add = (login_name: string, more: object = {}) => server.post(PATH, { login_name, ...more });
const setState = (users: readonly string[], enable: boolean, as?: string) =>
  server.patch(STATE, { users, operations: { enable } }, as === undefined ? {} : { as });
const deleteMany = (...users: string[]) => server.ask('DELETE', PATH, { body: { users } });

describe('one user', () => {
  test('is added, shown with rights and roles, and listed by login name', async () => {
    const added = accepted(await add('Jez', { email: 'jez@example.org', email_me: true, checkin_aliases: 'b,a' }));
    assert.match(added.etag!, /^"[0-9a-f]{64}"$/);
    assert.deepEqual(added.json, {
      _links: {
        self: { href: `${server.url}/api/users/Jez` },
        find: { href: `${server.url}/api/users/:login_name` },
        doc: { href: `${server.url}/api/docs#users` },
      },
      login_name: 'Jez',
      display_name: 'Jez',
      enabled: true,
      email: 'jez@example.org',
      email_me: true,
      checkin_aliases: ['a', 'b'],
      is_admin: false,
      roles: [],
    });
    await addRole(server, 'builders', ['JEZ']);
    accepted(await server.patch(ADMINS, { operations: { users: { add: ['jEz'] } } }));
    const shown = await server.get(`${PATH}/JEZ`);
    assert.deepEqual([shown.json.is_admin, shown.json.roles], [true, [{ name: 'builders', type: 'svc' }]]);
    assert.notEqual(shown.etag, added.etag);
    await add('bob');
    assert.deepEqual(await listed(), ['admin', 'bob', 'Jez']);
    const list = await server.get(PATH);
    assert.deepEqual(list.json._embedded.users.at(-1), shown.json);
    assert.equal((await server.get(PATH, { headers: { 'If-None-Match': list.etag! } })).status, 304);
    accepted(await server.delete('/api/admin/security/roles/builders'));
  });

  test('a user can be added as disabled', async () => {
    assert.equal((await add('later', { enabled: false })).json.enabled, false);
  });

  test('needs a unique login name', async () => {
    failed(await add(undefined as never), 422, "Json `{}` does not contain property 'login_name'");
    failed(await add('  '), 400, 'Failed to add user. Validations failed. Login name field must be non-blank.');
    failed(await add('x'.repeat(256)), 400, 'Failed to add user. Validations failed. Only 255 characters are allowed');
    await add('jez');
    failed(await add('JEZ'), 422, "Failed to add User 'JEZ'. Another User with the same name already exists.");
  });

  const BAD_LOGINS: Readonly<Record<string, string>> = {
    'a line break': 'jez\nroot',
    'a colon': 'jez:root',
    'a blank at its end': 'jez ',
    'a blank at its beginning': ' jez',
    'a zero-width space': 'je\u200bz',
    'a direction mark': '\u202ejez',
    'a no-break space': 'jez\u00a0root',
  };
  for (const [what, login] of Object.entries(BAD_LOGINS)) {
    test(`has no login name with ${what}`, async () => {
      const reply = await add(login);
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.json.errors.login_name[0], /^The login name .*must not /);
      assert.deepEqual(await listed(), ['admin']);
    });
  }

  test('has one spelling, however it is sent', async () => {
    assert.equal(accepted(await add('Zoe\u0308')).json.login_name, 'Zo\u00eb');
    failed(await add('zo\u00eb'), 422, "Failed to add User 'zo\u00eb'. Another User with the same name already exists.");
    assert.equal(accepted(await server.get(`${PATH}/zoe\u0308`)).json.login_name, 'Zo\u00eb');
    accepted(await server.patch(`${PATH}/zo\u00eb`, { login_name: 'ZOE\u0308', enabled: false }));
    accepted(await server.put(ADMINS, { users: ['admin', 'zoe\u0308'], roles: [] }, '*'));
    assert.equal((await server.get(`${PATH}/zo\u00eb`)).json.is_admin, true);
  });

  test('does not look like another one', async () => {
    const message = (login: string) =>
      `Failed to add User '${login}'. The name looks like that of the User 'admin', though it is written with other characters.`;
    for (const login of ['\u0430dmin', '\uff41dmin', 'ADM\u0406N']) failed(await add(login), 422, message(login));
    accepted(await add('\u0418\u0432\u0430\u043d'));
    assert.deepEqual(await listed(), ['admin', '\u0418\u0432\u0430\u043d']);
    await setState(['\u0418\u0432\u0430\u043d'], false);
    accepted(await deleteMany('\u0418\u0432\u0430\u043d'));
    accepted(await add('\u0418\u0432\u0430\u043d'));
  });

  test('an invalid user is not kept, and the answer is the user with the errors', async () => {
    const reply = failed(
      await add('jez', { email: 'nowhere', checkin_aliases: ['a'.repeat(256)] }),
      400,
      'Failed to add user. Validations failed. Invalid email address. Only 255 characters are allowed',
    );
    assert.equal(reply.json.login_name, 'jez');
    assert.deepEqual(reply.json.errors, {
      email: ['Invalid email address.'],
      checkin_aliases: ['Only 255 characters are allowed'],
    });
    const unseen = failed(
      await add('jez', { checkin_aliases: ['jez', 'j\u200bez'] }),
      400,
      'Failed to add user. Validations failed. This must not hold control characters or invisible ones, such as line breaks and zero-width spaces.',
    );
    assert.deepEqual(Object.keys(unseen.json.errors), ['checkin_aliases']);
    const unreadable = await add('jez', { enabled: 'FALSE' });
    failed(unreadable, 422, 'Could not read property \'enabled\' as a Boolean in json `{"login_name":"jez","enabled":"FALSE"}` ');
    failed(await server.get(`${PATH}/jez`), 404, "User with login name 'jez' was not found!");
  });

  test('is changed in the parts that are sent', async () => {
    await add('jez', { email: 'jez@example.org', checkin_aliases: ['j'] });
    const { json } = accepted(await server.patch(`${PATH}/JEZ`, { login_name: 'Jez', enabled: false, email_me: true }));
    assert.deepEqual(
      [json.login_name, json.enabled, json.email, json.email_me, json.checkin_aliases],
      ['jez', false, 'jez@example.org', true, ['j']],
    );
    failed(await server.patch(`${PATH}/jez`, { login_name: 'kim' }), 422, 'Renaming of User is not supported by this API.');
    failed(await server.patch(`${PATH}/jez`, { email: 'a@b@c' }), 400, 'Failed to update user. Validations failed. Invalid email address.');
    failed(await server.patch(`${PATH}/ghost`, {}), 404, "User with login name 'ghost' was not found!");
    assert.deepEqual((await server.get(`${PATH}/jez`)).json, json);
  });

  test('is deleted only when disabled', async () => {
    await add('Jez');
    failed(await server.delete(`${PATH}/jez`), 400, "User 'Jez' is not disabled.");
    await setState(['jez'], false);
    assert.equal((await server.delete(`${PATH}/jez`)).json.message, "User with login name 'Jez' was deleted successfully!");
    failed(await server.delete(`${PATH}/jez`), 404, "User with login name 'jez' was not found!");
  });

  test('a dry run changes no user', async () => {
    await add('jez', { enabled: false });
    const { text } = await server.get(PATH);
    for (const reply of [
      await server.post(`${PATH}?dry_run=true`, { login_name: 'kim' }),
      await server.patch(`${PATH}/jez?dry_run=true`, { enabled: true }),
      await server.patch(`${STATE}?dry_run=true`, { users: ['jez'], operations: { enable: true } }),
      await server.delete(`${PATH}/jez?dry_run=true`),
      await server.ask('DELETE', `${PATH}?dry_run=true`, { body: { users: ['jez'] } }),
    ]) {
      assert.equal(accepted(reply).headers.get('x-svc-dry-run'), 'true');
    }
    assert.equal((await server.get(PATH)).text, text);
  });

  test('is still known after a restart', async () => {
    await add('jez', { email: 'jez@example.org', enabled: false });
    await server.restart();
    const { json } = await server.get(`${PATH}/jez`);
    assert.deepEqual([json.email, json.enabled], ['jez@example.org', false]);
  });
});

describe('requests at the same moment', () => {
  const TRIES = 5;

  test('different changes of one user all last, disabling included', async () => {
    for (let tries = 0; tries < TRIES; tries++) {
      const login = `jez-${tries}`;
      await add(login, { checkin_aliases: ['j'] });
      const bodies = [{ enabled: false }, { email: 'jez@example.org' }, { email_me: true }, { checkin_aliases: ['z'] }];
      const replies = await atOnce(server, ...bodies.map((body) => () => server.patch(`${PATH}/${login}`, body)));
      assert.deepEqual(statusesOf(replies), [200, 200, 200, 200]);
    }
    await server.restart();
    for (let tries = 0; tries < TRIES; tries++) {
      const { enabled, email, email_me, checkin_aliases } = (await server.get(`${PATH}/jez-${tries}`)).json;
      assert.deepEqual([enabled, email, email_me, checkin_aliases], [false, 'jez@example.org', true, ['z']]);
    }
  });

  test('changes to different fields of a user all last', async () => {
    const as = await addUser(server, 'jez');
    const replies = await atOnce(
      server,
      () => server.patch('/api/current_user', { email: 'jez@example.org' }, { as }),
      () => server.patch('/api/current_user', { email_me: true }, { as }),
      () => server.patch('/api/current_user', { checkin_aliases: ['z'] }, { as }),
    );
    assert.deepEqual(statusesOf(replies), [200, 200, 200]);
    const { email, email_me, checkin_aliases } = (await server.get(`${PATH}/jez`)).json;
    assert.deepEqual([email, email_me, checkin_aliases], ['jez@example.org', true, ['z']]);
  });

  test('only one of many requests adds a user, and only one deletes the user', async () => {
    assert.deepEqual(statusesOf(await atOnce(server, ...times(4, () => add('jez', { enabled: false })))), [200, 422, 422, 422]);
    assert.deepEqual(statusesOf(await atOnce(server, ...times(4, () => server.delete(`${PATH}/jez`)))), [200, 404, 404, 404]);
    await add('jez', { enabled: false });
    assert.deepEqual(statusesOf(await atOnce(server, ...times(3, () => deleteMany('jez')))), [200, 422, 422]);
  });

  test('an administrator remains when all are disabled at once', async () => {
    const ann = await addUser(server, 'ann');
    accepted(await server.patch(ADMINS, { operations: { users: { add: ['ann'] } } }));
    for (let tries = 0; tries < TRIES; tries++) {
      const replies = await atOnce(
        server,
        () => server.patch(`${PATH}/ann`, { enabled: false }),
        () => server.patch(`${PATH}/admin`, { enabled: false }),
        () => setState(['ann'], false),
      );
      const refused = replies.filter(({ status }) => status !== 200);
      assert.ok(refused.length > 0, 'nobody was refused');
      for (const reply of refused) failed(reply, 400, LAST_ADMIN);
      const isAdminLeft = (await server.get(PATH)).status === 200;
      accepted(await setState(['admin', 'ann'], true, isAdminLeft ? undefined : ann));
    }
  });

  test('only one of many changes to one version of a user is made', async () => {
    await add('jez');
    const { etag } = await server.get(`${PATH}/jez`);
    const headers = { 'If-Match': etag! };
    const replies = await atOnce(
      server,
      ...times(4, (index) => server.patch(`${PATH}/jez`, { email: `j${index}@example.org` }, { headers })),
    );
    assert.deepEqual(statusesOf(replies), [200, 412, 412, 412]);
    const [changed] = replies.filter(({ status }) => status === 200);
    assert.equal((await server.get(`${PATH}/jez`)).json.email, changed!.json.email);
    const stale = replies.find(({ status }) => status === 412)!;
    assert.deepEqual(stale.json, { message: STALE });
  });
});

describe('If-Match', () => {
  const older = { headers: { 'If-Match': '"older"' } };
  const current = async (path: string) => ({ headers: { 'If-Match': (await server.get(path)).etag! } });

  test('If-Match counts if it is sent, for changing, and for deleting one or many', async () => {
    for (const login of ['jez', 'kim', 'liu']) await add(login, { enabled: false });
    failed(await server.patch(`${PATH}/jez`, { email_me: true }, older), 412, STALE);
    failed(await server.delete(`${PATH}/jez`, older), 412, STALE);
    failed(await server.ask('DELETE', PATH, { body: { users: ['jez'] }, ...older }), 412, STALE);
    assert.equal((await server.get(`${PATH}/jez`)).json.email_me, false);
    accepted(await server.patch(`${PATH}/jez`, { email_me: true }, await current(`${PATH}/jez`)));
    accepted(await server.patch(`${PATH}/jez`, { email_me: false }, { headers: { 'If-Match': '*' } }));
    accepted(await server.delete(`${PATH}/jez`, await current(`${PATH}/jez`)));
    accepted(await server.ask('DELETE', PATH, { body: { users: ['kim', 'liu'] }, ...(await current(PATH)) }));
    assert.deepEqual(await listed(), ['admin']);
  });

  test('If-Match is checked after the rules that do not depend on versions', async () => {
    failed(await server.patch(`${PATH}/ghost`, {}, older), 404, "User with login name 'ghost' was not found!");
    await add('jez');
    failed(await server.patch(`${PATH}/jez`, { login_name: 'kim' }, older), 422, 'Renaming of User is not supported by this API.');
  });

  test('If-Match counts for the current user', async () => {
    failed(await server.patch('/api/current_user', { email_me: true }, older), 412, STALE);
    const { json } = accepted(await server.patch('/api/current_user', { email_me: true }, await current('/api/current_user')));
    assert.equal(json.email_me, true);
    accepted(await server.patch('/api/current_user', { email_me: false }));
  });
});

describe('many users', () => {
  test('are enabled and disabled together', async () => {
    for (const login of ['ann', 'bob']) await add(login);
    assert.equal((await setState(['ann', 'BOB'], false)).json.message, "Users 'ann, BOB' were disabled successfully.");
    assert.equal((await server.get(`${PATH}/bob`)).json.enabled, false);
    assert.equal((await setState(['ann'], true)).json.message, "Users 'ann' were enabled successfully.");
    assert.equal((await server.get(`${PATH}/ann`)).json.enabled, true);
  });

  test('many users are enabled or disabled all together, or not at all', async () => {
    await add('ann');
    const reply = failed(await setState(['ghost', 'ann', 'spook'], false), 422, 'Update failed because some users do not exist.');
    assert.deepEqual(reply.json.non_existent_users, ['ghost', 'spook']);
    assert.equal((await server.get(`${PATH}/ann`)).json.enabled, true);
    failed(await setState([], true), 400, 'No users selected.');
    failed(await server.patch(STATE, { operations: { enable: true } }), 400, 'No users selected.');
    assert.equal((await server.patch(STATE, { users: ['ann'] })).status, 422);
    assert.equal((await server.patch(STATE, { users: 'ann', operations: { enable: true } })).status, 422);
  });

  test('many users are deleted all together, or not at all', async () => {
    await add('ann', { enabled: false });
    await add('bob', { enabled: false });
    await add('cat');
    const unknown = failed(await deleteMany('ann', 'ghost', 'cat'), 422, 'Deletion failed because some users do not exist.');
    assert.deepEqual([unknown.json.non_existent_users, unknown.json.enabled_users], [['ghost'], ['cat']]);
    const enabled = failed(await deleteMany('ann', 'cat'), 422, 'Deletion failed because some users were enabled.');
    assert.deepEqual(enabled.json.enabled_users, ['cat']);
    failed(await deleteMany(), 400, 'No users selected.');
    failed(await server.delete(PATH), 400, 'No users selected.');
    assert.deepEqual(await listed(), ['admin', 'ann', 'bob', 'cat']);
    assert.equal((await deleteMany('ann', 'bob')).json.message, "Users 'ann, bob' were deleted successfully.");
    assert.deepEqual(await listed(), ['admin', 'cat']);
  });
});

describe('a disabled user', () => {
  test('is locked out at once, by password and token, and let in again when enabled', async () => {
    const as = await addUser(server, 'jez');
    const token = await tokenOf(server, as);
    const statuses = async () => [
      (await server.get('/api/current_user', { as })).status,
      (await server.get('/api/current_user', { as: token })).status,
    ];
    assert.deepEqual(await statuses(), [200, 200]);
    await setState(['jez'], false);
    assert.deepEqual(await statuses(), [401, 401]);
    failed(await server.get('/api/current_user', { as }), 401, 'Your account has been disabled by the administrator');
    failed(await server.get('/api/current_user', { as: token }), 401, 'Your account has been disabled by the administrator');
    await setState(['jez'], true);
    assert.deepEqual(await statuses(), [200, 200]);
  });
});

describe('a deleted user', () => {
  const TOKENS = '/api/current_user/access_tokens';

  test('loses their tokens for good, even when they come back', async () => {
    const as = await addUser(server, 'jez');
    const token = await tokenOf(server, as);
    accepted(await server.get('/api/current_user', { as: token }));
    await setState(['jez'], false);
    accepted(await server.delete(`${PATH}/jez`));
    const [revoked] = (await server.get('/api/admin/access_tokens?filter=revoked')).json._embedded.access_tokens.slice(-1);
    assert.deepEqual(
      [revoked.username, revoked.revoked, revoked.revoked_by, revoked.revoke_cause, revoked.revoked_because_user_deleted],
      ['jez', true, 'admin', 'Revoked because user was deleted by admin', true],
    );
    assert.match(
      (await server.get('/api/current_user', { as: token })).json.message,
      /^Invalid Personal Access Token\. Access token was revoked at: /,
    );
    accepted(await server.get('/api/current_user', { as }));
    assert.deepEqual((await server.get(`${TOKENS}?filter=all`, { as })).json._embedded.access_tokens, []);
    failed(await server.get(`${TOKENS}/${revoked.id}`, { as }), 404, `Access token with id '${revoked.id}' was not found!`);
    assert.equal((await server.get('/api/current_user', { as: token })).status, 401);
  });

  test('loses their notification filters, and other users keep theirs', async () => {
    const mailServer = { hostname: 'smtp.example.org', port: 25, sender_email: 'a@example.org', admin_email: 'b@example.org' };
    accepted(await server.put('/api/config/mailserver', mailServer, '*'));
    const [jez, kim] = [await addUser(server, 'jez'), await addUser(server, 'kim')];
    const filter = { pipeline: '[Any Pipeline]', stage: '[Any Stage]', event: 'All' };
    for (const as of [jez, kim]) accepted(await server.post('/api/notification_filters', filter, { as }));
    await setState(['jez'], false);
    accepted(await deleteMany('JEZ'));
    const count = async (as: string) => (await server.get('/api/notification_filters', { as })).json._embedded.filters.length;
    assert.deepEqual([await count(jez), await count(kim)], [0, 1]);
  });
});

describe('the last administrator', () => {
  test('cannot be disabled, alone or among others', async () => {
    await add('ann');
    failed(await server.patch(`${PATH}/ADMIN`, { enabled: false }), 400, LAST_ADMIN);
    failed(await setState(['Admin'], false), 400, LAST_ADMIN);
    failed(await setState(['ann', 'admin'], false), 400, LAST_ADMIN);
    assert.equal((await server.get(`${PATH}/ann`)).json.enabled, true);
  });

  test('is the last when the others are disabled, unknown or gone', async () => {
    await add('ann', { enabled: false });
    accepted(await server.put(ADMINS, { users: ['admin', 'ann', 'never-seen'], roles: [] }, '*'));
    failed(await setState(['admin'], false), 400, LAST_ADMIN);
    accepted(await deleteMany('ann'));
    failed(await setState(['admin'], false), 400, LAST_ADMIN);
  });

  test('is not the last while a role makes another user one', async () => {
    const ann = await addUser(server, 'ann');
    await addRole(server, 'ops', ['ANN']);
    accepted(await server.put(ADMINS, { users: ['admin'], roles: ['ops'] }, '*'));
    accepted(await setState(['admin'], false));
    failed(await setState(['ann'], false, ann), 400, LAST_ADMIN);
    accepted(await setState(['admin'], true, ann));
    accepted(await server.put(ADMINS, { users: ['admin'], roles: [] }, '*'));
    accepted(await server.delete('/api/admin/security/roles/ops'));
  });

  test('remains when two of them disable each other at the same moment', async () => {
    const ann = await addUser(server, 'ann');
    accepted(await server.patch(ADMINS, { operations: { users: { add: ['ann'] } } }));
    await Promise.all([setState(['ann'], false), setState(['admin'], false, ann)]);
    const mayAsk = [await server.get(PATH), await server.get(PATH, { as: ann })].filter(({ status }) => status === 200);
    assert.equal(mayAsk.length, 1);
    const remaining = mayAsk[0]!.json._embedded.users.find((user: { enabled: boolean }) => user.enabled).login_name;
    accepted(await setState(['admin', 'ann'], true, remaining === 'ann' ? ann : undefined));
  });
});
