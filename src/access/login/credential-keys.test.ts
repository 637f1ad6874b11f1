import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysByConnection } from './credential-keys.ts';

test('the same credentials have one key on every connection, but another one at every address', () => {
  const keyOf = keysByConnection();
  const [one, other] = [{}, {}];
  const key = keyOf('Basic a', '192.0.2.1', one);
  assert.equal(keyOf('Basic a', '192.0.2.1', one), key);
  assert.equal(keyOf('Basic a', '192.0.2.1', other), key);
  // A proxy sends requests of many clients over one connection.
  assert.notEqual(keyOf('Basic a', '192.0.2.2', one), key);
  assert.notEqual(keyOf('Basic b', '192.0.2.1', one), key);
  assert.equal(keyOf('Basic a', '192.0.2.1', one), key);
});
