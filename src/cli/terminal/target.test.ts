// Tests where a command works, and how it logs in.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from './failures.ts';
import { type TargetValues, targetOf } from './target.ts';

const NONE: TargetValues = { 'data-dir': undefined, url: undefined, token: undefined, user: undefined, password: undefined };
const URL = 'http://x';
const target = (values: Partial<TargetValues>, environment: Record<string, string> = {}) =>
  targetOf({ ...NONE, ...values }, { environment, directory: '/here' });
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;

test('the data directory comes from the flag, the variable or the default', () => {
  assert.deepEqual(target({}), { dataDir: resolve('./data') });
  assert.deepEqual(target({}, { SLIPWAY_DATA_DIR: '/x' }), { dataDir: '/x' });
  assert.deepEqual(target({ 'data-dir': '/y' }, { SLIPWAY_DATA_DIR: '/x', SLIPWAY_URL: URL }), { dataDir: '/y' });
  assert.deepEqual(target({ 'data-dir': 'y' }), { dataDir: resolve('/here/y') });
});

describe('a server', () => {
  test('takes the login of the command line before that of the environment', () => {
    assert.deepEqual(target({ url: URL, token: 't' }), { url: URL, authorization: 'bearer t' });
    assert.deepEqual(target({ url: 'https://cd.example.org/cd/' }, { SLIPWAY_TOKEN: ' t ' }), {
      url: 'https://cd.example.org/cd',
      authorization: 'bearer t',
    });
    assert.deepEqual(target({ url: URL, user: 'u', password: 'p' }, { SLIPWAY_TOKEN: 't' }), { url: URL, authorization: basic('u:p') });
    assert.deepEqual(target({ user: 'u' }, { SLIPWAY_URL: URL, SLIPWAY_PASSWORD: ' p' }), { url: URL, authorization: basic('u: p') });
    const all = { SLIPWAY_URL: URL, SLIPWAY_USER: 'u', SLIPWAY_PASSWORD: 'p', SLIPWAY_TOKEN: 't' };
    assert.deepEqual(target({}, all), { url: URL, authorization: 'bearer t' });
  });

  for (const [values, problem] of [
    [{ url: 'ftp://x' }, /must be an address/],
    [{ url: 'x' }, /must be an address/],
    [{ url: 'http://u:p@x' }, /must not contain a name or password/],
    [{ url: URL, 'data-dir': 'y' }, /not both/],
    [{ url: URL }, /SLIPWAY_TOKEN/],
    [{ url: URL, user: 'u' }, /^There is no terminal to ask for the password of u: set SLIPWAY_PASSWORD\.$/],
  ] as const) {
    test(`cannot be ${JSON.stringify(values)}`, () => {
      assert.throws(
        () => target(values),
        (failure) => failure instanceof UsageError && problem.test(failure.message),
      );
    });
  }
});
