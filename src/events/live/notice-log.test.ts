// The log of notices: the newest of each thing, in order, bounded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notice } from './notice.ts';
import { NoticeLog } from './notice-log.ts';

const notice = (name: string): Notice => ({ kind: 'pipeline', data: { name }, audience: 'everyone' });
const all = () => true;
const names = (log: NoticeLog, from: number, wants: (one: Notice) => boolean = all) =>
  log.take(from, wants)?.notices.map(({ data }) => data.name);

test('a client that was away gets the newest notice of each thing once, in the order of the changes', () => {
  const log = new NoticeLog('ab');
  for (const name of ['a', 'b', 'a', 'c', 'b']) log.add(name, notice(name));
  assert.deepEqual(names(log, 0), ['a', 'c', 'b']);
  assert.deepEqual(names(log, 3), ['c', 'b']);
  assert.deepEqual(names(log, 5), []);
  assert.equal(log.take(4, all)!.bytes.toString(), 'event: pipeline\nid: ab-5\ndata: {"name":"b"}\n\n');
});

test('unwanted notices are passed over, and not looked at again', () => {
  const log = new NoticeLog('ab');
  for (const name of ['a', 'b', 'c']) log.add(name, notice(name));
  const taken = log.take(0, ({ data }) => data.name === 'b')!;
  assert.deepEqual([taken.notices.length, taken.position], [1, 3]);
});

test('a client takes as many notices as it asks for, and goes on after them', () => {
  const log = new NoticeLog('ab');
  for (const name of ['a', 'b', 'c']) log.add(name, notice(name));
  const first = log.take(0, all, { count: 2 })!;
  assert.deepEqual([first.notices.length, first.position], [2, 2]);
  assert.equal(log.take(0, all, { bytes: 1 })!.position, 1);
  assert.deepEqual(names(log, first.position), ['c']);
});

test('an id of another log, of one that was forgotten, or of the future is unknown', () => {
  const log = new NoticeLog('ab', 4);
  for (const name of ['a', 'b', 'c', 'd', 'e']) log.add(name, notice(name));
  assert.equal(log.size, 4);
  assert.equal(log.numberIn('ab-2'), 2);
  assert.equal(log.numberIn('ab-0'), undefined);
  assert.equal(log.numberIn('cd-2'), undefined);
  assert.equal(log.numberIn('ab-6'), undefined);
  assert.equal(log.numberIn('nonsense'), undefined);
  assert.equal(log.take(0, all), undefined);
});

test('after missed changes a client that is behind gets nothing', () => {
  const log = new NoticeLog('ab');
  log.add('a', notice('a'));
  log.forgetAll();
  assert.equal(log.take(1, all), undefined);
  log.add('b', notice('b'));
  assert.deepEqual(names(log, 2), ['b']);
});

test('a thing that changes all the time takes no more memory', () => {
  const log = new NoticeLog('ab');
  for (let count = 0; count < 100_000; count++) log.add(`${count % 10}`, notice(`${count % 10}`));
  assert.equal(log.size, 10);
  assert.equal(names(log, 0)!.length, 10);
});
