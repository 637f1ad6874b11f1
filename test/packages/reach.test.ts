// Package repositories at addresses that the server must not ask: in every spelling, behind names, and behind redirects.
import assert from 'node:assert/strict';
import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { TRUSTED } from '../../src/kit/network/reach.ts';
import { httpJsonPackagePlugin } from '../../src/plugins/bundled/packages/http-json.ts';
import { repositoryReach } from '../../src/server/open/network-rules.ts';
import { startWebServer, type WebServer } from '../support/services/web-server.ts';
import { pollTools, settings } from './tools.ts';

const defaultPolicy = repositoryReach({ allowLoopback: false, allowPrivateRepositories: true });
const strict = repositoryReach({ allowLoopback: true, allowPrivateRepositories: false });
const SECRET = 'nobody-may-read-this';
let server: WebServer;
let target = '';

before(async () => {
  server = await startWebServer(({ url }, response) => {
    if (url === '/redirect') response.writeHead(302, { location: target }).end(SECRET);
    else if (url === '/fails') response.writeHead(500, `${SECRET} reason`, { 'content-type': 'text/plain' }).end(SECRET);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ version: '1.2.3', other: SECRET }));
  });
});
after(() => server.stop());

const verdictAt = async (url: string, networkPolicy = defaultPolicy) => {
  const { isOk, messages } = await httpJsonPackagePlugin.checkRepository(
    settings({ REPO_URL: url }).repository,
    pollTools({ networkPolicy }),
  );
  return isOk ? 'asked' : messages.join();
};
const packageAt = async (path: string, networkPolicy = TRUSTED) =>
  (
    await httpJsonPackagePlugin.checkPackage(
      settings({ REPO_URL: server.url }, { PACKAGE_PATH: path, REVISION_POINTER: '/version' }),
      pollTools({ networkPolicy }),
    )
  ).messages.join();

describe('spellings', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'LOCALHOST',
  ]) {
    test(`a host of this machine is not asked: ${host}`, async () => {
      assert.match(await verdictAt(`http://${host}:${new URL(server.url).port}/`), /(?:is|leads to) the machine of the server itself\./);
    });
  }

  test('a host of this machine is not asked: localhost.', async () => assert.notEqual(await verdictAt('http://localhost./'), 'asked'));

  for (const host of [
    '169.254.169.254',
    '169.254.43518',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '0xa9.254.0251.254',
    '169.254.169.254.',
    '１６９.２５４.１６９.２５４',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '168.63.129.16',
  ]) {
    test(`a link-local or metadata host is never asked: ${host}`, async () => {
      assert.match(
        await verdictAt(`http://${host}/latest/meta-data/`, TRUSTED),
        /(?:is|leads to) a link-local address, or one of the metadata/,
      );
    });
  }

  test('private networks are asked unless a setting says otherwise', async () => {
    const refusal = 'is a private network. The server connects there only when it is started with --allow-private-repositories.';
    assert.equal(await verdictAt('http://10.255.255.1/', strict), `10.255.255.1 ${refusal}`);
    assert.equal(await verdictAt('http://[fd12::1]/', strict), `fd12::1 ${refusal}`);
    assert.equal(await verdictAt(server.url, strict), 'asked');
    assert.equal(defaultPolicy.private, undefined);
  });
});

describe('redirects', () => {
  for (const to of [
    'http://169.254.169.254/latest/meta-data/iam/',
    'https://[::ffff:169.254.169.254]/',
    'http://0xa9fea9fe/',
    '//100.100.100.200/latest',
  ]) {
    test(`redirects to ${to} are not followed, and where they lead is not revealed`, async () => {
      target = to;
      const message = await packageAt('redirect');
      assert.match(message, /^http:\/\/127\.0\.0\.1:\d+\/redirect redirects to a link-local address, or one of the metadata/);
      // The port of the server is any number.
      assert.doesNotMatch(message.replace(server.url, ''), /latest|169|100/u);
    });
  }

  test('redirects to a name that means another address the second time are not followed', async (t) => {
    const answers = ['127.0.0.1', '169.254.169.254'];
    const name = 'rebinding.example';
    const lookupMock = t.mock.method(dns, 'lookup', ((_: string, __: object, answer: (failure: null, found: LookupAddress[]) => void) =>
      answer(null, [{ address: answers.shift()!, family: 4 }])) as typeof dns.lookup);
    syncBuiltinESMExports();
    t.after(() => {
      lookupMock.mock.restore();
      syncBuiltinESMExports();
    });
    const { port } = new URL(server.url);
    target = `http://${name}:${port}/again`;
    const given = settings({ REPO_URL: `http://${name}:${port}` }, { PACKAGE_PATH: 'redirect', REVISION_POINTER: '/version' });
    const before = server.requests.length;
    const { isOk, messages } = await httpJsonPackagePlugin.checkPackage(given, pollTools());
    assert.equal(isOk, false);
    assert.match(messages.join(), /redirects to a link-local address/);
    assert.deepEqual(server.requests.slice(before), ['GET /redirect']);
    assert.deepEqual(answers, []);
  });

  test('a host whose redirect fails is not named', async () => {
    target = `${server.url.replace('127.0.0.1', 'localhost')}/fails`;
    const message = await packageAt('redirect');
    assert.equal(message, `${server.url}/redirect was answered with status 500.`);
  });
});

test('the content of an answer is not repeated in messages', async () => {
  assert.equal(await packageAt('fails'), `${server.url}/fails was answered with status 500.`);
  assert.equal(await packageAt('version.json'), 'Found version 1.2.3.');
});
