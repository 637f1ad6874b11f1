// Tests how the secrets of others become secrets of this server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../shape/json.ts';
import { resealSecrets } from './reseal.ts';

const own = { encrypt: (plain: string) => `v1:${plain}`, isOwn: (text: string) => text.startsWith('v1:') };
const open = (text: string) => (text.startsWith('AES:') ? text.slice(4) : undefined);

test('those that the key opens are encrypted anew, wherever they are; all else stays', () => {
  const json: JsonObject = {
    name: 'AES:no-secret',
    encrypted_password: 'AES:one',
    list: [{ key: 'k', encrypted_value: 'AES:two' }, { key: 'k', value: 'AES:plain' }, { encrypted_value: 'v1:three' }],
    none: { encrypted_value: null, encrypted_password: '' },
  };
  assert.deepEqual(resealSecrets(json, { open, ...own }), {
    json: {
      name: 'AES:no-secret',
      encrypted_password: 'v1:one',
      list: [{ key: 'k', encrypted_value: 'v1:two' }, { key: 'k', value: 'AES:plain' }, { encrypted_value: 'v1:three' }],
      none: { encrypted_value: null, encrypted_password: '' },
    },
    problems: [],
  });
});

test('those that cannot be opened are told with their place, and never repeated', () => {
  const json: JsonObject = { a: [{}, { encrypted_value: 'DES-text' }] };
  for (const key of [open, undefined]) {
    const { problems, json: without } = resealSecrets(json, { open: key, ...own });
    assert.deepEqual(
      problems.map(({ at }) => at),
      [['a', 1, 'encrypted_value']],
    );
    assert.doesNotMatch(JSON.stringify([problems, without]), /DES-text/);
  }
});
