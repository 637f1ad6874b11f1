// Which user local agents run as, which files that user gets to, and at which address they find the server.
import assert from 'node:assert/strict';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { accountIn } from './account.ts';
import { agentEnvironment } from './environment.ts';
import { barrierTo, EXECUTE, mayUse, READ } from './file-access.ts';
import { allowTraversal, forbidTraversal } from './folders.ts';
import { decideRunAs } from './run-as.ts';
import { copyOfNode } from './runtime.ts';
import { serverAddress } from './server-address.ts';
import { pauseAfterFailures } from './watched-agent.ts';

const PASSWD = `root:x:0:0:root:/root:/bin/bash
# builder:x:1:1::/:
builder:x:1001:1002:Builder,,,:/home/builder:/bin/sh
`;
const account = { name: 'builder', uid: 1001, gid: 1002, home: '/home/builder' };
const folder = mkdtempSync(join(tmpdir(), 'slipway-reach-'));
after(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o7777;

test('users are those of the machine', () => {
  assert.deepEqual(accountIn(PASSWD, 'builder'), account);
  assert.equal(accountIn(PASSWD, 'build'), undefined);
  assert.equal(accountIn('broken:x:\n', 'broken'), undefined);
});

describe('the user they run as', () => {
  const facts = { isRoot: true, user: 'builder', account, dataDir: '/srv/data', barrier: undefined };
  const whyNot = (more: object) => {
    const who = decideRunAs({ ...facts, ...more });
    return who.account ? undefined : who.why;
  };
  test('is the configured one, if the server runs as root', () => assert.deepEqual(decideRunAs(facts), { account }));
  test('is that of the server, if the server does not run as root', () => assert.match(whyNot({ isRoot: false }) ?? '', /^Only root can/));
  test('is that of the server, if the configured one does not exist', () =>
    assert.match(whyNot({ account: undefined }) ?? '', /no user builder .*SLIPWAY_LOCAL_AGENT_USER/));
  test('is root, if root is configured', () =>
    assert.match(whyNot({ account: { ...account, uid: 0 } }) ?? '', /^The user builder is root/));
  test('is that of the server, if the configured one does not get to the data', () => {
    assert.match(whyNot({ barrier: '/srv' }) ?? '', /^The user builder does not get to the data directory \/srv\/data: \/srv is closed/);
  });
});

describe('the paths a user gets to', { skip: process.platform === 'win32' && 'there are no modes' }, () => {
  const [closed, inside] = [join(folder, 'closed'), join(folder, 'closed', 'inside')];
  const file = join(inside, 'file');
  mkdirSync(inside, { recursive: true });
  writeFileSync(file, '');
  const owner = statSync(file);
  const stranger = { uid: owner.uid + 1, gid: owner.gid + 1 };
  for (const path of [folder, closed, inside]) chmodSync(path, 0o711);
  /** Folders above that of the test do not count. */
  const within = (path: string | undefined) => (path?.startsWith(folder) ? path : undefined);

  test('folders on the way must let the user pass', () => {
    assert.equal(within(barrierTo(file, stranger)), undefined);
    chmodSync(closed, 0o700);
    assert.equal(within(barrierTo(file, stranger)) ?? (barrierTo(file, stranger) && closed), closed);
    assert.equal(mayUse(file, stranger, READ), false);
    chmodSync(closed, 0o711);
  });

  test('the first rule that fits of owner, group and others counts alone', () => {
    chmodSync(file, 0o045);
    const isUsed = (user: typeof stranger, rights: number) => mayUse(file, user, rights);
    assert.equal(isUsed(owner, READ), false);
    assert.equal(isUsed({ ...stranger, gid: owner.gid }, EXECUTE), false);
    chmodSync(file, 0o604);
    assert.equal(isUsed({ ...stranger, gid: owner.gid }, READ), false);
  });

  test('a missing file cannot be used', () => assert.equal(mayUse(join(file, 'more'), owner, READ), false));
});

test('the data directory is a passage only while another user needs it', { skip: process.platform === 'win32' }, () => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const modes = () => [modeOf(dataDir), modeOf(join(dataDir, 'agents'))];
  allowTraversal(dataDir, account);
  assert.deepEqual(modes(), [0o711, 0o711]);
  allowTraversal(dataDir, undefined);
  assert.deepEqual(modes(), [0o700, 0o700]);
  chmodSync(dataDir, 0o770);
  forbidTraversal(dataDir);
  assert.equal(modeOf(dataDir), 0o770, 'a volume of a group stays as it is');
});

