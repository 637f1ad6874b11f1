// The settings that hold git to judged addresses, and the redirects that are taken over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOW_ALL_ADDRESSES } from '../../../../test/support/server/allow-all-addresses.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import { GitRoute, pinsFor, settingsEnvironment } from './route.ts';

const context: PollContext = {
  ...ALLOW_ALL_ADDRESSES,
  directory: '/',
  signal: new AbortController().signal,
  onActivity: () => {},
  limits: { timeoutMs: 10_000, maxBytes: 0 },
};

test('every spelling of a host is tied to its addresses', () => {
  const pins = (url: string, host: string, port?: number) =>
    pinsFor(url, [{ host, port, addresses: ['192.0.2.1', '2001:db8::1'] }]).map(([, value]) => value);
  assert.deepEqual(pins('https://Host.Example./x', 'Host.Example.'), [
    'host.example.:443:192.0.2.1,[2001:db8::1]',
    'host.example:443:192.0.2.1,[2001:db8::1]',
  ]);
  assert.deepEqual(pins('http://bücher.example:81/x', 'bücher.example', 81), [
    'bücher.example:81:192.0.2.1,[2001:db8::1]',
    'xn--bcher-kva.example:81:192.0.2.1,[2001:db8::1]',
  ]);
  assert.deepEqual(pinsFor('https://host/x', [{ host: 'host', port: undefined, addresses: [] }]), []);
  assert.deepEqual(pins('ssh://host.example:22/x', 'host.example', 22), []);
  assert.deepEqual(pinsFor('https://[::1]/x', [{ host: '::1', port: undefined, addresses: ['::1'] }]), []);
});

test('settings are passed in the environment', () => {
  assert.deepEqual(settingsEnvironment([]), {});
  assert.deepEqual(
    settingsEnvironment([
      ['url.http://x/?a=b.insteadOf', 'http://y/'],
      ['a.b', 'c'],
    ]),
    {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'url.http://x/?a=b.insteadOf',
      GIT_CONFIG_VALUE_0: 'http://y/',
      GIT_CONFIG_KEY_1: 'a.b',
      GIT_CONFIG_VALUE_1: 'c',
    },
  );
});

test('a redirect is taken over when it leads to a repository, and judged', async () => {
  const source = 'http://127.0.0.1:8080/app';
  const route = () => new GitRoute(source, context);
  for (const location of [
    'http://127.0.0.2/x',
    'file:///x/info/refs?service=git-upload-pack',
    'ftp://h/info/refs?service=git-upload-pack',
    'http://[',
  ])
    assert.equal(route().moveTo(location), false, location);
  const moved = route();
  assert.ok(moved.moveTo('/other.git/info/refs?service=git-upload-pack'));
  const { GIT_CONFIG_KEY_1, GIT_CONFIG_VALUE_1 } = await moved.environment();
  assert.deepEqual([GIT_CONFIG_KEY_1, GIT_CONFIG_VALUE_1], ['url.http://127.0.0.1:8080/other.git.insteadOf', source]);
  assert.ok(moved.moveTo('http://me:secret@169.254.169.254/x/info/refs?service=git-upload-pack'));
  await assert.rejects(moved.environment(), (failure: Error) => failure instanceof MaterialProblem && !failure.message.includes('secret'));
});
