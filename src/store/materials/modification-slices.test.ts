// Tests how batches of modifications are cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_IN_SLICE, slicesOf } from './modification-slices.ts';

const one = ({ files = 0, text = 0 } = {}) => ({
  comment: text === 0 ? null : 'x'.repeat(text),
  files: Array.from({ length: files }, () => ({ name: 'file' })),
});
const cut = (sizes: readonly { files?: number; text?: number }[]) => [...slicesOf(sizes.map(one))].map(({ length }) => length);

test('batches are cut by the number of modifications', () => {
  assert.deepEqual(cut([]), []);
  assert.deepEqual(cut(Array(MAX_IN_SLICE).fill({})), [MAX_IN_SLICE]);
  assert.deepEqual(cut(Array(2 * MAX_IN_SLICE + 1).fill({})), [MAX_IN_SLICE, MAX_IN_SLICE, 1]);
});

test('batches are cut by the number of files', () => {
  assert.deepEqual(cut([{ files: 100 }, { files: 100 }, { files: 1 }]), [2, 1]);
  assert.deepEqual(cut([{ files: 1 }, { files: 5000 }, { files: 1 }]), [1, 1, 1]);
});

test('batches are cut by the length of the texts', () => {
  assert.deepEqual(cut([{ text: 150_000 }, { text: 60_000 }, { text: 60_000 }]), [1, 2]);
});
