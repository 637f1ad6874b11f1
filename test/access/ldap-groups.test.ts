// Roles by groups of a real OpenLDAP server: how groups are found, and how roles come and go with them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { Attribute, Change, Client } from 'ldapts';
import { ldapAuthorization } from '../../src/plugins/bundled/authorization/ldap/authorization.ts';
import { StreamReader } from '../events/stream-reader.ts';
import { Browser } from '../support/requests/browser-session.ts';
import { accepted, givePassword } from '../support/requests/callers.ts';
import { basic, TestServer } from '../support/server/server.ts';
import { type Slapd, startSlapd } from '../support/services/slapd.ts';
import { until } from '../support/until.ts';

const SUFFIX = 'dc=example,dc=org';
const PEOPLE = `ou=people,${SUFFIX}`;
const GROUPS = `ou=groups,${SUFFIX}`;
const UNIX_GROUPS = `ou=unix,${SUFFIX}`;
const READER = { ManagerDN: `cn=reader,${SUFFIX}`, Password: 'readers-secret' };
const ROOT = { dn: `cn=root,${SUFFIX}`, password: 'roots-secret' };
const ALICE = `cn=Alice Liddell,${PEOPLE}`;
const BOB = `cn=Bob (the *builder*)\\, jr.,${PEOPLE}`;
const CURIOUS = `cn=curious,${PEOPLE}`;
const OPS = `cn=ops,${GROUPS}`;
const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const ROLES = '/api/admin/security/roles';
const host = { directory: '/' };

const person = (dn: string, uid: string, more = '') => `dn: ${dn}
objectClass: inetOrgPerson
sn: x
uid: ${uid}
mail: ${uid.replaceAll(/\W/g, '')}@example.org
userPassword: password
${more}`;
const LDIF = `dn: ${SUFFIX}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ${READER.ManagerDN}
objectClass: organizationalRole
objectClass: simpleSecurityObject
userPassword: ${READER.Password}

${[PEOPLE, GROUPS, UNIX_GROUPS].map((dn) => `dn: ${dn}\nobjectClass: organizationalUnit\n`).join('\n')}
${person(ALICE, 'alice', 'departmentNumber: New York\ndepartmentNumber: Boston\n')}
${person(BOB, 'bob')}
${person(CURIOUS, '*)(memberUid=*')}
dn: cn=builders,${UNIX_GROUPS}
objectClass: posixGroup
gidNumber: 7
memberUid: bob
`;

type Values = Readonly<Record<string, string>>;
const propertiesOf = (values: Values) => Object.entries(values).map(([key, value]) => ({ key, value }));

let slapd: Slapd;
let server: TestServer;
before(async () => {
  slapd = await startSlapd({
    suffix: SUFFIX,
    rootDn: ROOT.dn,
    rootPassword: ROOT.password,
    ldif: LDIF,
    modules: ['memberof'],
    databaseLines: [
      'access to attrs=userPassword by anonymous auth by * none',
      // Only the manager sees groups: a search as another user finds none.
      ...[GROUPS, UNIX_GROUPS].map((dn) => `access to dn.subtree="${dn}" by dn.exact="${READER.ManagerDN}" read by * none`),
      `access to attrs=memberOf by dn.exact="${READER.ManagerDN}" read by * none`,
      'access to * by * read',
      'overlay memberof',
    ],
  });
  await asRoot((client) => client.add(OPS, { objectClass: 'groupOfNames', member: [ALICE, BOB] }));
  server = await TestServer.start();
});
after(async () => {
  await server?.stop();
  await slapd?.stop();
});

async function asRoot(task: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ url: `ldap://127.0.0.1:${slapd.port}` });
  await client.bind(ROOT.dn, ROOT.password);
  await task(client);
  await client.unbind();
}

const memberOfOps = (operation: 'add' | 'delete', dn: string) =>
  asRoot((client) => client.modify(OPS, new Change({ operation, modification: new Attribute({ type: 'member', values: [dn] }) })));

