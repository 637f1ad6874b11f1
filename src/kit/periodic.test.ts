import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HandClock, settled } from './hand-clock.ts';
import { delayAfter, GiveWay, type Job, PeriodicRunner } from './periodic.ts';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;

let clock: HandClock;
let failures: [name: string, message: string, inARow: number][];
let runner: PeriodicRunner;
beforeEach(() => {
  clock = new HandClock();
  failures = [];
  runner = new PeriodicRunner({
    clock,
    places: { polling: 2 },
    onFailure: (name, failure, inARow) => failures.push([name, (failure as Error).message, inARow]),
  });
});

/** A job that counts its runs, each of which lasts until it is let go. */
function slowJob(name: string, more: Partial<Job> = {}) {
  const ends: (() => void)[] = [];
  let runs = 0;
  runner.add({
    name,
    when: { every: 10 * SECOND },
    run: () => {
      runs++;
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    ...more,
  });
  return {
    get runs() {
      return runs;
    },
    async end() {
      ends.shift()!();
      await settled();
    },
  };
}

function quickJob(more: Partial<Job> = {}): { runs: number } {
  const count = { runs: 0 };
  runner.add({ name: 'quick', when: { every: 10 * SECOND }, run: () => void count.runs++, ...more });
  return count;
}

describe('a job with an interval', () => {
  test('runs each time it has passed', async () => {
    const job = quickJob();
    await clock.forward(9 * SECOND);
    assert.equal(job.runs, 0);
    await clock.forward(SECOND);
    assert.equal(job.runs, 1);
    await clock.forward(30 * SECOND);
    assert.equal(job.runs, 4);
  });

  test('can begin sooner', async () => {
    const job = quickJob({ when: { every: 10 * SECOND, firstAfter: 0 } });
    await clock.forward(0);
    assert.equal(job.runs, 1);
    await clock.forward(10 * SECOND);
    assert.equal(job.runs, 2);
  });

  test('is never running twice; the interval counts from its end', async () => {
    const job = slowJob('slow');
    await clock.forward(60 * SECOND);
    assert.equal(job.runs, 1);
    await job.end();
    await clock.forward(9 * SECOND);
    assert.equal(job.runs, 1);
    await clock.forward(SECOND);
    assert.equal(job.runs, 2);
  });

  test('does not care about the time of day', async () => {
    const job = quickJob();
    clock.jump(-DAY);
    await clock.forward(DAY + 10 * SECOND);
    assert.ok(job.runs > 0);
  });
});

describe('a job with a time', () => {
  const midnights = { next: (after: number) => (Math.floor(after / DAY) + 1) * DAY };

  test('runs then, however far away it is', async () => {
    const job = quickJob({ when: midnights });
    await clock.forward(40 * DAY - 1);
    assert.equal(job.runs, 39);
    await clock.forward(1);
    assert.equal(job.runs, 40);
  });

  test('runs soon after its time when the clock was put forward', async () => {
    const job = quickJob({ when: midnights });
    clock.jump(DAY + SECOND);
    await clock.forward(60 * SECOND);
    assert.equal(job.runs, 1);
  });

  test('can have none, and get another when it asks again', async () => {
    let time: number | undefined;
    const count = { runs: 0 };
    const run = () => {
      count.runs++;
      time = undefined;
    };
    const added = runner.add({ name: 'once', when: { next: () => time }, run });
    await clock.forward(DAY);
    assert.equal(count.runs, 0);
    time = clock.now() + 5 * SECOND;
    added.refresh();
    time = clock.now() + 3 * SECOND;
    added.refresh();
    await clock.forward(3 * SECOND);
    assert.equal(count.runs, 1);
    await clock.forward(DAY);
    assert.equal(count.runs, 1);
    time = clock.now() - SECOND;
    added.refresh();
    await clock.forward(0);
    assert.equal(count.runs, 2);
  });
});

test('of one kind no more run at a time than there are places; others do not wait for them', async () => {
  const polls = ['a', 'b', 'c'].map((name) => slowJob(name, { kind: 'polling' }));
  const other = quickJob();
  await clock.forward(10 * SECOND);
  assert.deepEqual(
    polls.map(({ runs }) => runs),
    [1, 1, 0],
  );
  assert.equal(other.runs, 1);
  await polls[1]!.end();
  assert.deepEqual(
    polls.map(({ runs }) => runs),
    [1, 1, 1],
  );
});

test('what runs is listed with the time of its start and its details', async () => {
  slowJob('a', { kind: 'polling', details: { url: 'https://git.example.com' } });
  const short = slowJob('b');
  await clock.forward(10 * SECOND);
  const startedAt = clock.now();
  await clock.forward(SECOND);
  const listed = { name: 'a', kind: 'polling', details: { url: 'https://git.example.com' }, runsWhilePaused: false, startedAt };
  assert.deepEqual(runner.running(), [listed, { name: 'b', kind: 'upkeep', details: {}, runsWhilePaused: false, startedAt }]);
  await short.end();
  assert.deepEqual(runner.running(), [listed]);
});

describe('failures', () => {
  test('are reported, and the job comes again, later each time, until it works', async () => {
    let broken = true;
    const starts: number[] = [];
    quickJob({
      when: { every: 2 * SECOND },
      run: () => {
        starts.push(clock.now());
        if (broken) throw new Error('no');
      },
    });
    await clock.forward(60 * SECOND);
    const waits = starts.slice(1).map((start, index) => (start - starts[index]!) / SECOND);
    assert.deepEqual(waits, [2, 2, 4, 8, 16]);
    assert.deepEqual(
      failures,
      [1, 2, 3, 4, 5, 6].map((inARow) => ['quick', 'no', inARow]),
    );
    broken = false;
    await clock.forward(32 * SECOND);
    const before = starts.length;
    await clock.forward(20 * SECOND);
    assert.equal(starts.length - before, 10);
  });

  test('of a job whose time stays in the past do not make it run without end', async () => {
    const past = clock.now() - SECOND;
    quickJob({ when: { next: () => past }, run: () => Promise.reject(new Error('no')) });
    await clock.forward(7 * SECOND);
    assert.equal(failures.length, 4);
  });

  test('never delay a job by more than five minutes, nor make it come sooner', () => {
    assert.equal(delayAfter({ every: 100 }, 0), 100);
    assert.equal(delayAfter({ every: 100 }, 2000), 300_000);
    assert.equal(delayAfter({ every: 900_000 }, 3), 900_000);
    assert.equal(delayAfter({ next: () => undefined }, 0), 0);
    assert.equal(delayAfter({ next: () => undefined }, 2), 2000);
  });
});

describe('while it is paused', () => {
  test('nothing starts but what runs on; what runs is left alone', async () => {
    const slow = slowJob('slow');
    const waiting = quickJob();
    const persistent = quickJob({ runsWhilePaused: true });
    await clock.forward(10 * SECOND);
    runner.pause();
    await clock.forward(60 * SECOND);
    assert.deepEqual([slow.runs, waiting.runs, persistent.runs], [1, 1, 7]);
    assert.equal(runner.running().length, 1);
    await slow.end();
    await clock.forward(60 * SECOND);
    assert.deepEqual([slow.runs, waiting.runs], [1, 1]);
  });

  test('intervals are made up for once, times are left out', async () => {
    const polling = quickJob();
    const timed = quickJob({ when: { next: (after) => (Math.floor(after / (10 * SECOND)) + 1) * 10 * SECOND } });
    runner.pause();
    await clock.forward(65 * SECOND);
    runner.resume();
    await clock.forward(0);
    assert.deepEqual([polling.runs, timed.runs], [1, 0]);
    await clock.forward(5 * SECOND);
    assert.deepEqual([polling.runs, timed.runs], [1, 1]);
  });
});

describe('the end', () => {
  test('waits for what runs, tells it, and starts nothing more', async () => {
    let told = false;
    let finish = () => {};
    quickJob({
      run: (signal) => {
        signal.addEventListener('abort', () => (told = true));
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    const other = quickJob({ when: { every: 30 * SECOND } });
    await clock.forward(10 * SECOND);
    let isStopped = false;
    const stopping = runner.stop().then(() => (isStopped = true));
    await settled();
    assert.deepEqual([told, isStopped], [true, false]);
    finish();
    await stopping;
    runner.resume();
    quickJob();
    await clock.forward(DAY);
    assert.equal(other.runs, 0);
    assert.equal(clock.alarms, 0);
    assert.deepEqual(runner.running(), []);
  });

  test('of one job waits for its run', async () => {
    let finish = () => {};
    let runs = 0;
    const run = () => {
      runs++;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const added = runner.add({ name: 'gone', when: { every: SECOND }, run });
    await clock.forward(SECOND);
    const removed = added.remove();
    assert.equal(runner.running().length, 1);
    finish();
    await removed;
    await clock.forward(DAY);
    assert.equal(runs, 1);
    assert.equal(clock.alarms, 0);
  });
});

test('by the clock of the machine it works the same', async () => {
  const real = new PeriodicRunner({ onFailure: () => {} });
  let runs = 0;
  real.add({ name: 'tick', when: { every: 5 }, run: () => void runs++ });
  while (runs < 3) await pause(5);
  await real.stop();
});

test('those that are held back have at most half of the places, and others do not wait for them', async () => {
  runner = new PeriodicRunner({ clock, places: { polling: 4 }, onFailure: () => {} });
  const troubled = ['a', 'b', 'c', 'd'].map((name) => slowJob(name, { kind: 'polling', isHeldBack: () => true }));
  const well = ['e', 'f', 'g'].map((name) => slowJob(name, { kind: 'polling', isHeldBack: () => false }));
  await clock.forward(10 * SECOND);
  const runsOf = (jobs: readonly { runs: number }[]) => jobs.map(({ runs }) => runs);
  assert.deepEqual(
    [runsOf(troubled), runsOf(well)],
    [
      [1, 1, 0, 0],
      [1, 1, 0],
    ],
  );
  await well[0]!.end();
  assert.deepEqual(
    [runsOf(troubled), runsOf(well)],
    [
      [1, 1, 0, 0],
      [1, 1, 1],
    ],
  );
  await troubled[0]!.end();
  assert.deepEqual(runsOf(troubled), [1, 1, 1, 0]);
});

describe('a run that takes long', () => {
  const MINUTE = 60 * SECOND;
  const hanging = { kind: 'polling', isHeldBack: () => true, patience: { milliseconds: 5 * SECOND, asideMs: MINUTE } } as const;

  /** Is due until it has ended by itself; gives way when it is told to. */
  function longJob(name: string, takes = Number.POSITIVE_INFINITY) {
    const log = { starts: 0, stops: [] as Error[], isRunning: false, isDone: false };
    const due = clock.now();
    const run = async (signal: AbortSignal) => {
      log.starts++;
      log.isRunning = true;
      await new Promise<void>((resolve) => {
        const forget = clock.after(takes, () => {
          log.isDone = true;
          resolve();
        });
        signal.addEventListener('abort', () => {
          forget();
          log.stops.push(signal.reason as Error);
          resolve();
        });
      });
      log.isRunning = false;
    };
    runner.add({ ...hanging, name, when: { next: () => (log.isDone ? undefined : due) }, run });
    return log;
  }
  const runningOf = (jobs: readonly { readonly isRunning: boolean }[]) => jobs.filter(({ isRunning }) => isRunning).length;

  test('goes on aside, and others have its place', async () => {
    const slow = slowJob('slow', hanging);
    const quick = quickJob({ ...hanging, name: 'next' });
    await clock.forward(14 * SECOND);
    assert.deepEqual([slow.runs, quick.runs], [1, 0]);
    await clock.forward(SECOND);
    assert.deepEqual([slow.runs, quick.runs], [1, 1]);
  });

  test('begins aside the next time, until it is quick or not held back', async () => {
    let isHeldBack = true;
    const slow = slowJob('slow', { ...hanging, isHeldBack: () => isHeldBack });
    await clock.forward(15 * SECOND);
    await slow.end();
    const others = ['a', 'b'].map((name) => slowJob(name, { kind: 'polling', when: { every: DAY, firstAfter: 0 } }));
    await clock.forward(10 * SECOND);
    assert.deepEqual([slow.runs, others[0]!.runs, others[1]!.runs], [2, 1, 1], 'all places are taken, and none of them by it');
    await clock.forward(5 * SECOND);
    isHeldBack = false;
    await slow.end();
    await clock.forward(10 * SECOND);
    assert.equal(slow.runs, 2);
    await others[0]!.end();
    assert.equal(slow.runs, 3);
  });

  test('for which there is no room aside is stopped as soon as somebody waits for its place, and begun again aside', async () => {
    const aside = ['a', 'b'].map((name) => slowJob(name, hanging));
    await clock.forward(20 * SECOND);
    const stopped = longJob('stopped');
    await clock.forward(30 * SECOND);
    assert.equal(stopped.stops.length, 0, 'it is in nobody’s way');
    const quick = quickJob({ ...hanging, when: { every: SECOND } });
    await clock.forward(6 * SECOND);
    assert.ok(stopped.stops[0] instanceof GiveWay);
    assert.ok(quick.runs > 0);
    assert.equal(stopped.starts, 1);
    await aside[0]!.end();
    await clock.forward(0);
    assert.equal(stopped.starts, 2);
    await clock.forward(60 * SECOND);
    assert.equal(stopped.stops.length, 1, 'nobody waits for its place there');
  });

  test('makes room for one that waits aside when it has had its time there, and no more of them than wait', async () => {
    const all = ['a', 'b', 'c'].map((name) => longJob(name));
    const quick = quickJob({ ...hanging, when: { every: SECOND } });
    await clock.forward(20 * SECOND);
    assert.equal(runningOf(all), 2, 'the third waits for a place aside');
    const quickRuns = quick.runs;
    await clock.forward(47 * SECOND);
    assert.ok(quick.runs - quickRuns >= 45, 'what is quick does not wait for any of them');
    const stops = () => all.map(({ stops }) => stops.length).toSorted();
    assert.deepEqual(stops(), [0, 1, 1], 'one for want of room aside, one after its time there');
    assert.equal(runningOf(all), 2);
  });

  test('gets to its end, however many never do', async () => {
    for (let count = 0; count < 6; count++) longJob(`endless-${count}`);
    const real = longJob('real', 10 * MINUTE);
    await clock.forward(3 * 60 * MINUTE);
    assert.ok(real.isDone);
  });

  test('is not stopped for what cannot begin either', async () => {
    const all = ['a', 'b', 'c'].map((name) => longJob(name));
    await clock.forward(12 * SECOND);
    runner.pause();
    const before = all.flatMap(({ stops }) => stops).length;
    await clock.forward(10 * MINUTE);
    assert.equal(all.flatMap(({ stops }) => stops).length, before);
    assert.equal(runningOf(all), 3);
  });
});

test('twenty thousand jobs that come due during a pause cost little, and all run after it', async () => {
  runner = new PeriodicRunner({ places: { polling: 10 }, onFailure: () => {} });
  const due = Date.now() + 10;
  const times = Array.from({ length: 20_000 }, () => due as number | undefined);
  let runs = 0;
  runner.pause();
  times.forEach((_, index) => {
    const run = () => {
      runs++;
      times[index] = undefined;
    };
    runner.add({ name: String(index), kind: 'polling', when: { next: () => times[index] }, run });
  });
  const startedAt = performance.now();
  while (Date.now() < due + 10) await pause(5);
  await pause(0);
  // Going through all that wait each time that one more comes would take seconds.
  assert.ok(performance.now() - startedAt < 1500);
  assert.equal(runs, 0);
  runner.resume();
  for (let turn = 0; runs < 20_000; turn++) {
    assert.ok(turn < 2000, `only ${runs} have run`);
    await pause(5);
  }
  await runner.stop();
});
