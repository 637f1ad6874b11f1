// Tests how a secret is asked for: nothing of it is shown.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CommandFailed } from './failures.ts';
import { askHidden, askLine } from './prompt.ts';

/** Answers questions with these keys. */
function terminal(...keys: readonly string[]) {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  let shown = '';
  const err = new PassThrough().on('data', (chunk) => {
    shown += String(chunk);
  });
  for (const key of keys) input.write(key);
  return { input, err, modes, shown: () => shown };
}

test('the typed text is the answer, and only the question is shown', async () => {
  const streams = terminal('ge', 'heim\r');
  assert.equal(await askHidden('Password: ', streams), 'geheim');
  assert.equal(streams.shown(), 'Password: \n');
  assert.deepEqual(streams.modes, [true, false]);
});

test('correcting keys work, and other control keys are ignored', async () => {
  assert.equal(await askHidden('?', terminal('abx\u007fc', '\u001b[A', 'd\n')), 'abcd');
  assert.equal(await askHidden('?', terminal('wrong\u0015right\r')), 'right');
  assert.equal(await askHidden('?', terminal('grün 🔑\r')), 'grün 🔑');
});

test('several answers pasted together are told apart', async () => {
  const streams = terminal('one\rtwo\r');
  assert.deepEqual([await askHidden('1', streams), await askHidden('2', streams)], ['one', 'two']);
});

test('Ctrl+C ends the prompt', async () => {
  const streams = terminal('abc\u0003');
  await assert.rejects(askHidden('?', streams), CommandFailed);
  assert.deepEqual(streams.modes, [true, false]);
});

test('Ctrl+C ends a question that is not hidden, too, for which the terminal makes a signal of it', async () => {
  const streams = terminal('abc');
  const listenersBefore = process.listenerCount('SIGINT');
  const asked = askLine('?', streams);
  await setImmediate();
  process.emit('SIGINT');
  assert.ok(streams.input.destroyed, 'the terminal is read no more');
  await assert.rejects(asked, new CommandFailed('Cancelled.'));
  assert.equal(process.listenerCount('SIGINT'), listenersBefore);
});
