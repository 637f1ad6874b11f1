// The safety net finds changes of materials of which no pipeline was notified, and nothing else.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MissedModifications } from './missed-modifications.ts';

let newest: Map<string, { id: number }>;
let underWay: Set<string>;
let missed: string[];
let woken: string[];
let search: MissedModifications;
beforeEach(async () => {
  newest = new Map([
    ['a', { id: 1 }],
    ['b', { id: 2 }],
  ]);
  underWay = new Set();
  missed = [];
  woken = [];
  search = new MissedModifications({
    all: async () => newest.keys(),
    newest: async (fingerprints) => new Map([...newest].filter(([fingerprint]) => fingerprints.includes(fingerprint))),
    isUnderWay: (fingerprint) => underWay.has(fingerprint),
    wakeUsersOf: async (fingerprint) => void woken.push(fingerprint),
    onMissed: (fingerprint) => missed.push(fingerprint),
  });
  await search.check();
});

test('an unchanged material is no news', async () => {
  await search.check();
  assert.deepEqual([missed, woken], [[], []]);
});

test('a change without a notice is found once, and its pipelines are woken', async () => {
  newest.set('b', { id: 3 });
  await search.check();
  await search.check();
  assert.deepEqual([missed, woken], [['b'], ['b']]);
});

test('a change with a notice is not found', async () => {
  newest.set('b', { id: 3 });
  search.noteWoken('b');
  await search.check();
  await search.check();
  assert.deepEqual(missed, []);
});

test('a material that is being polled is left for the next look', async () => {
  newest.set('b', { id: 3 });
  underWay.add('b');
  await search.check();
  assert.deepEqual(missed, []);
  underWay.clear();
  await search.check();
  assert.deepEqual(missed, ['b']);
});

test('a removed material is forgotten, and learned anew when it comes again', async () => {
  newest.delete('b');
  await search.check();
  newest.set('b', { id: 3 });
  await search.check();
  assert.deepEqual(missed, []);
});

test('the first look after a start only learns the newest modifications', async () => {
  search.clear();
  newest.set('b', { id: 3 });
  await search.check();
  assert.deepEqual(missed, []);
});
