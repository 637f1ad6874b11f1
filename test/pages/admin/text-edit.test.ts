// Edits of texts, as drafts of the configuration keep them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { applyEdit, editBetween } from '../../../pages/config-xml/text-edit.ts';

it('an edit is the part that differs', () => {
  assert.deepEqual(editBetween('<a name="x"/>', '<a name="long"/>'), { start: 9, removed: 1, inserted: 'long' });
  assert.deepEqual(editBetween('aaa', 'aa'), { start: 2, removed: 1, inserted: '' });
  assert.deepEqual(editBetween('same', 'same'), { start: 4, removed: 0, inserted: '' });
});

it('an edit of one text gives the other text', () => {
  const texts = ['', 'a', 'aa', 'aba', 'abab', 'ba', 'größe 😀', 'größe 😁', '<a/>\n<b/>', '<b/>\n<a/>'];
  for (const before of texts) for (const after of texts) assert.equal(applyEdit(before, editBetween(before, after)), after);
});
