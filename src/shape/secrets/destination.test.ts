// Tests which addresses lead to the same host.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersOfEntity, membersOfJson, originOf } from './destination.ts';

test('path, user, letter case and the usual port do not count', () => {
  for (const same of [
    'https://scm.example.org',
    'https://scm.example.org/',
    'HTTPS://SCM.Example.org:443/a/b.git?x=1#main',
    ' https://me:******@scm.example.org/a@b ',
    'https://me:hush@scm.example.org/a',
    'https://scm.example.org#branch',
  ])
    assert.equal(originOf(same), 'https://scm.example.org:443', same);
  assert.equal(originOf('ssh://git@[::1]:2222/a'), 'ssh://[::1]:2222');
  assert.equal(originOf('ldap://host'), 'ldap://host:389');
});

test('scheme, host and port count', () => {
  const others = [
    'http://scm.example.org',
    'https://scm.example.org:8443',
    'https://example.org',
    'https://scm.example.org.evil.org',
    'ssh://scm.example.org',
  ];
  assert.equal(new Set(others.map(originOf)).size, others.length);
  for (const other of others) assert.notEqual(originOf(other), 'https://scm.example.org:443');
});

test('an address that programs could read in another way counts as a whole', () => {
  for (const odd of [
    'https://good.example.org\\@evil.example.org/',
    'https://me@good.example.org@evil.example.org/',
    'https://good.example.org,https://evil.example.org',
    'https://good.example.org/,https://evil.example.org',
    'https://good.example.org https://evil.example.org',
    'https://good.example.org%2eevil.example.org/',
    'https://#{host}/a',
    'git@good.example.org:a.git',
    'ssl:p4.example.org:1666',
    'smtp.example.org',
    'https://',
    '',
  ])
    assert.equal(originOf(odd), odd);
});

test('members are read by the name that counts, in both forms', () => {
  const json = membersOfJson({ plugin_id: 'right', pluginId: 'wrong', plugin_metadata: { id: 'x', version: '1' }, port: 25, tls: null });
  assert.deepEqual(['pluginId', 'pluginMetadata', 'port', 'tls', 'absent'].map(json), ['right', 'x', '25', '', '']);
  const entity = membersOfEntity({ pluginId: 'right', plugin_id: 'wrong', url: { masked: 'https://me:******@host', full: {} } });
  assert.deepEqual(['pluginId', 'url'].map(entity), ['right', 'https://me:******@host']);
  assert.equal(membersOfJson({ url: 'a' }, (text) => `${text}!`)('url'), 'a!');
});
