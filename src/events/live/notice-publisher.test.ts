// Notices as they are given out: one of each thing in a while, after it is written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../test/support/until.ts';
import type { Notice } from './notice.ts';
import { NoticePublisher } from './notice-publisher.ts';

const notice = (count: number): Notice => ({ kind: 'pipeline', data: { count }, audience: 'everyone' });

function openPublisher(written: () => Promise<void> = async () => {}) {
  const failures: unknown[] = [];
  const publisher = new NoticePublisher({ written, onFailure: (failure) => failures.push(failure), paceMs: 50 });
  const published: number[] = [];
  publisher.listen(() => published.push(performance.now()));
  publisher.begin();
  return { publisher, failures, published, log: publisher.log! };
}

const counts = ({ log }: ReturnType<typeof openPublisher>) => log.take(0, () => true)!.notices.map(({ data }) => data.count);

test('many changes of one thing are one notice, with its latest state', async () => {
  const lab = openPublisher();
  let count = 0;
  for (let index = 0; index < 1000; index++) {
    count++;
    lab.publisher.publish('a', () => notice(count));
  }
  await until('the notice', async () => lab.log.last > 0);
  assert.deepEqual(counts(lab), [1000]);
  assert.equal(lab.log.last, 1);
});

test('further notices of a thing come after the pace, not before', async () => {
  const lab = openPublisher();
  const end = performance.now() + 260;
  for (let index = 0; performance.now() < end; index++) {
    lab.publisher.publish('a', () => notice(index));
    await delay(1);
  }
  await delay(60);
  const gaps = lab.published.slice(1).map((at, index) => at - lab.published[index]!);
  assert.ok(gaps.length > 0);
  assert.ok(
    gaps.every((gap) => gap >= 45),
    gaps.join(),
  );
});

test('nothing is published before it is written', async () => {
  const written = Promise.withResolvers<void>();
  const lab = openPublisher(() => written.promise);
  lab.publisher.publish('a', () => notice(1));
  await delay(60);
  assert.equal(lab.log.last, 0);
  written.resolve();
  await until('the notice', async () => lab.log.last === 1);
});

test('a notice is published also when the write before it failed', async () => {
  const lab = openPublisher(() => Promise.reject(new Error('no disk')));
  lab.publisher.publish('a', () => notice(1));
  await until('the notice', async () => lab.log.last === 1);
});

test('a notice that cannot be made is a failure, and the next ones come', async () => {
  const lab = openPublisher();
  lab.publisher.publish('a', () => {
    throw new Error('wrong');
  });
  await until('the failure', async () => lab.failures.length === 1);
  lab.publisher.publish('b', () => notice(2));
  await until('the notice', async () => lab.log.last === 1);
});

test('after more notices than can be remembered everybody has to read again', async () => {
  const lab = openPublisher();
  for (let index = 0; index < 20_001; index++) lab.publisher.publish(`${index}`, () => notice(index));
  await until('the end', async () => lab.log.last > 0);
  assert.equal(
    lab.log.take(0, () => true),
    undefined,
  );
});

test('a server that does not do the work publishes nothing, and begins anew with another log', async () => {
  const lab = openPublisher();
  const { epoch } = lab.log;
  lab.publisher.publish('a', () => notice(1));
  lab.publisher.end();
  lab.publisher.publish('a', () => notice(1));
  assert.equal(lab.publisher.log, undefined);
  await delay(70);
  assert.equal(lab.log.last, 0);
  lab.publisher.begin();
  assert.notEqual(lab.publisher.log!.epoch, epoch);
});
