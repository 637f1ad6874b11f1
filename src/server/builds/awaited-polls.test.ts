import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FinishedPoll } from '../../materials/polling/poll-run.ts';
import { AwaitedPolls } from './awaited-polls.ts';

function started(isReading = async () => false) {
  const updated = Promise.withResolvers<'scheduled' | 'unknown'>();
  const listeners: ((finished: FinishedPoll) => void)[] = [];
  const polls = new AwaitedPolls(
    {
      listen: (listener) => void listeners.push(listener),
      requestPoll: () => updated.promise,
      isUnderWay: () => false,
    },
    isReading,
  );
  return { polls, updated };
}

for (const answer of ['scheduled', 'unknown'] as const)
  test(`an abort while the poll is asked for rejects nothing but the wait: ${answer}`, async () => {
    const { polls, updated } = started();
    const [stopping, reason] = [new AbortController(), new Error('stopped')];
    // If another promise is rejected besides, and no code awaits it, this test fails.
    const result = polls.poll(['f'], stopping.signal).catch((failure: unknown) => failure);
    stopping.abort(reason);
    await turn();
    updated.resolve(answer);
    assert.deepEqual(await result, answer === 'scheduled' ? reason : []);
  });

test('an abort while the poll is under way ends the wait', async () => {
  const { polls, updated } = started();
  const [stopping, reason] = [new AbortController(), new Error('stopped')];
  const result = polls.poll(['f'], stopping.signal);
  updated.resolve('scheduled');
  await turn();
  stopping.abort(reason);
  await assert.rejects(result, reason);
});

test('a config repo is waited for until it has read what the poll found', async () => {
  const answers = [true, true, false];
  const { polls, updated } = started(async () => answers.shift() ?? assert.fail('it was done'));
  updated.resolve('unknown');
  assert.deepEqual(await polls.poll(['f'], new AbortController().signal, 'repo'), []);
  assert.deepEqual(answers, []);
});

test('an abort while a config repo reads ends the wait', async () => {
  const { polls, updated } = started(async () => true);
  updated.resolve('unknown');
  const stopping = new AbortController();
  const result = polls.poll(['f'], stopping.signal, 'repo');
  await turn();
  stopping.abort();
  await assert.rejects(result, { name: 'AbortError' });
});
