import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteRequest } from './request-activity.ts';
import { collectInSlices, nextSlice, pause } from './time-slices.ts';

const STEP_MS = 10; // longer than any slice

/** Counts the turns of the event loop while something is done. */
async function counting<T>(work: (turn: () => number) => Promise<T>): Promise<T> {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    return await work(() => turn);
  } finally {
    isOver = true;
  }
}

function busy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('however much long work there is, one slice of it is done in a turn', async () => {
  noteRequest(performance.now());
  busy(STEP_MS); // the slice of earlier work is over
  const turns = await counting(async (turn) => {
    const steps: number[] = [];
    const work = async () => {
      for (let step = 0; step < 3; step++) {
        await pause();
        busy(STEP_MS);
        steps.push(turn());
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    return steps;
  });
  assert.equal(turns.length, 12);
  assert.equal(new Set(turns).size, 12);
});

test('work that is short does not wait', async () => {
  await pause();
  assert.equal(pause(), undefined);
});

test('pieces that begin at the same time begin one after the other', async () => {
  const turns = await counting((turn) => Promise.all(Array.from({ length: 10 }, () => nextSlice().then(turn))));
  assert.equal(new Set(turns).size, 10);
  assert.deepEqual(
    turns,
    turns.toSorted((one, other) => one - other),
  );
});

test('a generator is collected in slices, without the steps that give nothing', async () => {
  const all = await counting((turn) => {
    function* steps() {
      for (let index = 0; index < 6; index++) {
        busy(STEP_MS);
        yield index % 2 === 0 ? { index, turn: turn() } : undefined;
      }
    }
    return collectInSlices(steps());
  });
  assert.deepEqual(
    all.map(({ index }) => index),
    [0, 2, 4],
  );
  assert.ok(all[0]!.turn < all[1]!.turn && all[1]!.turn < all[2]!.turn);
});
