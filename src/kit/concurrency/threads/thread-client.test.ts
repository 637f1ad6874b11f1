// Tests that a thread answers in order, ends when it is idle, and fails what waits for it when it ends otherwise.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ThreadClient, type ThreadClientParts } from './thread-client.ts';

/** Doubles numbers and byte lengths, throws at texts, exits at null. */
const DOUBLING = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (question) => {
    if (question === null) process.exit(7);
    if (typeof question === 'string') throw new Error(question);
    parentPort.postMessage(2 * (question.byteLength ?? question));
  });
`;

type Question = number | string | null | ArrayBuffer;

function newClient(parts: Pick<ThreadClientParts, 'idleMs'> = {}) {
  const threads: Worker[] = [];
  const startThread = () => {
    const thread = new Worker(DOUBLING, { eval: true });
    threads.push(thread);
    return thread;
  };
  const failureOf = (reason: string) => new Error(`The thread that doubles has ended: ${reason}`);
  return { client: new ThreadClient<Question, number>({ startThread, failureOf, ...parts }), threads };
}

test('one thread answers all questions, each its own', async () => {
  const { client, threads } = newClient();
  assert.equal(threads.length, 0);
  const questions = Array.from({ length: 50 }, (_, number) => number);
  const answers = await Promise.all(questions.map((number) => client.ask(number)));
  assert.deepEqual(
    answers,
    questions.map((number) => 2 * number),
  );
  assert.equal(threads.length, 1);
  await client.close();
});

test('memory moves to the thread', async () => {
  const { client } = newClient();
  const bytes = new ArrayBuffer(21);
  assert.equal(await client.ask(bytes, [bytes]), 42);
  assert.equal(bytes.byteLength, 0);
  await client.close();
});

test('a thread that fails or exits fails all that wait; the next question starts another one', async () => {
  const { client, threads } = newClient();
  assert.equal(await client.ask(1), 2);
  const failed = (asked: Promise<number>) => assert.rejects(asked, { message: 'The thread that doubles has ended: out of order' });
  await Promise.all([failed(client.ask('out of order')), failed(client.ask(2))]);
  await assert.rejects(client.ask(null), { message: 'The thread that doubles has ended: exit code 7.' });
  assert.equal(await client.ask(4), 8);
  assert.equal(threads.length, 3);
  await client.close();
});

test('a question that cannot be sent fails alone', async () => {
  const { client } = newClient();
  const [first, unsent, last] = await Promise.allSettled([client.ask(1), client.ask((() => {}) as never), client.ask(3)]);
  assert.deepEqual([first, unsent?.status, last], [{ status: 'fulfilled', value: 2 }, 'rejected', { status: 'fulfilled', value: 6 }]);
  await client.close();
});

test('closing fails what waits, and leaves the answers of the next thread alone', async () => {
  const { client, threads } = newClient();
  const waiting = assert.rejects(client.ask(1), /^Error: The thread that doubles has ended: exit code \d\.$/);
  const closing = client.close();
  const next = client.ask(5);
  await Promise.all([waiting, closing]);
  assert.equal(await next, 10);
  assert.equal(threads.length, 2);
  await client.close();
});

test('an idle thread ends by itself, and the next question starts another one', { timeout: 20_000 }, async () => {
  const { client, threads } = newClient({ idleMs: 20 });
  assert.equal(await client.ask(1), 2);
  await once(threads[0]!, 'exit');
  assert.equal(await client.ask(2), 4);
  assert.equal(threads.length, 2);
  await client.close();
});
