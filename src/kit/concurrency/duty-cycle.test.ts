import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DutyCycle } from './duty-cycle.ts';
import { noteRequest } from './request-activity.ts';

const never = new AbortController().signal;

/** How long the second of two pieces has to wait. */
async function waitMs(dutyCycle: DutyCycle, signal = never): Promise<number> {
  await dutyCycle.run(() => delay(20), signal);
  const from = performance.now();
  return dutyCycle.run(async () => performance.now() - from, signal);
}

test('work rests in proportion while requests come, and not at all while none come', async () => {
  noteRequest(Number.NEGATIVE_INFINITY);
  assert.ok((await waitMs(new DutyCycle({ share: 0.001, maxRestMs: 60_000 }))) < 5_000);
  noteRequest(performance.now());
  assert.ok((await waitMs(new DutyCycle({ share: 0.1, maxRestMs: 60_000 }))) >= 150);
});

test('a rest has a maximum, ends with an abort, and follows failed pieces, too', async () => {
  noteRequest(performance.now());
  assert.ok((await waitMs(new DutyCycle({ share: 0.000_001, maxRestMs: 30 }))) < 5_000);
  const dutyCycle = new DutyCycle({ share: 0.000_001, maxRestMs: 60_000 });
  const failing = async () => {
    await delay(5);
    throw new Error('no');
  };
  await assert.rejects(dutyCycle.run(failing, never), /no/);
  noteRequest(performance.now());
  const reason = new Error('called away');
  await assert.rejects(
    dutyCycle.run(() => delay(0), AbortSignal.abort(reason)),
    reason,
  );
  noteRequest(Number.NEGATIVE_INFINITY);
});
