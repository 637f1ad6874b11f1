// Tests where the secrets of plugins are sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SettingText, settingLocations } from './setting-locations.ts';

const plain = (key: string, text: string): SettingText => ({ key, text, isSecret: false });
const secret = (key: string, text: string): SettingText => ({ key, text, isSecret: true });
const destination = (settings: readonly SettingText[], text = 'hush', plugin = 'p') =>
  settingLocations(
    () => plugin,
    () => settings,
  )('PASSWORD', text).destination;

test('the field of a setting is named by its key', () => {
  const location = settingLocations(
    () => 'p',
    () => [],
  );
  assert.deepEqual(location('A', ''), { field: 'setting A', destination: 'p' });
});

test('every address in the list counts, and so does the plugin; order, paths and other settings do not', () => {
  const before = destination([plain('REPO_URL', 'https://one.example.org/a'), plain('Region', 'eu'), secret('PASSWORD', 'hush')]);
  assert.equal(destination([secret('PASSWORD', 'other'), plain('Region', 'us'), plain('REPO_URL', 'https://one.example.org/b')]), before);
  for (const other of [
    destination([plain('REPO_URL', 'https://two.example.org/a')]),
    destination([plain('REPO_URL', 'https://one.example.org/a'), plain('proxy', 'https://evil.example.org')]),
    destination([plain('REPO_URL', 'https://one.example.org/a')], 'hush', 'q'),
    destination([]),
  ])
    assert.notEqual(other, before);
});

test('a setting with the name of an address counts without a scheme, unless it is a secret', () => {
  for (const key of ['Host', 'SMTP_SERVER', 'docker_registry', 'smtp_port', 'PORT', 'vault-address', 'Endpoint'])
    assert.notEqual(destination([plain(key, 'one')]), destination([plain(key, 'two')]), key);
  for (const [key, one] of [
    ['Support', plain('Support', 'one')],
    ['SERVER_TOKEN', secret('SERVER_TOKEN', 'one')],
  ] as const)
    assert.equal(destination([one]), destination([{ ...one, text: 'two' }]), key);
});

test('an address that is kept secret counts for the others, and goes to its own host', () => {
  const at = (host: string) => [secret('where', `https://me:hush@${host}/a`), secret('token', 'x')];
  assert.notEqual(destination(at('one')), destination(at('two')));
  assert.equal(destination(at('one'), 'https://me:hush@one/a'), destination(at('two'), 'https://me:hush@two/a'));
});
