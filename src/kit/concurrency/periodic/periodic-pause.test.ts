import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertLinear } from '../../../../test/support/patience.ts';
import { PeriodicRunner } from './periodic.ts';
import { PeriodicLab, SECOND } from './periodic-lab.ts';

let lab: PeriodicLab;
beforeEach(() => {
  lab = new PeriodicLab();
});

describe('a paused runner', () => {
  test('only jobs that run while paused start in a pause; jobs under way are left alone', async () => {
    const slow = lab.slowJob('slow');
    const waiting = lab.quickJob();
    const persistent = lab.quickJob({ runsWhilePaused: true });
    await lab.clock.forward(10 * SECOND);
    lab.runner.pause();
    await lab.clock.forward(60 * SECOND);
    assert.deepEqual([slow.runs, waiting.runs, persistent.runs], [1, 1, 7]);
    assert.equal(lab.runner.running().length, 1);
    await slow.end();
    await lab.clock.forward(60 * SECOND);
    assert.deepEqual([slow.runs, waiting.runs], [1, 1]);
  });

  test('missed intervals are made up for once, missed times are left out', async () => {
    const polling = lab.quickJob();
    const timed = lab.quickJob({ when: { next: (after) => (Math.floor(after / (10 * SECOND)) + 1) * 10 * SECOND } });
    lab.runner.pause();
    await lab.clock.forward(65 * SECOND);
    lab.runner.resume();
    await lab.clock.forward(0);
    assert.deepEqual([polling.runs, timed.runs], [1, 0]);
    await lab.clock.forward(5 * SECOND);
    assert.deepEqual([polling.runs, timed.runs], [1, 1]);
  });
});

/** Going through all that wait each time that one more comes would take seconds. */
test('twenty thousand jobs that come due during a pause cost little, and all run after it', () =>
  assertLinear('a pause', pauseWith, 20_000));

async function pauseWith(jobs: number): Promise<void> {
  const runner = new PeriodicRunner({ slots: { polling: 10 }, onFailure: () => {} });
  runner.startKeeperJobs();
  const due = Date.now() + 10;
  const times = Array.from({ length: jobs }, () => due as number | undefined);
  let runs = 0;
  runner.pause();
  times.forEach((_, index) => {
    const run = () => {
      runs++;
      times[index] = undefined;
    };
    runner.add({ name: String(index), kind: 'polling', when: { next: () => times[index] }, run });
  });
  while (Date.now() < due + 10) await pause(5);
  await pause(0);
  assert.equal(runs, 0);
  runner.resume();
  for (let turn = 0; runs < jobs; turn++) {
    assert.ok(turn < 2000, `only ${runs} have run`);
    await pause(5);
  }
  await runner.stop();
}
