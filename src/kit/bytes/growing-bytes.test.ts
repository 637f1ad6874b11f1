import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingBytes } from './growing-bytes.ts';

test('texts and bytes stand one after the other, however small the first place is', () => {
  const bytes = new GrowingBytes(1);
  const texts = ['', 'a', 'ä', '€'.repeat(1000), '🚢', 'the end'];
  for (const text of texts) bytes.addText(text);
  bytes.addBytes(Buffer.from('…'));
  const expected = Buffer.from(`${texts.join('')}…`);
  assert.equal(bytes.size, expected.length);
  assert.deepEqual(bytes.finish(), expected);
});

test('the finished bytes take no more room than they need', () => {
  const bytes = new GrowingBytes(4096);
  bytes.addText('short');
  assert.equal(bytes.finish().buffer.byteLength, 5);
});