const settings = (changes: Values = {}): Values => ({
  Url: `ldap://127.0.0.1:${slapd.port}`,
  SearchBases: PEOPLE,
  UserLoginFilter: '(|(mail={0}) (uid={0}))',
  UserNameAttribute: 'uid',
  ...READER,
  ...changes,
});
const asMap = (values: Values) => new Map(Object.entries(values));

const BY_ATTRIBUTE = { UserGroupMembershipAttribute: 'memberOf', GroupIdentifiers: `cn=nobody\nCN=Ops, OU=Groups,${SUFFIX}` };
const BY_FILTER = { GroupMembershipFilter: '(member={dn})', GroupSearchBases: GROUPS };
const BY_UID = { GroupMembershipFilter: 'memberUid={uid}', GroupSearchBases: `${GROUPS}\n${UNIX_GROUPS}` };

describe('the groups of a user', () => {
  async function rolesOf(login: string, roles: Readonly<Record<string, Values>>, changes?: Values) {
    const { find, hasRole } = ldapAuthorization.groups;
    const found = await find(login, Object.values(roles).map(asMap), asMap(settings(changes)), host);
    if (!found) return undefined;
    const member = { loginName: login, groups: found.groups };
    return { roles: Object.keys(roles).filter((name) => hasRole(asMap(roles[name]!), member)), failures: found.failures };
  }

  test('are found by the manager, by an attribute and by filters', async () => {
    const roles = { BY_ATTRIBUTE, BY_FILTER, BY_UID };
    assert.deepEqual(await rolesOf('alice', roles), { roles: ['BY_ATTRIBUTE', 'BY_FILTER'], failures: [] });
    assert.deepEqual(await rolesOf('BOB', roles), { roles: ['BY_ATTRIBUTE', 'BY_FILTER', 'BY_UID'], failures: [] });
    assert.equal(await rolesOf('nobody', roles), undefined);
    assert.deepEqual(await rolesOf('alice', {}), { roles: [], failures: [] });
  });

  test('an attribute of the user gives a role, and so does the filter if the attribute does not', async () => {
    const boston = { UserGroupMembershipAttribute: 'departmentNumber', GroupIdentifiers: 'boston' };
    const either = { ...boston, ...BY_UID };
    assert.deepEqual((await rolesOf('alice', { boston, either }))?.roles, ['boston', 'either']);
    assert.deepEqual((await rolesOf('bob', { boston, either }))?.roles, ['either']);
  });

  test('matching rules find them, as nested groups of Active Directory', async () => {
    const byRule = { ...BY_FILTER, GroupMembershipFilter: '(member:2.5.13.1:={dn})' };
    assert.deepEqual((await rolesOf('bob', { byRule }))?.roles, ['byRule']);
    assert.deepEqual((await rolesOf('*)(memberUid=*', { byRule }))?.roles, []);
  });

  test('filter syntax in the values of an entry is escaped', async () => {
    const negative = { ...BY_UID, GroupMembershipFilter: '(memberUid={uid})' };
    assert.deepEqual(await rolesOf('*)(memberUid=*', { negative, BY_FILTER }), { roles: [], failures: [] });
    assert.equal(await rolesOf('*', { negative }), undefined);
  });

  test('a search that the server refuses gives no role, and takes away no other', async () => {
    const gone = { ...BY_FILTER, GroupSearchBases: `ou=gone,${SUFFIX}` };
    assert.deepEqual(await rolesOf('alice', { gone, BY_FILTER }), {
      roles: ['BY_FILTER'],
      failures: [`Groups below 'ou=gone,${SUFFIX}': it answered with result code 32 (NoSuchObject).`],
    });
    await assert.rejects(rolesOf('alice', { BY_FILTER }, { Url: 'ldap://127.0.0.1:1' }), /^Error: LDAP server 127\.0\.0\.1:1: /);
  });

  test('the login name comes from UserNameAttribute, not from the typed name', async () => {
    const { authenticate, isUser, search } = ldapAuthorization;
    const byMail = asMap(settings({ UserLoginFilter: '(&(mail={0})(objectClass=inetOrgPerson))' }));
    assert.equal((await authenticate('ALICE@example.org', 'password', byMail, host))?.loginName, 'alice');
    assert.equal(await authenticate('alice', 'password', byMail, host), undefined);
    assert.equal(await isUser('alice', byMail, host), true);
    assert.equal(await isUser('alice', asMap(settings({ UserLoginFilter: '(&(mail={0})(sn=other))' })), host), false);
    assert.equal(await isUser('alice@example.org', byMail, host), false);
    assert.deepEqual(
      (await search('liddell', byMail, host)).map(({ loginName }) => loginName),
      ['alice'],
    );
    const nameless = asMap(settings({ UserNameAttribute: 'employeeNumber' }));
    assert.equal(await authenticate('alice', 'password', nameless, host), undefined);
  });

  test('no user takes over or locks out another user by editing their own entry', async () => {
    const { authenticate, isUser } = ldapAuthorization;
    const byMail = asMap(settings({ UserLoginFilter: '(mail={0})' }));
    const mallory = `cn=mallory,${PEOPLE}`;
    const write = (values: Values) =>
      asRoot((client) => client.add(mallory, { objectClass: 'inetOrgPerson', sn: 'x', userPassword: 'password', ...values }));
    await write({ uid: 'alice', mail: 'mallory@example.org' });
    await assert.rejects(authenticate('mallory@example.org', 'password', byMail, host), /another entry has the same uid/);
    assert.equal(await authenticate('mallory@example.org', 'wrong', byMail, host), undefined);
    await asRoot((client) => client.del(mallory));
    await write({ uid: 'mallory', mail: 'alice' });
    assert.equal((await authenticate('alice', 'password', byMail, host))?.loginName, 'mallory');
    assert.equal(await isUser('alice', byMail, host), true);
    const byBoth = asMap(settings({ SearchBases: `${mallory}\n${PEOPLE}` }));
    for (const both of [asMap(settings()), byBoth]) assert.equal((await authenticate('alice', 'password', both, host))?.loginName, 'alice');
    await asRoot((client) => client.del(mallory));
  });
});

