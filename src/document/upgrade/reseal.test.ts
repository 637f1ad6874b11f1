// Tests how the secrets of others become secrets of this server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../shape/json/json.ts';
import type { OpenSecret } from './imported-cipher.ts';
import { resealSecrets } from './reseal.ts';

const own = { openKnown: () => undefined, encrypt: (plain: string) => `v1:${plain}`, isOwn: (text: string) => text.startsWith('v1:') };
const opening =
  (prefix: string): OpenSecret =>
  (text) =>
    text.startsWith(prefix) ? { plain: text.slice(prefix.length) } : undefined;
const open = opening('AES:');

test('secrets that the key opens are encrypted anew, wherever they are; all else stays', () => {
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

test('secrets of a key imported earlier are opened, with or without another imported key', () => {
  const json: JsonObject = { encrypted_value: 'OLD:one' };
  const openKnown = opening('OLD:');
  for (const key of [open, undefined])
    assert.deepEqual(resealSecrets(json, { ...own, open: key, openKnown }), { json: { encrypted_value: 'v1:one' }, problems: [] });
});

test('secrets that cannot be opened are reported with their place, and never repeated', () => {
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

test('a text that is bound to a place on the other server is not taken over', () => {
  const bound: OpenSecret = () => ({ plain: 'hush', binding: { scope: '1', destination: '2' } });
  for (const resealing of [
    { ...own, open: bound },
    { ...own, open: undefined, openKnown: bound },
  ]) {
    const { json, problems } = resealSecrets({ encrypted_value: 'v2:00000000:AAAA' }, resealing);
    assert.equal(problems.length, 1);
    assert.doesNotMatch(JSON.stringify(json), /hush/);
  }
});

test('an address with cipher text in it is opened, when it is the one that was encrypted', () => {
  const sealedAs = (address: string, text: string) => ({ url: address.replace('PASSWORD', encodeURIComponent(text)) });
  const address = 'https://me:PASSWORD@example.org/a.git';
  const isOwn = (text: string) => text.startsWith('v1:own');
  const opens = opening('v1:other:');
  const reseal = (json: JsonObject, key: typeof opens | undefined) => resealSecrets(json, { ...own, isOwn, open: key });
  const plain = 'https://me:hush@example.org/a.git';
  assert.deepEqual(reseal(sealedAs(address, `v1:other:${plain}`), opens), { json: { url: plain }, problems: [] });
  for (const untouched of [sealedAs(address, 'v1:own:x'), { url: plain }, { name: sealedAs(address, 'v1:other:x').url }]) {
    assert.deepEqual(reseal(untouched, opens), { json: untouched, problems: [] });
  }
  for (const [text, key] of [
    ['v1:third:x', opens],
    ['v1:other:https://me:hush@other.example.org/a.git', opens],
    [`v1:other:${plain}`, undefined],
  ] as const) {
    const { json, problems } = reseal(sealedAs(address, text), key);
    assert.deepEqual(
      problems.map(({ at }) => at),
      [['url']],
    );
    assert.doesNotMatch(JSON.stringify([json, problems]), /hush|v1/);
  }
});
