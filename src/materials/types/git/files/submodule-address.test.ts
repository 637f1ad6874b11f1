import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverOf, submoduleAddress } from './submodule-address.ts';

const HTTPS = 'https://git.example.org/team/app.git';

test('submodules may be on other servers, by the usual protocols', () => {
  for (const url of [
    'https://other.example.org/lib.git',
    'http://other:8080/x',
    'ssh://git@host:22/x.git',
    'git@host:team/lib.git',
    'git://host/x',
    'host:lib',
  ])
    for (const outer of [HTTPS, 'git@host:team/app', '/srv/git/app']) assert.equal(submoduleAddress(url, outer), url);
});

test('relative addresses begin with the address of the repository', () => {
  assert.equal(submoduleAddress('../lib.git', HTTPS), 'https://git.example.org/team/lib.git');
  assert.equal(submoduleAddress('../../other/lib', `${HTTPS}/`), 'https://git.example.org/other/lib');
  assert.equal(submoduleAddress('./lib', HTTPS), `${HTTPS}/lib`);
  assert.equal(submoduleAddress('../lib', 'git@host:team/app'), 'git@host:team/lib');
  assert.equal(submoduleAddress('../lib', 'ssh://git@host:22/team/app'), 'ssh://git@host:22/team/lib');
  assert.equal(submoduleAddress('../lib', '/srv/git/app'), '/srv/git/lib');
  assert.equal(submoduleAddress('../lib', 'file:///srv/git/app'), 'file:///srv/git/lib');
});

test('files of this machine are only for repositories of this machine', () => {
  for (const url of ['/srv/git/lib', 'file:///srv/git/lib']) {
    assert.equal(submoduleAddress(url, '/srv/git/app'), url);
    assert.equal(submoduleAddress(url, 'file:///srv/git/app'), url);
    assert.equal(submoduleAddress(url, HTTPS), undefined);
    assert.equal(submoduleAddress(url, 'git@host:team/app'), undefined);
  }
});

test('hostile addresses are refused', () => {
  const tricks = [
    '',
    ' ',
    '-u./x',
    '--upload-pack=touch x',
    'ext::sh -c "touch x"',
    'fd::7',
    'transport::http://host/x',
    'http::https://host/x',
    'ssh://-oProxyCommand=touch/x',
    'ssh://user@-oProxyCommand=x/y',
    'git@-oProxyCommand=x:y',
    'unknown://host/x',
    'ftp://host/x',
    'https:///x',
    'https://host/x\n[core]',
    'lib',
    'lib/x',
    '~/x',
    '~bob/x',
    '../../../../x',
    './a/../../../x',
    '/srv/git/../../etc/x',
    'C:\\x',
  ];
  for (const trick of tricks) assert.equal(submoduleAddress(trick, HTTPS), undefined, JSON.stringify(trick));
  for (const trick of tricks)
    if (!trick.startsWith('.')) assert.equal(submoduleAddress(trick, '/srv/git/app'), undefined, JSON.stringify(trick));
});

test('addresses of one server are recognized, whatever their credentials and path', () => {
  assert.equal(serverOf('HTTPS://Host:8443/a/b'), 'https://host:8443');
  assert.equal(serverOf('https://bob:secret@host:443/a'), serverOf('https://host/b'));
  assert.notEqual(serverOf('http://host/a'), serverOf('https://host/a'));
  assert.equal(serverOf('git@host:a'), undefined);
});
