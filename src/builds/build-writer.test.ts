// Writes come in order and share commits, and a write that comes while the writer ends is not left behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WriteWithEvents } from '../store/write-with-events.ts';
import { BuildWriter } from './build-writer.ts';

const write = (type: string): WriteWithEvents => ({ statements: [], events: [{ type, actor: null, about: [], data: {} }] });
const typesOf = (writes: readonly WriteWithEvents[]) => writes.flatMap(({ events }) => events.map(({ type }) => type)).join('');

test('writes of one moment are one commit, in their order', async () => {
  const commits: string[] = [];
  const writer = new BuildWriter(
    async (writes) => void commits.push(typesOf(writes)),
    (failure) => assert.fail(String(failure)),
  );
  await Promise.all([writer.commit(write('a')), writer.commit(write('b'))]);
  await writer.commit(write('c'));
  assert.deepEqual(commits, ['ab', 'c']);
});

test('a write that follows upon the end of another one is written, too', async () => {
  const commits: string[] = [];
  const writer = new BuildWriter(
    async (writes) => void commits.push(typesOf(writes)),
    (failure) => assert.fail(String(failure)),
  );
  for (let turn = 0; turn < 20; turn++) {
    await writer.commit(write('a')).then(() => writer.commit(write('b')));
    let ticks = turn;
    const late = writer.commit(write('c')).then(async () => {
      while (ticks-- > 0) await undefined;
      return writer.commit(write('d'));
    });
    await late;
  }
  assert.equal(commits.join(''), 'abcd'.repeat(20));
});

test('a failure rejects its own write and the one waiting behind it, and is reported once', async () => {
  const failures: unknown[] = [];
  let isFailing = true;
  const fault = new Error('full');
  const writer = new BuildWriter(
    async () => {
      await nextTurn();
      if (isFailing) throw fault;
    },
    (failure) => failures.push(failure),
  );
  const first = writer.commit(write('a'));
  await Promise.resolve();
  await Promise.resolve();
  const second = writer.commit(write('b'));
  await assert.rejects(first, fault);
  await assert.rejects(second, fault);
  assert.deepEqual(failures, [fault]);
  await writer.written();
  isFailing = false;
  await writer.commit(write('c'));
  await writer.settle();
});