test('Node is linked for the user, or copied where its own modes are in the way, once', {
  skip: process.platform === 'win32',
}, async () => {
  const [from, to] = [join(folder, 'node'), join(folder, 'runtime')];
  mkdirSync(to);
  writeFileSync(from, 'program');
  chmodSync(from, 0o755);
  const linked = await copyOfNode(from, to);
  assert.equal(statSync(linked).ino, statSync(from).ino);
  rmSync(linked);
  chmodSync(from, 0o700);
  const copied = await copyOfNode(from, to);
  const { ino, size } = statSync(copied);
  assert.deepEqual([modeOf(copied), modeOf(from), size], [0o755, 0o700, 7]);
  linkSync(copied, `${copied}.kept`);
  assert.equal(statSync(await copyOfNode(from, to)).ino, ino, 'it is there already');
  writeFileSync(from, 'new program');
  assert.notEqual(statSync(await copyOfNode(from, to)).ino, ino);
});

test('agents get little of the environment of the server, and another user none of its user', () => {
  const own = {
    PATH: '/x/node_modules/.bin:/usr/bin:/bin',
    LC_TIME: 'C',
    TZ: 'UTC',
    HOME: '/root',
    SLIPWAY_ADMIN_PASSWORD: 'a',
    AWS_KEY: 'b',
  };
  assert.deepEqual(agentEnvironment(own, '/work', undefined), { PATH: '/usr/bin:/bin', LC_TIME: 'C', TZ: 'UTC', HOME: '/root' });
  const { HOME, USER, AWS_KEY } = agentEnvironment(own, '/work', { ...account, home: '/nonexistent' });
  assert.deepEqual([HOME, USER, AWS_KEY], ['/work', 'builder', undefined]);
});

describe('where the server is', () => {
  const cert = join(folder, 'cert.pem');
  const [leaf, authority] = ['a', 'b'].map((name) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----`) as [string, string];
  writeFileSync(cert, `${leaf}\n${authority}\n`);
  const tls = (plain: 'redirect' | 'closed' | 'open') => ({ cert, key: 'k', port: 8154, plain });
  const both = ['http://0.0.0.0:8153', 'https://0.0.0.0:8154'];

  test('is the loopback address, if the server listens on all addresses', () => {
    const urlOf = (address: string) => serverAddress([address], { tls: undefined, contextPath: '/cd' }).url;
    assert.equal(urlOf('http://0.0.0.0:8153'), 'http://127.0.0.1:8153/cd');
    assert.equal(urlOf('http://[::]:8153'), 'http://[::1]:8153/cd');
    assert.equal(urlOf('http://10.1.2.3:1'), 'http://10.1.2.3:1/cd');
  });

  test('is that with TLS and the certificate, unless plain HTTP is open', () => {
    const addressWith = (plain: 'redirect' | 'closed' | 'open') =>
      serverAddress(plain === 'closed' ? both.slice(1) : both, { tls: tls(plain), contextPath: '' });
    assert.deepEqual(addressWith('redirect'), { url: 'https://127.0.0.1:8154', certificate: leaf });
    assert.deepEqual(addressWith('closed'), { url: 'https://127.0.0.1:8154', certificate: leaf });
    assert.deepEqual(addressWith('open'), { url: 'http://127.0.0.1:8153', certificate: undefined });
  });
});

test('an agent that fails is started again after 1 s, and at last once a minute', () => {
  assert.deepEqual([1, 2, 3, 7, 50].map(pauseAfterFailures), [1000, 2000, 4000, 60_000, 60_000]);
});
