import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SerialTableWrites } from './serial-table-writes.ts';
import type { WriteWithEvents } from './write-with-events.ts';

const WRITE: WriteWithEvents = { events: [], statements: [] };

/** A number that is kept on a disk which takes its time. */
class Counter {
  onDisk = 0;
  inMemory = 0;
  isBroken = false;
  readonly serialWrites = new SerialTableWrites(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isBroken) throw new Error('disk full');
    this.onDisk++;
  });

  increase(options?: { readonly dryRun?: boolean }): Promise<number> {
    return this.serialWrites.change(() => {
      const next = this.inMemory + 1;
      if (next > 3) throw new Error('enough');
      return { result: next, changes: [{ writes: [WRITE], remember: () => void (this.inMemory = next) }] };
    }, options);
  }
}

test('each write decides by the results of those before it', async () => {
  const counter = new Counter();
  const ended = await Promise.allSettled(Array.from({ length: 5 }, () => counter.increase()));
  assert.deepEqual(
    ended.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    [1, 2, 3, 'enough', 'enough'],
  );
  assert.deepEqual([counter.onDisk, counter.inMemory], [3, 3]);
});

test('memory does not keep a change that did not reach the disk, and the next one goes on', async () => {
  const counter = new Counter();
  counter.isBroken = true;
  await assert.rejects(counter.increase(), /disk full/);
  assert.equal(counter.inMemory, 0);
  counter.isBroken = false;
  assert.equal(await counter.increase(), 1);
});

test('a dry run decides in its turn and changes nothing', async () => {
  const counter = new Counter();
  const [, tried] = await Promise.all([counter.increase(), counter.increase({ dryRun: true })]);
  assert.deepEqual([tried, counter.onDisk, counter.inMemory], [2, 1, 1]);
});

test('a caller that takes a turn of its own waits for those before, too', async () => {
  const counter = new Counter();
  const [, seen] = await Promise.all([counter.increase(), counter.serialWrites.run(async () => counter.inMemory)]);
  assert.equal(seen, 1);
});
