// Addresses about the history name kinds by the last step of their paths, so no two may have the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registry } from '../../src/resources/index.ts';
import { kindsOf, resourceName } from '../../src/shape/resource.ts';

test('no two kinds of configuration have the same name in addresses', () => {
  const names = kindsOf(registry).map(resourceName);
  assert.deepEqual(names, [...new Set(names)]);
  assert.ok(names.includes('environments'));
});
