// Tests that a thread gives its one answer, and what comes of a thread without one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { OneAnswerThread } from './one-answer-thread.ts';

const running = (code: string) => new OneAnswerThread<number>(() => new Worker(code, { eval: true }));

test('the answer of each run is that of its thread', async () => {
  const thread = running("require('node:worker_threads').parentPort.postMessage(42);");
  assert.equal(thread.isRunning, false);
  const answer = thread.run();
  assert.equal(thread.isRunning, true);
  assert.equal(await answer, 42);
  assert.equal(await thread.run(), 42);
  await thread.stop();
  assert.equal(thread.isRunning, false);
});

test('a thread that ends without an answer gives none', async () => {
  assert.equal(await running('process.exit(0);').run(), undefined);
});

test('a thread that is stopped gives none', async () => {
  const thread = running('setInterval(() => {}, 1000);');
  const answer = thread.run();
  await thread.stop();
  assert.equal(await answer, undefined);
});

test('the failure of a thread is that of the run', async () => {
  await assert.rejects(running("throw new Error('no disk');").run(), { message: 'no disk' });
});
