import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerText } from './header-text.ts';

const asReceived = (text: string, encoding: 'utf8' | 'latin1') => Buffer.from(text, encoding).toString('latin1');

test('texts in UTF-8 and in Latin-1 are both read', () => {
  for (const encoding of ['utf8', 'latin1'] as const) assert.equal(headerText(asReceived('grüße', encoding)), 'grüße');
  assert.equal(headerText(asReceived('→ 🚀', 'utf8')), '→ 🚀');
  assert.equal(headerText(undefined), undefined);
});
