// The helpers that keep the speed of the machine out of the tests still find what is slow by mistake.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertInPieces, assertLinear, withGrowingLimits } from '../support/patience.ts';

describe('growing limits', () => {
  test('end with the first that is enough', async () => {
    const tried: number[] = [];
    await withGrowingLimits((factor) => {
      tried.push(factor);
      assert.ok(factor > 10);
    });
    assert.deepEqual(tried, [1, 4, 16]);
  });

  test('do not hide what never succeeds', async () => {
    await assert.rejects(
      withGrowingLimits(async (factor) => assert.fail(`at ${factor}`)),
      /at 64/,
    );
  });
});

describe('linear work', () => {
  const spin = (rounds: number) => {
    let sum = 0;
    for (let round = 0; round < rounds; round++) sum = (sum * 31 + round) % 1_000_003;
    return sum;
  };

  test('passes', () => assertLinear('a loop', spin, 20_000_000));

  test('and quadratic work does not', () => {
    const verdict = assertLinear('a loop in a loop', (size) => spin(size * size), 8_000);
    return assert.rejects(verdict, /4 times the size took \d+\.\d times as long/);
  });
});

describe('work in pieces', () => {
  const busy = (ms: number) => {
    for (const end = process.threadCpuUsage().user + ms * 1000; process.threadCpuUsage().user < end; );
  };

  test('passes', () =>
    assertInPieces('many pieces', async () => {
      for (let piece = 0; piece < 20; piece++) {
        busy(10);
        await pause(2);
      }
    }));

  test('and work in one piece does not', () =>
    assert.rejects(
      assertInPieces('one piece', async () => busy(200)),
      /one piece: one of its pieces took 2\d\d(\.\d+)? of /,
    ));
});
