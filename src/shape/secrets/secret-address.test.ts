import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretAddress } from './secret-address.ts';

test('an address with a password, in a setting for addresses, is a secret', () => {
  const keys = ['url', 'RegistryURL', 'go_server_url', 'docker_uri', 'Endpoint', 'HTTP_PROXY', 'remote', 'RepositoryAddress'];
  for (const key of keys) assert.ok(isSecretAddress(key, 'https://me:hush@host.example.org/a.git'), key);
  const values = [
    'HTTPS://me:hush@host',
    'svn+ssh://me:hush@host:22/x y'.replace(' ', '%20'),
    '\thttp://:hush@host/ \n',
    'https://me:p@ss@host/',
  ];
  for (const value of values) assert.ok(isSecretAddress('url', value), value);
});

test('an address without a password is no secret', () => {
  for (const value of ['https://host.example.org/a.git', 'https://host:8080/@scope/x', 'ssh://git@host/a.git', 'git@host:a.git', ''])
    assert.equal(isSecretAddress('url', value), false, value);
});

test('a text that mentions an address with a password is no secret', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of a shell
  const script = 'git push https://$USER:${TOKEN}@host.example.org/a.git main';
  const lines = 'set -e\nhttps_proxy=https://me:hush@proxy.example.org curl https://host.example.org';
  for (const text of [script, lines, 'see https://me:hush@host', 'https://me:hush@host and more']) {
    assert.equal(isSecretAddress('url', text), false, text);
    assert.equal(isSecretAddress('script', text), false, text);
  }
});

test('an address with a password in a setting for something else is no secret', () => {
  for (const key of ['script', 'command', 'arguments', 'Environment', 'Image', 'message']) {
    assert.equal(isSecretAddress(key, 'https://me:hush@host.example.org/a.git'), false, key);
  }
});
