import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocal, openAddress, redactor } from './address.ts';

const login = (username: string, password: string | null) => ({ username, password });

test('credentials leave the address', () => {
  for (const [text, url, expected] of [
    ['https://bob:pass@host/app', 'https://host/app', login('bob', 'pass')],
    ['https://bob:p%40ss%2Fword@host/app', 'https://host/app', login('bob', 'p@ss/word')],
    ['https://bob:p@ss@host:81/app', 'https://host:81/app', login('bob', 'p@ss')],
    ['https://bob:pa/ss@host/app', 'https://host/app', login('bob', 'pa/ss')],
    ['HTTPS://bob:100%@host/app', 'HTTPS://host/app', login('bob', '100%')],
    ['https://token@host/app', 'https://host/app', login('token', null)],
    ['https://bob:@host/app', 'https://host/app', login('bob', '')],
    ['svn://bob:pass@host/app', 'svn://host/app', login('bob', 'pass')],
    ['https://host:8080/p@th', 'https://host:8080/p@th', null],
    ['https://@host/app', 'https://host/app', null],
    ['ssh://git:pass@host/app', 'ssh://git@host/app', null],
    ['svn+ssh://bob@host/app', 'svn+ssh://bob@host/app', null],
    ['git@host:app', 'git@host:app', null],
    ['/srv/git/a@b', '/srv/git/a@b', null],
    ['C:\\repositories\\app', 'C:\\repositories\\app', null],
  ] as const) {
    const address = openAddress(text);
    assert.equal(address.url, url, text);
    assert.deepEqual(address.login, expected, text);
  }
});

test('credentials beside the address count', () => {
  const attributes = { username: 'bob', password: 'pa ss' };
  assert.deepEqual(openAddress('https://host/app', attributes).login, login('bob', 'pa ss'));
  assert.equal(openAddress('https://host/app', attributes).url, 'https://host/app');
  assert.equal(openAddress('ssh://host/app', { username: 'bob@corp' }).url, 'ssh://bob%40corp@host/app');
  assert.equal(openAddress('host:app', attributes).url, 'bob@host:app');
  assert.equal(openAddress('https://host/app', { username: null, password: null }).login, null);
});

test('secrets are redacted in each form, names are not', () => {
  const redact = redactor(openAddress('https://bob:p%40ss@host/app').secrets);
  assert.equal(redact('bob p%40ss p@ss p%40ss Ym9iOnBAc3M= host'), 'bob ****** ****** ****** ****** host');
  assert.equal(redactor(openAddress('https://t0ken@host/').secrets)('fatal: t0ken is wrong'), 'fatal: ****** is wrong');
  assert.equal(redactor(openAddress('ssh://git:pass@host/app').secrets)('git pass'), 'git ******');
  assert.equal(redactor(openAddress('https://host/', { username: 'u', password: 'a&b' }).secrets)('a&b a%26b'), '****** ******');
  assert.equal(redactor(['ab', 'abc', ''])('abc ab'), '****** ******');
});

test('a very short secret is redacted only where it stands alone', () => {
  const redact = redactor(openAddress('https://bob:p@host/app').secrets);
  assert.equal(
    redact('cannot open http://h/p?q=p: password "p", bob:p@host, p'),
    'cannot open http://h/******?q=******: password "******", bob:******@host, ******',
  );
  assert.equal(redactor(['.'])('a.b .'), 'a.b ******');
});

test('paths of this machine are told from addresses of others', () => {
  for (const url of ['/srv/git/app', 'file:///srv/git/app', 'C:\\git\\app', 'relative/path']) assert.ok(isLocal(url), url);
  for (const url of ['https://host/app', 'git@host:app', 'host:app', 'ssh://host/app', 'git://host/app']) assert.ok(!isLocal(url), url);
});

test('line breaks would be read as more than a password', () => {
  assert.throws(() => openAddress('https://host/', { username: 'u', password: 'p\nhost=evil' }), /line break/);
  assert.throws(() => openAddress('https://u:p%0Ahost%3Devil@host/'), /line break/);
});
