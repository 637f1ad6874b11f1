// Checks the LDAP plugin against a real OpenLDAP server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ldap } from '../../src/plugins/bundled/authorization/ldap/authentication.ts';
import { PATIENCE_MS, withGrowingLimits } from '../support/patience.ts';
import { findFreePorts, type Slapd, startSlapd } from '../support/services/slapd.ts';

const SUFFIX = 'dc=example,dc=org';
const READER = `cn=reader,${SUFFIX}`;
const READER_PASSWORD = 'readers-secret';
const STAFF = `ou=staff,${SUFFIX}`;
const GUESTS = `ou=guests,${SUFFIX}`;
const PRIVATE = `ou=private,${SUFFIX}`;
const TWINS = `ou=twins,${SUFFIX}`;
const WEIRD_LOGIN = 'we(i)rd*\\name';
const host = { directory: '/' };

interface Person {
  readonly uid: string;
  readonly base: string;
  readonly password?: string;
  readonly name?: string;
  readonly mail?: string;
}

const people: readonly Person[] = [
  { uid: 'alice', base: STAFF, password: 'wonderland', name: 'Alice Liddell', mail: 'alice@example.org' },
  { uid: 'bob', base: STAFF, password: 'of the staff' },
  { uid: 'bob', base: GUESTS, password: 'of the guests' },
  { uid: 'zoë', base: GUESTS, password: 'naïve-пароль-🚢', name: 'Zoë Łukasz' },
  { uid: WEIRD_LOGIN, base: STAFF, password: 'weird', name: 'weird' },
  { uid: 'locked', base: STAFF },
  { uid: 'twin', base: TWINS, password: 'one', name: 'one' },
  { uid: 'twin', base: TWINS, password: 'two', name: 'two' },
  { uid: 'pam', base: PRIVATE, password: 'private' },
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function ldif(): string {
  const blocks = [`dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example`];
  for (const base of [STAFF, GUESTS, TWINS, PRIVATE]) blocks.push(`dn: ${base}\nobjectClass: organizationalUnit`);
  blocks.push(`dn: ${READER}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\nuserPassword: ${READER_PASSWORD}`);
  for (const { uid, base, password, name = uid, mail } of people) {
    const lines = [`dn:: ${base64(`cn=${name},${base}`)}`, 'objectClass: inetOrgPerson', 'sn: x', `uid:: ${base64(uid)}`];
    if (password) lines.push(`userPassword:: ${base64(password)}`);
    if (mail) lines.push(`mail: ${mail}`, 'employeeNumber: admin');
    blocks.push(lines.join('\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}

let slapd: Slapd;

before(async () => {
  slapd = await startSlapd({
    suffix: SUFFIX,
    rootDn: `cn=root,${SUFFIX}`,
    rootPassword: 'unused',
    ldif: ldif(),
    databaseLines: [
      'access to attrs=userPassword by anonymous auth by * none',
      `access to dn.subtree="${PRIVATE}" by dn.exact="${READER}" read by anonymous auth by * none`,
      'access to * by * read',
    ],
  });
});

after(() => slapd?.stop());

type Changes = Readonly<Record<string, string>>;

function settingsWith(changes: Changes = {}): Map<string, string> {
  const values = { Url: `ldap://127.0.0.1:${slapd.port}`, SearchBases: `${STAFF}\n${GUESTS}`, UserLoginFilter: '(uid={0})' };
  return new Map(Object.entries({ ...values, ...changes }));
}

const authenticate = (login: string, password: string, changes?: Changes): ReturnType<typeof ldap.authenticate> =>
  ldap.authenticate(login, password, settingsWith(changes), host);

const asReader = { ManagerDN: READER, Password: READER_PASSWORD };

describe('authenticate', () => {
  const alice = { loginName: 'alice', displayName: 'Alice Liddell', email: 'alice@example.org' };

  test('lets in with the right password, and with no other', async () => {
    assert.deepEqual(await authenticate('alice', 'wonderland'), alice);
    assert.equal(await authenticate('alice', 'Wonderland'), undefined);
    assert.equal(await authenticate('nobody', 'wonderland'), undefined);
  });

  test('never lets in with an empty password', async () => {
    for (const login of ['alice', 'locked', 'nobody', '']) assert.equal(await authenticate(login, ''), undefined);
    assert.equal(await authenticate('alice', '', asReader), undefined);
  });

  test('never lets in a user whose entry has no password', async () => {
    assert.equal(await authenticate('locked', 'locked'), undefined);
  });

  test('gives the login name that the directory has, not the typed one', async () => {
    assert.deepEqual(await authenticate('ALICE', 'wonderland'), alice);
    assert.deepEqual(await authenticate(' alice ', 'wonderland'), alice);
    const byMail = await authenticate('Alice@example.org', 'wonderland', { UserLoginFilter: 'mail={0}' });
    assert.equal(byMail?.loginName, 'alice@example.org');
    for (const typed of ['Alice', 'Alice@example.org', 'admin']) {
      const found = await authenticate(typed, 'wonderland', { UserLoginFilter: '|(uid={0})(mail={0})(employeeNumber={0})' });
      assert.equal(found?.loginName, 'alice', `typed ${typed}`);
    }
    const composed = await authenticate('Alice', 'wonderland', { UserLoginFilter: 'mail={0}@example.org' });
    assert.equal(composed?.loginName, 'Alice');
  });

  test('filter syntax in a login name is escaped', async () => {
    for (const login of ['*', 'alice*', '*)(uid=*', 'alice)(uid=*', '*)(|(uid=*', 'a\\6cice', '\0', 'alice\0', '$&', '{0}', ' ', ')']) {
      assert.equal(await authenticate(login, 'wonderland'), undefined, JSON.stringify(login));
      assert.equal(await ldap.isUser(login, settingsWith(), host), false, JSON.stringify(login));
    }
    assert.equal((await authenticate(WEIRD_LOGIN, 'weird'))?.loginName, WEIRD_LOGIN);
  });

  test('reads names and passwords in letters of all scripts', async () => {
    const zoe = { loginName: 'zoë', displayName: 'Zoë Łukasz', email: undefined };
    assert.deepEqual(await authenticate('zoë', 'naïve-пароль-🚢'), zoe);
    assert.equal(await authenticate('zoë', 'naive-пароль-🚢'), undefined);
  });

  test('the first search base that has the name decides', async () => {
    assert.ok(await authenticate('bob', 'of the staff'));
    assert.equal(await authenticate('bob', 'of the guests'), undefined);
    assert.ok(await authenticate('bob', 'of the guests', { SearchBases: `\n ${GUESTS} \r\n${STAFF}\n` }));
    assert.equal(await authenticate('zoë', 'naïve-пароль-🚢', { SearchBases: STAFF }), undefined);
  });

  test('a login name that two entries have is refused', async () => {
    assert.equal(await authenticate('twin', 'one', { SearchBases: TWINS }), undefined);
    assert.equal(await authenticate('twin', 'two', { SearchBases: TWINS }), undefined);
    assert.equal(await ldap.isUser('twin', settingsWith({ SearchBases: TWINS }), host), false);
  });

  test('the manager finds entries that anonymous searches do not see', async () => {
    assert.equal((await authenticate('pam', 'private', { SearchBases: PRIVATE, ...asReader }))?.loginName, 'pam');
    assert.equal(await authenticate('pam', 'wrong', { SearchBases: PRIVATE, ...asReader }), undefined);
    await assert.rejects(authenticate('pam', 'private', { SearchBases: PRIVATE }), /result code 50 \(InsufficientAccess\)/);
  });

  test('a manager with a wrong password is an error that reveals no secret', async () => {
    const wrong = { ManagerDN: READER, Password: 'not-the-readers-secret' };
    await assert.rejects(authenticate('alice', 'wonderland', wrong), (error: Error) => {
      assert.equal(error.message, `LDAP server 127.0.0.1:${slapd.port}: it refused the manager DN with the manager password.`);
      assert.equal(error.cause, undefined);
      return true;
    });
    await assert.rejects(authenticate('alice', 'wonderland', { ManagerDN: READER, Password: '' }), /Password cannot be blank/);
  });

  test('reads name and mail from other attributes, and does without missing ones', async () => {
    const changes = { DisplayNameAttribute: 'UID', EmailAttribute: 'nosuchattribute' };
    assert.deepEqual(await authenticate('alice', 'wonderland', changes), { loginName: 'alice', displayName: 'alice', email: undefined });
    const nameless = await authenticate('alice', 'wonderland', { DisplayNameAttribute: 'description' });
    assert.equal(nameless?.displayName, 'alice');
  });
});

test('isUser is true for users in the directory only', async () => {
  assert.equal(await ldap.isUser('alice', settingsWith(), host), true);
  assert.equal(await ldap.isUser('Bob', settingsWith(), host), true);
  assert.equal(await ldap.isUser('nobody', settingsWith(), host), false);
});

describe('search', () => {
  const namesFor = async (term: string, changes?: Changes): Promise<readonly string[]> =>
    (await ldap.search(term, settingsWith(changes), host)).map((user) => user.loginName).sort();

  test('finds parts of names and addresses in every base, each name once', async () => {
    assert.deepEqual(await namesFor('LIDD'), ['alice']);
    assert.deepEqual(await namesFor('@example'), ['alice']);
    assert.deepEqual(await namesFor('ob'), ['bob']);
    assert.deepEqual(await namesFor('o'), ['alice', 'bob', 'locked', 'zoë']);
    assert.deepEqual(await namesFor('zoë'), ['zoë']);
  });

  test('takes every character as it is', async () => {
    assert.deepEqual(await namesFor('*'), [WEIRD_LOGIN]);
    assert.deepEqual(await namesFor(')(uid=*'), []);
    assert.deepEqual(await namesFor(''), []);
  });

  test('uses a filter of the settings', async () => {
    assert.deepEqual(await namesFor('ali', { UserSearchFilter: 'cn={0}*' }), ['alice']);
    assert.deepEqual(await namesFor('ali', { UserSearchFilter: '(mail=*{0})' }), []);
  });
});

describe('verifyConnection', () => {
  for (const Url of [
    'ldap://169.254.169.254',
    'ldaps://[::ffff:169.254.169.254]',
    'ldap://0xa9fea9fe',
    'ldaps://2852039166',
    'ldap://[fe80::1]',
  ])
    test(`does not connect to ${Url}`, async () => {
      const verdict = await verify({ Url });
      assert.match(verdict.ok ? 'connected' : verdict.reason, /(?:is|leads to) a link-local address/);
    });

  const verify = (changes?: Changes): ReturnType<typeof ldap.verifyConnection> => ldap.verifyConnection(settingsWith(changes), host);

  test('is fine when a login could work', async () => {
    assert.deepEqual(await verify(), { ok: true });
    assert.deepEqual(await verify(asReader), { ok: true });
  });

  test('fails with the reason', async () => {
    const where = `LDAP server 127.0.0.1:${slapd.port}:`;
    assert.deepEqual(await verify({ ...asReader, Password: 'x' }), {
      ok: false,
      reason: `${where} it refused the manager DN with the manager password.`,
    });
    assert.deepEqual(await verify({ SearchBases: `${STAFF}\nou=nowhere,${SUFFIX}` }), {
      ok: false,
      reason: `${where} search base 'ou=nowhere,${SUFFIX}': it answered with result code 32 (NoSuchObject).`,
    });
    assert.match(JSON.stringify(await verify({ SearchBases: 'not a name' })), /result code 34 \(InvalidDNSyntax\)/);
    const [closedPort] = await findFreePorts();
    assert.match(JSON.stringify(await verify({ Url: `ldap://127.0.0.1:${closedPort}` })), /ECONNREFUSED/);
    assert.match(JSON.stringify(await verify({ Url: `ldap://localhost:${closedPort}` })), /ECONNREFUSED/);
    assert.deepEqual(await verify({ Url: '' }), { ok: false, reason: 'Url must not be blank.' });
  });
});

describe('a server that does not answer', () => {
  const connections: Socket[] = [];
  const silent = createServer((socket) => void connections.push(socket.on('error', () => socket.destroy()).resume()));
  let port = 0;

  before(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    port = (silent.address() as AddressInfo).port;
  });

  after(() => {
    for (const connection of connections) connection.destroy();
    silent.close();
  });

  async function timeToFail(changes: Changes): Promise<number> {
    const start = performance.now();
    await assert.rejects(authenticate('alice', 'wonderland', changes), (error: Error) => {
      assert.match(error.message, /^LDAP server /);
      assert.doesNotMatch(error.message, /wonderland|readers-secret|alice/);
      return true;
    });
    return performance.now() - start;
  }

  test('is given up after the search timeout, and the connection closed', async () => {
    const changes = { Url: `ldap://127.0.0.1:${port}`, SearchTimeout: '1' };
    await withGrowingLimits(async (factor) => {
      assert.ok((await timeToFail({ ...changes, ...asReader })) < factor * 2_500);
      assert.ok((await timeToFail(changes)) < factor * 2_500);
    });
    for (const connection of connections) if (!connection.closed) await once(connection, 'close');
  });

  test('is given up after five seconds when it does not even shake hands', async () => {
    await withGrowingLimits(async (factor) => {
      assert.ok((await timeToFail({ Url: `ldaps://127.0.0.1:${port}` })) < factor * 7_000);
    });
  });
});

describe('ldaps', () => {
  const pluginUrl = new URL('../../src/plugins/bundled/authorization/ldap/authentication.ts', import.meta.url).href;
  const script = `
    import { ldap } from ${JSON.stringify(pluginUrl)};
    const settings = new Map(JSON.parse(process.env.LDAP_SETTINGS));
    const answer = await ldap.authenticate('alice', process.env.LDAP_PASSWORD, settings, { directory: '/' }).catch((error) => error.message);
    console.log(JSON.stringify(answer ?? null));
  `;

  /** Logs in by a process of its own, because the trusted authorities are read when a process starts. */
  async function authenticateAlice(url: string, password: string, trust: Changes): Promise<unknown> {
    const settings = JSON.stringify([...settingsWith({ Url: url, ...asReader })]);
    const env = { ...process.env, ...trust, LDAP_SETTINGS: settings, LDAP_PASSWORD: password };
    const child = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env, timeout: PATIENCE_MS });
    return JSON.parse(child.stdout);
  }

  const secureUrl = (): string => `ldaps://127.0.0.1:${slapd.securePort}`;

  test('works with a certificate of an authority that is trusted', async () => {
    const trust = { NODE_EXTRA_CA_CERTS: slapd.caFile };
    const user = { loginName: 'alice', displayName: 'Alice Liddell', email: 'alice@example.org' };
    assert.deepEqual(await authenticateAlice(secureUrl(), 'wonderland', trust), user);
    assert.equal(await authenticateAlice(secureUrl(), 'wrong', trust), null);
    assert.equal(await authenticateAlice(secureUrl(), '', trust), null);
  });

  test('trusts the authorities of the system', { skip: process.platform !== 'linux' }, async () => {
    assert.notEqual(typeof (await authenticateAlice(secureUrl(), 'wonderland', { SSL_CERT_FILE: slapd.caFile })), 'string');
  });

  test('refuses any other certificate, also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    assert.match(`${await authenticateAlice(secureUrl(), 'wonderland', {})}`, /^LDAP server .*certificate.*NODE_EXTRA_CA_CERTS/);
    const careless = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    assert.match(`${await authenticateAlice(secureUrl(), 'wonderland', careless)}`, /^LDAP server .*(certificate|verify)/);
  });

  test('refuses the certificate of another host', async () => {
    const answer = await authenticateAlice(`ldaps://localhost:${slapd.securePort}`, 'wonderland', { NODE_EXTRA_CA_CERTS: slapd.caFile });
    assert.match(`${answer}`, /does not match certificate's altnames/);
  });
});

describe('the settings', () => {
  const block = ldap.blocks.auth_config;
  const problemsOf = (changes: Changes): unknown => block?.check?.(settingsWith(changes), { contextPath: '', secureSiteUrl: undefined });

  test('are fine', () => {
    assert.deepEqual(problemsOf({}), []);
    assert.deepEqual(problemsOf({ ...asReader, Url: 'LDAPS://host', UserLoginFilter: 'uid={0}', SearchTimeout: '10' }), []);
    assert.deepEqual(problemsOf({ Url: '', UserLoginFilter: '' }), [], 'blank required settings are reported by the host of the plugins');
  });

  test('have problems beside their keys', () => {
    const blankPassword = [{ key: 'Password', message: 'Password cannot be blank when ManagerDN is provided.' }];
    assert.deepEqual(problemsOf({ ManagerDN: READER }), blankPassword);
    assert.deepEqual(problemsOf({ ManagerDN: READER, Password: ' ' }), blankPassword);
    for (const Url of ['http://host', 'host:389', 'ldap:host', 'ldap://', 'ldap:///', 'ldap://a b']) {
      assert.deepEqual(problemsOf({ Url }), [{ key: 'Url', message: 'Url must start with ldap:// or ldaps:// and name a host.' }], Url);
    }
    for (const UserLoginFilter of ['(uid=alice)', '(uid={0}', '(&(uid={0})))', '{0}']) {
      const message = 'UserLoginFilter must be an LDAP filter with {0} in the place of the name to look for.';
      assert.deepEqual(problemsOf({ UserLoginFilter }), [{ key: 'UserLoginFilter', message }], UserLoginFilter);
    }
    for (const SearchTimeout of ['0', '-1', 'soon', '1.5', '301']) {
      const message = 'SearchTimeout must be a number of seconds from 1 to 300.';
      assert.deepEqual(problemsOf({ SearchTimeout }), [{ key: 'SearchTimeout', message }], SearchTimeout);
    }
  });

  test('hide the password only', () => {
    assert.deepEqual(
      block?.fields.filter((field) => field.secure).map((field) => field.key),
      ['Password'],
    );
  });
});
