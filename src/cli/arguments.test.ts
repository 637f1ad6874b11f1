// Tests how the command line is read.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type Command, readArguments, USAGE } from './arguments.ts';

const read = (text: string, environment: Record<string, string> = {}): Command =>
  readArguments(text.split(' ').filter(Boolean), environment);

test('an import into a data directory', () => {
  const plain = { file: 'a.xml', cipherKeyFile: undefined, isPlan: false };
  assert.deepEqual(read('import a.xml'), { import: { ...plain, to: { dataDir: resolve('./data') } } });
  assert.deepEqual(read('import a.xml', { SLIPWAY_DATA_DIR: '/x' }), { import: { ...plain, to: { dataDir: '/x' } } });
  assert.deepEqual(read('import --plan --data-dir /y --cipher-key=k a.xml', { SLIPWAY_DATA_DIR: '/x' }), {
    import: { file: 'a.xml', cipherKeyFile: 'k', isPlan: true, to: { dataDir: '/y' } },
  });
});

test('an import into a server', () => {
  assert.deepEqual(read('import a.xml --url https://cd.example.org/cd/', { SLIPWAY_TOKEN: ' t ' }), {
    import: { file: 'a.xml', cipherKeyFile: undefined, isPlan: false, to: { url: 'https://cd.example.org/cd', authorization: 'bearer t' } },
  });
});

test('the ways to log in to a server, the command line before the environment', () => {
  const there = (text: string, environment: Record<string, string> = {}) => {
    const verdict = read(`import a.xml ${text}`, environment);
    assert.ok('import' in verdict, JSON.stringify(verdict));
    return verdict.import.to;
  };
  const url = 'http://x';
  const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
  assert.deepEqual(there('--url http://x --token t'), { url, authorization: 'bearer t' });
  assert.deepEqual(there('--url http://x --user u --password p', { SLIPWAY_TOKEN: 't' }), { url, authorization: basic('u:p') });
  assert.deepEqual(there('--user u', { SLIPWAY_URL: url, SLIPWAY_PASSWORD: 'p' }), { url, authorization: basic('u:p') });
  assert.deepEqual(there('', { SLIPWAY_URL: url, SLIPWAY_USER: 'u', SLIPWAY_PASSWORD: 'p', SLIPWAY_TOKEN: 't' }), {
    url,
    authorization: 'bearer t',
  });
  assert.deepEqual(there('--data-dir /y', { SLIPWAY_URL: url }), { dataDir: '/y' });
});

for (const [text, problem] of [
  ['', /Say what to do/],
  ['expose a.xml', /There is no command expose/],
  ['import', /Say which file/],
  ['import a b c', /b c is too much/],
  ['import a --colour', /--colour/],
  ['import a --data-dir', /--data-dir/],
  ['import a --plan=yes', /--plan/],
  ['import a --url ftp://x', /must be an address/],
  ['import a --url x', /must be an address/],
  ['import a --url http://u:p@x', /must not hold a name or password/],
  ['import a --url http://x --data-dir y', /not both/],
  ['import a --url http://x', /SLIPWAY_TOKEN/],
] as const) {
  test(`«${text}» is wrong`, () => {
    const verdict = read(text);
    assert.ok('problem' in verdict);
    assert.match(verdict.problem, problem);
    assert.ok(verdict.problem.endsWith(USAGE));
  });
}

test('help is help, whatever else is there', () => {
  for (const text of ['--help', '-h', 'import --help', 'import a b --help']) assert.deepEqual(read(text), { help: USAGE });
});
