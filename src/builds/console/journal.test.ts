import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Insertion, readJournal, writeEntry } from './journal.ts';

const FIRST: Insertion = { at: 0, text: '', epoch: 1 };
const NOTE: Insertion = { at: 10, text: '##|é\n' };
const SECOND: Insertion = { at: 30, text: '\n', epoch: 2 };
const FULL: Insertion = { at: 40, text: 'full\n', isFull: true };
const textOf = (...insertions: Insertion[]) => insertions.map(writeEntry).join('');

test('an empty journal knows of no agent', () => {
  assert.deepEqual(readJournal(''), { counting: { epoch: undefined, others: 0, isFull: false }, last: undefined, bytes: 0 });
});

test('lines of the server are no bytes of the agent', () => {
  assert.deepEqual(readJournal(textOf(FIRST, NOTE)).counting, { epoch: 1, others: 6, isFull: false });
});

test('a new epoch begins to count anew', () => {
  assert.deepEqual(readJournal(textOf(FIRST, NOTE, SECOND)).counting, { epoch: 2, others: 31, isFull: false });
});

test('an epoch may state when its stage run began', () => {
  const counting = { epoch: 1, since: 1_700_000_000_000, others: 30, isFull: false };
  assert.deepEqual(readJournal(textOf(FIRST, { at: 25, text: 'other', epoch: 1, since: counting.since })).counting, counting);
});

test('a console that is full stays so, also for the next agent', () => {
  assert.equal(readJournal(textOf(FIRST, FULL)).counting.isFull, true);
  assert.equal(readJournal(textOf(FIRST, FULL, { ...SECOND, at: 45 })).counting.isFull, true);
});

test('an entry that a crash cut off does not count', () => {
  const whole = textOf(FIRST, NOTE);
  const cut = readJournal(whole + writeEntry(SECOND).slice(0, -1));
  assert.deepEqual(cut, readJournal(whole));
  assert.equal(cut.bytes, Buffer.byteLength(whole));
});
