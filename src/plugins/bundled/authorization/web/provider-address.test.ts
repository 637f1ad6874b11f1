// Tests which providers are accepted by their address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mustBeOneIssuer } from './provider-address.ts';

test('a provider that answers for all tenants of the world is refused', () => {
  mustBeOneIssuer('https://login.microsoftonline.com/6f1d2c3b-0000-4000-8000-000000000000/v2.0');
  assert.throws(() => mustBeOneIssuer('https://login.microsoftonline.com/{tenantid}/v2.0'), /Name your tenant in Issuer/);
});