describe('a connection that is encrypted', () => {
  const authenticate = async (changes: Values, Certificate?: string) =>
    (
      await ldapAuthorization.authenticate(
        'alice',
        'password',
        asMap(settings({ ...changes, Certificate: Certificate ?? (await readFile(slapd.caFile, 'utf8')) })),
        host,
      )
    )?.loginName;
  const StartTLS = 'true';

  test('trusts the authority of the settings, by ldaps and by StartTLS', async () => {
    assert.equal(await authenticate({ Url: `ldaps://127.0.0.1:${slapd.securePort}` }), 'alice');
    assert.equal(await authenticate({ StartTLS }), 'alice');
    assert.deepEqual(
      await ldapAuthorization.verifyConnection(asMap(settings({ StartTLS, Certificate: '' })), host).then(({ ok }) => ok),
      false,
    );
  });

  test('trusts no other authority, and no certificate of another host', async () => {
    await assert.rejects(authenticate({ StartTLS }, ''), /certificate.*NODE_EXTRA_CA_CERTS/);
    await assert.rejects(authenticate({ Url: `ldaps://127.0.0.1:${slapd.securePort}` }, ''), /certificate.*NODE_EXTRA_CA_CERTS/);
    await assert.rejects(authenticate({ StartTLS }, rootCertificates[0]), /The authority in Certificate has not signed it/);
    await assert.rejects(authenticate({ StartTLS, Url: `ldap://localhost:${slapd.port}` }), /does not match certificate's altnames/);
  });

  test('no credentials are sent in clear text when StartTLS is refused, garbled or cut off', async () => {
    const refusal = [0x30, 12, 0x02, 1, 1, 0x78, 7, 0x0a, 1, 2, 0x04, 0, 0x04, 0];
    const answers = { refused: refusal, 'with more after it': [...refusal.with(9, 0), 0x30, 0x0c], 'cut off': refusal.slice(0, 5) };
    for (const [what, bytes] of Object.entries(answers)) {
      const heard: Buffer[] = [];
      const liar = await listening(
        createServer((socket) =>
          socket
            .on('error', () => {})
            .on('data', (data: Buffer) => {
              heard.push(data);
              if (heard.length === 1) socket.end(Buffer.from(bytes));
            }),
        ),
      );
      await assert.rejects(
        authenticate({ StartTLS, Url: `ldap://127.0.0.1:${liar.port}` }),
        /refused StartTLS|cannot be read|closed the connection/,
        what,
      );
      assert.equal(Buffer.concat(heard).length, 31, what);
      liar.server.close();
    }
  });

  test('wrong settings are refused with the key and the problem', () => {
    const { check } = ldapAuthorization.blocks.auth_config!;
    const problemOf = (changes: Values) => check!(asMap(settings(changes)), { contextPath: '', secureSiteUrl: undefined })[0];
    assert.equal(problemOf({ StartTLS }), undefined);
    assert.equal(problemOf({ StartTLS, Url: 'ldaps://host' })?.message, 'Cannot startTLS if using `ldaps://` URL.');
    assert.equal(problemOf({ Certificate: 'x' })?.key, 'Certificate');
    assert.equal(problemOf({ UserNameAttribute: 'uid)(x' })?.key, 'UserNameAttribute');
  });
});

async function listening(listener: Server): Promise<{ readonly server: Server; readonly port: number }> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return { server: listener, port: (listener.address() as AddressInfo).port };
}

