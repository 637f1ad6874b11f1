// Tests the redaction of texts that go into a bundle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../test/support/patience.ts';
import { redact } from './redact.ts';

for (const [written, shown] of [
  ['https://me:hunter2@host/x.git', 'https://******@host/x.git'],
  ['Authorization: Bearer abcdef123456', 'Authorization: Bearer ******'],
  ['password=hunter2 next', 'password=****** next'],
  ['{"client_secret": "hunter2"}', '{"client_secret": "******"}'],
  ['AES:aGVsbG8=:d29ybGQ= and more', '****** and more'],
  ["is refused: 'v1:0a1b2c3d:aGVsbG8+/w=='.", "is refused: '******'."],
  ['v2:0a1b2c3d:aGVsbG8= and more', '****** and more'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '******'],
  ['{"password": "it\'s \\"hunter2\\""}', '{"password": "******"}'],
  ['{"msg":"{\\"token\\":\\"it\'s hunter2\\"}"}', '{"msg":"{\\"token\\":\\"******\\"}"}'],
  ['secret: \'say "hunter2"\'', "secret: '******'"],
  ['https://me:hunter@2@host/x.git', 'https://******@host/x.git'],
  // Cut off.
  ['"password":"hunter2 and mo…\n"next"', '"password":"******"\n"next"'],
  ['-----BEGIN PRIVATE KEY-----\\nMIIEvQ+/ab=…', '******'],
  ['-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,AB\n\nabc\n-----END RSA PRIVATE KEY-----x', '******x'],
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

for (const piece of [
  'token-',
  'a-',
  'a',
  'token:"',
  'token:\\"',
  '-----BEGIN PRIVATE KEY-----',
  'AES:',
  'v1:0a1b2c3d:',
  'basic ',
  'https://a:',
  ' ',
])
  test(`no text is slow, such as one that repeats ${JSON.stringify(piece)}`, () =>
    assertLinear(piece, (times) => redact(piece.repeat(times)), 40_000));
