import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { settled } from '../fake-clock.ts';
import { delayAfter, PeriodicRunner } from './periodic.ts';
import { DAY, PeriodicLab, SECOND } from './periodic-lab.ts';

let lab: PeriodicLab;
beforeEach(() => {
  lab = new PeriodicLab();
});

describe('a job with an interval', () => {
  test('runs each time it has passed', async () => {
    const job = lab.quickJob();
    await lab.clock.forward(9 * SECOND);
    assert.equal(job.runs, 0);
    await lab.clock.forward(SECOND);
    assert.equal(job.runs, 1);
    await lab.clock.forward(30 * SECOND);
    assert.equal(job.runs, 4);
  });

  test('can begin sooner', async () => {
    const job = lab.quickJob({ when: { every: 10 * SECOND, firstAfter: 0 } });
    await lab.clock.forward(0);
    assert.equal(job.runs, 1);
    await lab.clock.forward(10 * SECOND);
    assert.equal(job.runs, 2);
  });

  test('is never running twice; the interval counts from its end', async () => {
    const job = lab.slowJob('slow');
    await lab.clock.forward(60 * SECOND);
    assert.equal(job.runs, 1);
    await job.end();
    await lab.clock.forward(9 * SECOND);
    assert.equal(job.runs, 1);
    await lab.clock.forward(SECOND);
    assert.equal(job.runs, 2);
  });

  test('does not care about the time of day', async () => {
    const job = lab.quickJob();
    lab.clock.jump(-DAY);
    await lab.clock.forward(DAY + 10 * SECOND);
    assert.ok(job.runs > 0);
  });
});

describe('a job with a time', () => {
  const midnights = { next: (after: number) => (Math.floor(after / DAY) + 1) * DAY };

  test('runs then, however far away it is', async () => {
    const job = lab.quickJob({ when: midnights });
    await lab.clock.forward(40 * DAY - 1);
    assert.equal(job.runs, 39);
    await lab.clock.forward(1);
    assert.equal(job.runs, 40);
  });

  test('runs soon after its time when the clock was put forward', async () => {
    const job = lab.quickJob({ when: midnights });
    lab.clock.jump(DAY + SECOND);
    await lab.clock.forward(60 * SECOND);
    assert.equal(job.runs, 1);
  });

  test('can have none, and get another when it asks again', async () => {
    let time: number | undefined;
    const count = { runs: 0 };
    const run = () => {
      count.runs++;
      time = undefined;
    };
    const added = lab.runner.add({ name: 'once', when: { next: () => time }, run });
    await lab.clock.forward(DAY);
    assert.equal(count.runs, 0);
    time = lab.clock.now() + 5 * SECOND;
    added.refresh();
    time = lab.clock.now() + 3 * SECOND;
    added.refresh();
    await lab.clock.forward(3 * SECOND);
    assert.equal(count.runs, 1);
    await lab.clock.forward(DAY);
    assert.equal(count.runs, 1);
    time = lab.clock.now() - SECOND;
    added.refresh();
    await lab.clock.forward(0);
    assert.equal(count.runs, 2);
  });
});

test('running jobs are listed with the time of their start and their details', async () => {
  lab.slowJob('a', { kind: 'polling', details: { url: 'https://git.example.com' } });
  const short = lab.slowJob('b');
  await lab.clock.forward(10 * SECOND);
  const startedAt = lab.clock.now();
  await lab.clock.forward(SECOND);
  const listed = { name: 'a', kind: 'polling', details: { url: 'https://git.example.com' }, runsWhilePaused: false, startedAt };
  assert.deepEqual(lab.runner.running(), [listed, { name: 'b', kind: 'upkeep', details: {}, runsWhilePaused: false, startedAt }]);
  await short.end();
  assert.deepEqual(lab.runner.running(), [listed]);
});

describe('failures', () => {
  test('are reported, and the job comes again, later each time, until it works', async () => {
    let broken = true;
    const starts: number[] = [];
    lab.quickJob({
      when: { every: 2 * SECOND },
      run: () => {
        starts.push(lab.clock.now());
        if (broken) throw new Error('no');
      },
    });
    await lab.clock.forward(60 * SECOND);
    const waits = starts.slice(1).map((start, index) => (start - starts[index]!) / SECOND);
    assert.deepEqual(waits, [2, 2, 4, 8, 16]);
    assert.deepEqual(
      lab.failures,
      [1, 2, 3, 4, 5, 6].map((inARow) => ['quick', 'no', inARow]),
    );
    broken = false;
    await lab.clock.forward(32 * SECOND);
    const before = starts.length;
    await lab.clock.forward(20 * SECOND);
    assert.equal(starts.length - before, 10);
  });

  test('failures of a job whose time stays in the past do not make it run without end', async () => {
    const past = lab.clock.now() - SECOND;
    lab.quickJob({ when: { next: () => past }, run: () => Promise.reject(new Error('no')) });
    await lab.clock.forward(7 * SECOND);
    assert.equal(lab.failures.length, 4);
  });

  test('never delay a job by more than five minutes, nor make it come sooner', () => {
    assert.equal(delayAfter({ every: 100 }, 0), 100);
    assert.equal(delayAfter({ every: 100 }, 2000), 300_000);
    assert.equal(delayAfter({ every: 900_000 }, 3), 900_000);
    assert.equal(delayAfter({ next: () => undefined }, 0), 0);
    assert.equal(delayAfter({ next: () => undefined }, 2), 2000);
  });
});

describe('the end', () => {
  test('waits for running jobs, aborts their signals, and starts nothing more', async () => {
    let isAborted = false;
    let finish = () => {};
    lab.quickJob({
      run: (signal) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    const other = lab.quickJob({ when: { every: 30 * SECOND } });
    await lab.clock.forward(10 * SECOND);
    let isStopped = false;
    const stopping = lab.runner.stop().then(() => (isStopped = true));
    await settled();
    assert.deepEqual([isAborted, isStopped], [true, false]);
    finish();
    await stopping;
    lab.runner.resume();
    lab.quickJob();
    await lab.clock.forward(DAY);
    assert.equal(other.runs, 0);
    assert.equal(lab.clock.alarms, 0);
    assert.deepEqual(lab.runner.running(), []);
  });

  test('the end of one job waits for its run', async () => {
    let finish = () => {};
    let runs = 0;
    const run = () => {
      runs++;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const added = lab.runner.add({ name: 'gone', when: { every: SECOND }, run });
    await lab.clock.forward(SECOND);
    const removed = added.remove();
    assert.equal(lab.runner.running().length, 1);
    finish();
    await removed;
    await lab.clock.forward(DAY);
    assert.equal(runs, 1);
    assert.equal(lab.clock.alarms, 0);
  });
});

test('the clock of the machine works, too', async () => {
  const real = new PeriodicRunner({ onFailure: () => {} });
  real.startKeeperJobs();
  let runs = 0;
  real.add({ name: 'tick', when: { every: 5 }, run: () => void runs++ });
  while (runs < 3) await pause(5);
  await real.stop();
});