describe('roles of plugins', () => {
  const directory = (changes?: Values) => ({
    id: 'directory',
    plugin_id: 'com.thoughtworks.gocd.authorization.ldap',
    properties: propertiesOf(settings(changes)),
  });
  const role = (name: string, values: Values) => ({
    name,
    type: 'plugin',
    policy: [],
    attributes: { auth_config_id: 'directory', properties: propertiesOf(values) },
  });
  const rolesOf = async (login: string) =>
    accepted(await server.get(`/api/users/${login}`))
      .json.roles.map(({ name }: { name: string }) => name)
      .toSorted();
  const isAdmin = async (as: string) => (await server.get('/api/users', { as })).status === 200;
  const ALICE_BASIC = basic('alice', 'password');

  before(async () => {
    accepted(await server.post(AUTH_CONFIGS, directory()));
    accepted(await server.post(ROLES, role('operators', BY_ATTRIBUTE)));
    accepted(await server.post(ROLES, role('builders', BY_UID)));
    accepted(await server.put('/api/admin/security/system_admins', { users: ['admin'], roles: ['operators'] }, '*'));
  });

  test('are there with the first request of a member of the group', async () => {
    assert.equal(await isAdmin(ALICE_BASIC), true);
    assert.deepEqual(await rolesOf('alice'), ['operators']);
    await new Browser(server).logIn('bob', 'password');
    assert.deepEqual(await rolesOf('bob'), ['builders', 'operators']);
  });

  test('are gone with the next login of a user who has left the group, also for tokens', async () => {
    const { json } = accepted(await server.post('/api/current_user/access_tokens', { description: 'x' }, { as: ALICE_BASIC }));
    const token = `bearer ${json.token}`;
    assert.equal(await isAdmin(token), true);
    await memberOfOps('delete', ALICE);
    await new Browser(server).logIn('alice', 'password');
    assert.deepEqual(await rolesOf('alice'), []);
    for (const as of [token, ALICE_BASIC]) assert.equal(await isAdmin(as), false);
  });

  test('follow the directory as sessions and tokens are looked at, without a login', async () => {
    const browser = new Browser(server);
    await browser.logIn('alice', 'password');
    await memberOfOps('add', ALICE);
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory({ SearchTimeout: '6' }), '*')); // the server checks all logins anew
    accepted(await browser.get('/api/users'));
    await memberOfOps('delete', ALICE);
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory({ SearchTimeout: '7' }), '*'));
    assert.equal((await browser.get('/api/users')).status, 403);
  });

  test('follow the directory also for a user with only an open event stream', async () => {
    await memberOfOps('add', ALICE);
    const reader = await StreamReader.open(`${server.url}/api/live`, { Authorization: ALICE_BASIC });
    await reader.until(() => reader.types.includes('ready'));
    assert.deepEqual(await rolesOf('alice'), ['operators']);
    await memberOfOps('delete', ALICE);
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory({ SearchTimeout: '8' }), '*'));
    await until('the end of the role', async () => (await rolesOf('alice')).length === 0);
    reader.close();
  });

  test('are gone also for a user who has since logged in by another source', async () => {
    await memberOfOps('add', ALICE);
    const byFile = givePassword(server, 'alice', { password: 'of the file' });
    await new Browser(server).logIn('alice', 'password');
    assert.equal(await isAdmin(byFile), true, 'a user has the rights of all their sources');
    const browser = new Browser(server);
    await browser.logIn('alice', 'of the file');
    await memberOfOps('delete', ALICE);
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory({ SearchTimeout: '9' }), '*'));
    for (const ask of [() => isAdmin(byFile), async () => (await browser.get('/api/users')).status === 200])
      assert.equal(await ask(), false);
    assert.deepEqual(await rolesOf('alice'), []);
  });

  test('are lost while the directory is away to a user of another source, who can still log in', async () => {
    await memberOfOps('add', ALICE);
    await new Browser(server).logIn('alice', 'password');
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory({ Url: 'ldap://127.0.0.1:1' }), '*'));
    const browser = new Browser(server);
    await browser.logIn('alice', 'of the file');
    assert.deepEqual(await rolesOf('alice'), []);
    await memberOfOps('delete', ALICE);
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory(), '*'));
  });

  test('a changed group of a role applies to users who are logged in', async () => {
    const browser = new Browser(server);
    await browser.logIn('alice', 'password');
    accepted(await server.post(ROLES, role('boston', { UserGroupMembershipAttribute: 'departmentNumber', GroupIdentifiers: 'Boston' })));
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory(), '*'));
    accepted(await browser.get('/api/session'));
    assert.deepEqual(await rolesOf('alice'), ['boston']);
    const london = role('boston', { UserGroupMembershipAttribute: 'departmentNumber', GroupIdentifiers: 'London' });
    accepted(await server.put(`${ROLES}/boston`, london, '*'));
    assert.deepEqual(await rolesOf('alice'), [], 'at once');
  });

  test('are not lost while the directory is away, and requests get 503', async () => {
    const browser = new Browser(server);
    await browser.logIn('bob', 'password');
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory({ Url: 'ldap://127.0.0.1:1' }), '*'));
    assert.equal((await browser.get('/api/session')).status, 503);
    assert.deepEqual(await rolesOf('bob'), ['builders', 'operators']);
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory(), '*'));
    accepted(await browser.get('/api/session'));
  });

  test('outlive a restart, and end with the source', async () => {
    await server.restart();
    assert.deepEqual(await rolesOf('bob'), ['builders', 'operators']);
    const onlyLogsIn = { Url: settings().Url!, SearchBases: PEOPLE, UserLoginFilter: '(uid={0})', ...READER };
    const refused = await server.put(
      `${AUTH_CONFIGS}/directory`,
      { ...directory(), plugin_id: 'cd.go.authentication.ldap', properties: propertiesOf(onlyLogsIn) },
      '*',
    );
    assert.equal(refused.status, 200, refused.text);
    assert.deepEqual(await rolesOf('bob'), []);
  });

  test('roles of plugins with wrong settings are refused with the reason', async () => {
    accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory(), '*'));
    const refused = await server.post(ROLES, role('everybody', { GroupSearchBases: GROUPS, GroupMembershipFilter: '(cn=ops)' }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /names attributes of the user in braces/);
    assert.match(
      (await server.post(ROLES, role('older', { ...BY_FILTER, GroupMembershipSearchBase: 'x' }))).text,
      /Is an unknown property/,
    );
  });
});
