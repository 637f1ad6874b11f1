// The helpers that keep the speed of the machine out of the tests still find code that is slow by mistake.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertInPieces, assertLinear, withGrowingLimits } from '../support/patience.ts';

describe('growing limits', () => {
  test('growing limits end with the first that is enough', async () => {
    const tried: number[] = [];
    await withGrowingLimits((factor) => {
      tried.push(factor);
      assert.ok(factor > 10);
    });
    assert.deepEqual(tried, [1, 4, 16]);
  });

  test('growing limits do not hide work that never succeeds', async () => {
    await assert.rejects(
      withGrowingLimits(async (factor) => assert.fail(`at ${factor}`)),
      /at 64/,
    );
  });
});

/** A clock that only work moves. */
function clock() {
  let now = 0;
  return { usedMs: () => now, spend: (ms: number) => (now += ms) };
}

describe('linear work', () => {
  test('linear work passes', () => {
    const { usedMs, spend } = clock();
    return assertLinear('a loop', (size) => spend(size), 1000, usedMs);
  });

  test('quadratic work does not pass as linear', () => {
    const { usedMs, spend } = clock();
    const verdict = assertLinear('a loop in a loop', (size) => spend(size * size), 1000, usedMs);
    return assert.rejects(verdict, /4 times the size took 16\.0 times as long/);
  });

  test('linear work is judged by the processor time of the thread', () => assertLinear('a loop', spin, 20_000_000));

  function spin(rounds: number): number {
    let sum = 0;
    for (let round = 0; round < rounds; round++) sum = (sum * 31 + round) % 1_000_003;
    return sum;
  }
});

describe('work in pieces', () => {
  const pieces = async (count: number, ms: number, spend: (ms: number) => void) => {
    for (let piece = 0; piece < count; piece++) {
      spend(ms);
      await pause(10);
    }
  };

  test('work in pieces passes, also when one attempt was held up', async () => {
    const { usedMs, spend } = clock();
    const attempts: number[] = [];
    await assertInPieces(
      'many pieces',
      async (attempt) => {
        attempts.push(attempt);
        if (attempt === 1) spend(1000);
        await pieces(20, 10, spend);
      },
      usedMs,
    );
    assert.deepEqual(attempts, [1, 2]);
  });

  test('work in one piece does not pass as work in pieces', () => {
    const { usedMs, spend } = clock();
    return assert.rejects(
      assertInPieces('one piece', () => pieces(1, 200, spend), usedMs),
      /one piece: one of its pieces took 200 of 200 ms/,
    );
  });
});
