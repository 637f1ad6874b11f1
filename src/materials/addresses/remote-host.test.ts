// Which hosts programs may connect to, and which addresses are refused because their host is not certain.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MaterialProblem } from '../clients/client.ts';
import { perforceHost, remoteHosts } from './remote-host.ts';

const hostsIn = (url: string) => remoteHosts(url).map(({ host, port }) => (port === undefined ? host : `${host} ${port}`));

describe('addresses', () => {
  for (const [url, ...hosts] of [
    ['http://git.example.org/app', 'git.example.org'],
    ['HTTPS://Git.Example.org:8443/app?x#y', 'Git.Example.org 8443'],
    ['http://host', 'host'],
    ['http://host:/x', 'host'],
    ['http://0x7f.1/x', '0x7f.1'],
    ['http://[::1]:80/x', '::1 80'],
    ['http://[fe80::1%eth0]/x', 'fe80::1%eth0'],
    ['http://bücher.example/x', 'bücher.example'],
    ['http://host./x', 'host.'],
    ['http://under_score-1/x%40y', 'under_score-1'],
    ['http://bob:se%2Fcret@host/x', 'host'],
    ['ssh://CORP\\bob@host/x', 'host'],
    ['ssh://git@host:22/x', 'host 22'],
    ['ssh://a%40b@host/x', 'host'],
    ['ssh://a@b@host/x', 'host'],
    ['ssh://one%2F@two/x', 'two', 'one'],
    ['svn+ssh://host/x', 'host'],
    ['git://host:9418/x', 'host 9418'],
    ['git@host:team/app.git', 'host'],
    ['host:app', 'host'],
    ['a@b@host:app', 'host'],
    ['user:word@host:app', 'user'],
    ['git@[::1]:app', '::1'],
    ['[host:22]:app', 'host 22'],
    ['git@[host:22]:app', 'host 22'],
  ] as const)
    test(`the hosts in ${url} are known`, () => assert.deepEqual(hostsIn(url), hosts));

  for (const url of [
    'http:///x',
    'http://',
    'http://ho st/x',
    'http://good\\@evil/x',
    'http://good\\.evil/x',
    'http://%31%32%37.0.0.1/x',
    'ssh://%31%32%37.0.0.1/x',
    'http://host:80x/',
    'http://host:999999/',
    'http://[::1/x',
    'http://[::1]x/',
    'http://a;b/x',
    'http://a,b/x',
    'http://host\t.example/x',
    'http::http://127.0.0.1/x',
    'ext::sh -c x',
    'fd::7',
    'no host',
  ])
    test(`${JSON.stringify(url)} is refused`, () => assert.throws(() => remoteHosts(url), MaterialProblem));
});

describe('Perforce', () => {
  for (const [port, host, number] of [
    ['1666', 'localhost', 1666],
    ['', 'localhost', 0],
    ['ssl:1666', 'localhost', 1666],
    ['perforce:1666', 'perforce', 1666],
    ['ssl64:p4.example.org:1666', 'p4.example.org', 1666],
    ['tcp6:[::1]:1666', '::1', 1666],
  ] as const)
    test(`the host of the Perforce port ${JSON.stringify(port)} is known`, () =>
      assert.deepEqual(perforceHost(port), { host, port: number }));

  test('a port with a blank is refused', () => assert.throws(() => perforceHost('a b:1666'), MaterialProblem));
});
