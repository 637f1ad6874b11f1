import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cipher } from '../../../kit/bytes/cipher.ts';
import { openDraft, sealDraft } from './draft.ts';

const cipher = new Cipher(Buffer.alloc(32, 1));
const draft = { user: 'ann', form: 'config_xml', text: '<cruise>größe</cruise>' };
const sealed = sealDraft(cipher, draft);

test('a sealed draft opens for the user and the form that it was sealed for', () => {
  assert.equal(openDraft(cipher, { ...draft, text: sealed }), draft.text);
  assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /cruise|ann/);
});

test('a sealed draft opens for no other user, form or server, and not after a change', () => {
  const others = [
    openDraft(cipher, { ...draft, text: sealed, user: 'bob' }),
    openDraft(cipher, { ...draft, text: sealed, form: 'plan' }),
    openDraft(new Cipher(Buffer.alloc(32, 2)), { ...draft, text: sealed }),
    openDraft(cipher, { ...draft, text: `${sealed.slice(0, -4)}AAAA` }),
    openDraft(cipher, { ...draft, text: '' }),
    openDraft(cipher, { ...draft, text: cipher.encrypt('["ann","config_xml",""]') }),
    openDraft(cipher, { ...draft, text: cipher.sealLogin('["ann","config_xml",""]') }),
  ];
  assert.deepEqual(others, Array(7).fill(undefined));
});
