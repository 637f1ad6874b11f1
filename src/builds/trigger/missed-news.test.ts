// The safety net finds changes of materials of which no pipeline was told, and nothing else.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MissedNews } from './missed-news.ts';

let newest: Map<string, { id: number }>;
let underWay: Set<string>;
let missed: string[];
let woken: string[];
let news: MissedNews;
beforeEach(async () => {
  newest = new Map([
    ['a', { id: 1 }],
    ['b', { id: 2 }],
  ]);
  underWay = new Set();
  missed = [];
  woken = [];
  news = new MissedNews({
    all: async () => newest.keys(),
    newest: async (fingerprints) => new Map([...newest].filter(([fingerprint]) => fingerprints.includes(fingerprint))),
    isUnderWay: (fingerprint) => underWay.has(fingerprint),
    wakeUsersOf: async (fingerprint) => void woken.push(fingerprint),
    onMissed: (fingerprint) => missed.push(fingerprint),
  });
  await news.look();
});

test('what is as it was is no news', async () => {
  await news.look();
  assert.deepEqual([missed, woken], [[], []]);
});

test('what nobody told is found once, and its pipelines are woken', async () => {
  newest.set('b', { id: 3 });
  await news.look();
  await news.look();
  assert.deepEqual([missed, woken], [['b'], ['b']]);
});

test('what was told is not found', async () => {
  newest.set('b', { id: 3 });
  news.told('b');
  await news.look();
  await news.look();
  assert.deepEqual(missed, []);
});

test('what is being looked at is left for the next time', async () => {
  newest.set('b', { id: 3 });
  underWay.add('b');
  await news.look();
  assert.deepEqual(missed, []);
  underWay.clear();
  await news.look();
  assert.deepEqual(missed, ['b']);
});

test('what is gone is forgotten, and learned anew when it comes again', async () => {
  newest.delete('b');
  await news.look();
  newest.set('b', { id: 3 });
  await news.look();
  assert.deepEqual(missed, []);
});

test('after a start it only learns', async () => {
  news.clear();
  newest.set('b', { id: 3 });
  await news.look();
  assert.deepEqual(missed, []);
});
