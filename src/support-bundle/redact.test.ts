// Tests of the last look at what goes into a bundle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from './redact.ts';

for (const [written, shown] of [
  ['https://me:hunter2@host/x.git', 'https://******@host/x.git'],
  ['Authorization: Bearer abcdef123456', 'Authorization: Bearer ******'],
  ['password=hunter2 next', 'password=****** next'],
  ['{"client_secret": "hunter2"}', '{"client_secret": "******"}'],
  ['AES:aGVsbG8=:d29ybGQ= and more', '****** and more'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '******'],
] as const)
  test(`hidden: ${written}`, () => assert.equal(redact(written), shown));

for (const plain of [
  'https://host/x.git',
  'a basic rule',
  'git@host:x.git',
  '"tokens": 5, "secrets": null',
  'slipway_config_entities{kind="secretConfigs"} 0',
])
  test(`left as it is: ${plain}`, () => assert.equal(redact(plain), plain));
