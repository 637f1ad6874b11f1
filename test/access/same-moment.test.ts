// Concurrent changes that depend on each other are done one after the other, however slow the disk or a source of users is.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { changeEnabledUsers, keepsAnAdmin, LAST_ADMIN } from '../../src/access/conditions.ts';
import { type Authenticate, authenticator } from '../../src/access/login/authenticate.ts';
import { identityRevalidator } from '../../src/access/login/identity-revalidation.ts';
import { plainTokenRequest } from '../../src/access/users/token.ts';
import { Tokens } from '../../src/access/users/tokens.ts';
import { newUser, Users } from '../../src/access/users/users.ts';
import { Changes } from '../../src/config/change.ts';
import type { Author } from '../../src/config/revision.ts';
import type { AuthorizationPlugin, KnownUser } from '../../src/contracts/plugins/authorization.ts';
import { revisionWriter } from '../../src/store/revisions/changes.ts';
import { SerialTableWrites } from '../../src/store/serial-table-writes.ts';
import { withoutEvents } from '../../src/store/write-with-events.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';
import { basic } from '../support/requests/basic.ts';

const AUTHOR: Author = { actor: 'ann', token: null, address: null, reason: null };
const ADDRESS = '192.0.2.1';
const SOURCE = { id: 'slow', pluginId: 'slow', allowOnlyKnownUsersToLogin: false, properties: [] };

let files: TestConfiguration;
let users: Users;
let tokens: Tokens;
/** Writes of users wait for it. */
let disk: Promise<void>;

before(async () => {
  files = await TestConfiguration.open();
  const { database, config, changes } = files;
  const write = withoutEvents(database);
  const serialWrites = new SerialTableWrites((writes) => disk.then(() => write(writes)));
  users = await Users.load(database, serialWrites);
  tokens = await Tokens.load(database, serialWrites);
  disk = Promise.resolve();
  await changes.apply(AUTHOR, (draft) => draft.put(config.kind('authConfigs'), SOURCE.id, SOURCE));
});
after(() => files.close());
beforeEach(async () => {
  disk = Promise.resolve();
  await users.change(() => [newUser('ann'), newUser('bob')]);
});

const disabling = (login: string) => () => [{ ...users.mustKnow(login), enabled: false }];
const turnsOfTheLoop = async () => {
  for (let count = 0; count < 20; count++) await setImmediate();
};

test('own settings of a user cause no new checks; a change of the name or of enabled does', async () => {
  const changed = async (more: object) => {
    const { generation } = users;
    await users.change(() => [{ ...users.mustKnow('bob'), ...more }]);
    return users.generation > generation;
  };
  for (const own of [{}, { email: 'bob@example.org' }, { emailMe: true }, { checkinAliases: ['b'] }])
    assert.equal(await changed(own), false);
  for (const other of [{ enabled: false }, { displayName: 'Bobby' }, { loginName: 'BOB' }]) assert.equal(await changed(other), true);
});

describe('administrators', () => {
  const naming = (changes: Changes, ...logins: string[]) =>
    changes.apply(AUTHOR, (draft) => draft.put(files.config.kind('systemAdmins'), '', { users: logins, roles: [] }));

  test('an administrator cannot be disabled while the only other one is about to lose the role', async () => {
    const { config, database, changes } = files;
    await naming(changes, 'ann', 'bob');
    const gate = Promise.withResolvers<void>();
    const commit = revisionWriter(database);
    const slow = new Changes(config, (revisions) => gate.promise.then(() => commit(revisions)));
    slow.addGuard(keepsAnAdmin(users));
    const named = naming(slow, 'ann');
    await turnsOfTheLoop();
    const disabled = assert.rejects(changeEnabledUsers(users, config, slow)(disabling('ann')), { message: LAST_ADMIN });
    await turnsOfTheLoop();
    gate.resolve();
    await named;
    await disabled;
    assert.equal(users.find('ann')?.enabled, true);
  });

  test('an administrator who is about to be disabled cannot become the only one', async () => {
    const { config, database, changes } = files;
    await naming(changes, 'ann', 'bob');
    const guarded = new Changes(config, revisionWriter(database));
    guarded.addGuard(keepsAnAdmin(users));
    const gate = Promise.withResolvers<void>();
    disk = gate.promise;
    const disabled = changeEnabledUsers(users, config, guarded)(disabling('ann'));
    await turnsOfTheLoop();
    const named = assert.rejects(naming(guarded, 'ann'), { message: LAST_ADMIN });
    await turnsOfTheLoop();
    gate.resolve();
    await disabled;
    await named;
  });
});

