// Work that gets no further is ended; work that does is not, whichever way it shows.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withGrowingLimits } from '../../../test/support/patience.ts';
import { type CommandStopped, runCommand } from '../../kit/process/command.ts';
import { type WatchOptions, withStallTimeout } from './stall-watch.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-stall-'));
after(() => rmSync(directory, { recursive: true }));

const SILENCE_MS = 600;
const LONG_SILENCE_MS = 1500;
const never = new AbortController().signal;
const sleeping = (options: WatchOptions) => runCommand('sleep', ['30'], { env: { PATH: process.env.PATH! }, ...options });
/** Goes on for longer than it may be silent. */
async function busy({ signal }: WatchOptions, silenceMs: number, doSomething: () => void): Promise<string> {
  for (const until = performance.now() + 1.5 * silenceMs; performance.now() < until; ) {
    doSomething();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  signal.throwIfAborted();
  return 'done';
}

test('a program that does nothing is ended, in words of its own', async () => {
  await assert.rejects(withStallTimeout(directory, SILENCE_MS, never, sleeping), (failure: CommandStopped) => {
    assert.equal(failure.message, 'sleep was stopped: nothing came for 0.6 seconds.');
    return failure.reason === 'silence';
  });
});

test('a program that prints goes on, and so does one that fills the directory', async () => {
  const file = join(directory, 'filled');
  const watch = (silenceMs: number, doSomething: (options: WatchOptions) => void) =>
    withStallTimeout(directory, silenceMs, never, (options) => busy(options, silenceMs, () => doSomething(options)));
  await withGrowingLimits(async (factor) => {
    assert.equal(await watch(factor * LONG_SILENCE_MS, ({ onActivity }) => onActivity()), 'done');
    assert.equal(await watch(factor * LONG_SILENCE_MS, () => appendFileSync(file, 'x')), 'done');
  });
  await assert.rejects(
    watch(LONG_SILENCE_MS, () => {}),
    { name: 'AbortError' },
  );
});

test('work that is aborted says so, and work without a limit is not watched', async () => {
  const stopped = AbortSignal.timeout(50);
  await assert.rejects(
    withStallTimeout(directory, SILENCE_MS, stopped, sleeping),
    (failure: CommandStopped) => failure.reason === 'aborted',
  );
  assert.equal(await withStallTimeout(directory, undefined, never, async () => 'done'), 'done');
  const failure = new Error('something else');
  await assert.rejects(
    withStallTimeout(directory, SILENCE_MS, never, () => Promise.reject(failure)),
    failure,
  );
});