describe('logins', () => {
  const secret = 'right';
  let logins: string[];
  let answer: (login: string, password: string) => Promise<KnownUser | undefined>;
  let authenticate: Authenticate;

  beforeEach(() => {
    logins = [];
    answer = async (login, password) => (password === secret ? { loginName: login, displayName: login, email: '' } : undefined);
    const plugin = {
      authenticate: (login: string, password: string) => {
        logins.push(login);
        return answer(login, password);
      },
    } as unknown as AuthorizationPlugin;
    authenticate = authenticator({
      config: files.config,
      users,
      tokens,
      host: { directory: files.dataDir },
      findPlugin: () => plugin,
      clearValues: () => new Map(),
      onBrokenSource: (_, failure) => assert.fail(String(failure)),
      admittedAccounts: { generation: 0, has: () => true },
      groups: { generation: 0, refresh: async () => true, refreshOthers: async () => {} },
    });
  });

  const login = (name: string, password: string, address = ADDRESS) =>
    Promise.try(() => authenticate(basic(name, password), address, {})).then(
      ({ loginName }) => loginName,
      (refusal: { kind: string }) => refusal.kind,
    );

  test('wrong ones that come together count one by one, and the right one among them waits like the others', async () => {
    const verdicts = await Promise.all([...Array.from({ length: 9 }, (_, index) => login('ann', `wrong-${index}`)), login('ann', secret)]);
    assert.deepEqual(verdicts, [...Array(5).fill('unauthenticated'), ...Array(5).fill('tooMany')]);
    assert.equal(logins.length, 5);
    assert.equal(await login('ann', secret, '192.0.2.2'), 'ann');
  });

  test('right ones that come together are all let in', async () => {
    const spellings = Array.from({ length: 8 }, (_, index) => `${' '.repeat(index + 1)}`);
    const header = basic('ann', secret);
    const verdicts = await Promise.all(spellings.map((blanks) => authenticate(header.replace(' ', blanks), ADDRESS, {})));
    assert.equal(verdicts.length, 8);
  });

  test('no login waits for the slow check of another user', async () => {
    const gate = Promise.withResolvers<undefined>();
    const quick = answer;
    answer = (name, password) => (name === 'ann' ? gate.promise : quick(name, password));
    const slow = [login('ann', 'one'), login('ann', 'two')];
    assert.equal(await login('bob', secret), 'bob');
    assert.deepEqual(logins, ['ann', 'bob']);
    gate.resolve(undefined);
    assert.deepEqual(await Promise.all(slow), ['unauthenticated', 'unauthenticated']);
  });

  test('new data of a user from their source does not enable them again', async () => {
    answer = async (loginName) => ({ loginName, displayName: 'Ann with a new name', email: '' });
    const gate = Promise.withResolvers<void>();
    disk = gate.promise;
    const disabled = users.change(disabling('ann'));
    await turnsOfTheLoop();
    const verdict = login('ann', secret);
    await turnsOfTheLoop();
    gate.resolve();
    await disabled;
    assert.equal(await verdict, 'unauthenticated');
    assert.equal(users.find('ann')?.enabled, false);
  });
});

test('a user who is being deleted gets no token', async () => {
  const gate = Promise.withResolvers<void>();
  disk = gate.promise;
  const removed = users.remove(
    () => [users.mustKnow('bob')],
    () => tokens.revocation(() => true, 'ann', 'gone', true),
  );
  await turnsOfTheLoop();
  const identity = { loginName: 'bob', displayName: 'bob', tokenId: null, authConfigId: SOURCE.id };
  const created = tokens.create(plainTokenRequest('late'), { loginName: 'bob', authConfigId: SOURCE.id }, () =>
    identityRevalidator(files.config, users)(identity),
  );
  const refused = assert.rejects(created, { kind: 'unauthenticated' });
  gate.resolve();
  await removed;
  await refused;
  assert.deepEqual(tokens.all(), []);
});
