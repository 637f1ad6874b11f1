import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Preempted } from './job.ts';
import { DAY, PeriodicLab, SECOND } from './periodic-lab.ts';

let lab: PeriodicLab;
beforeEach(() => {
  lab = new PeriodicLab();
});

test('no more jobs of one kind run at a time than there are slots; other kinds do not wait', async () => {
  const polls = ['a', 'b', 'c'].map((name) => lab.slowJob(name, { kind: 'polling' }));
  const other = lab.quickJob();
  await lab.clock.forward(10 * SECOND);
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

test('jobs that are held back have at most half of the slots, and others do not wait for them', async () => {
  lab = new PeriodicLab({ polling: 4 });
  const troubled = ['a', 'b', 'c', 'd'].map((name) => lab.slowJob(name, { kind: 'polling', isHeldBack: () => true }));
  const well = ['e', 'f', 'g'].map((name) => lab.slowJob(name, { kind: 'polling', isHeldBack: () => false }));
  await lab.clock.forward(10 * SECOND);
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
  const hanging = { kind: 'polling', isHeldBack: () => true, slowRunPolicy: { slowAfterMs: 5 * SECOND, overflowMs: MINUTE } } as const;

  /** Is due until it has ended by itself; ends when its signal aborts. */
  function longJob(name: string, takes = Number.POSITIVE_INFINITY) {
    const log = { starts: 0, stops: [] as Error[], isRunning: false, isDone: false };
    const due = lab.clock.now();
    const run = async (signal: AbortSignal) => {
      log.starts++;
      log.isRunning = true;
      await new Promise<void>((resolve) => {
        const forget = lab.clock.after(takes, () => {
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
    lab.runner.add({ ...hanging, name, when: { next: () => (log.isDone ? undefined : due) }, run });
    return log;
  }
  const runningOf = (jobs: readonly { readonly isRunning: boolean }[]) => jobs.filter(({ isRunning }) => isRunning).length;

  test('goes on in the overflow, and others have its slot', async () => {
    const slow = lab.slowJob('slow', hanging);
    const quick = lab.quickJob({ ...hanging, name: 'next' });
    await lab.clock.forward(14 * SECOND);
    assert.deepEqual([slow.runs, quick.runs], [1, 0]);
    await lab.clock.forward(SECOND);
    assert.deepEqual([slow.runs, quick.runs], [1, 1]);
  });

  test('begins in the overflow the next time, until it is quick or not held back', async () => {
    let isHeldBack = true;
    const slow = lab.slowJob('slow', { ...hanging, isHeldBack: () => isHeldBack });
    await lab.clock.forward(15 * SECOND);
    await slow.end();
    const others = ['a', 'b'].map((name) => lab.slowJob(name, { kind: 'polling', when: { every: DAY, firstAfter: 0 } }));
    await lab.clock.forward(10 * SECOND);
    assert.deepEqual([slow.runs, others[0]!.runs, others[1]!.runs], [2, 1, 1], 'all slots are taken, and none of them by it');
    await lab.clock.forward(5 * SECOND);
    isHeldBack = false;
    await slow.end();
    await lab.clock.forward(10 * SECOND);
    assert.equal(slow.runs, 2);
    await others[0]!.end();
    assert.equal(slow.runs, 3);
  });

  test('is preempted as soon as a job waits for its slot, if the overflow has no room for it', async () => {
    const inOverflow = ['a', 'b'].map((name) => lab.slowJob(name, hanging));
    await lab.clock.forward(20 * SECOND);
    const stopped = longJob('stopped');
    await lab.clock.forward(30 * SECOND);
    assert.equal(stopped.stops.length, 0, 'it is in nobody’s way');
    const quick = lab.quickJob({ ...hanging, when: { every: SECOND } });
    await lab.clock.forward(6 * SECOND);
    assert.ok(stopped.stops[0] instanceof Preempted);
    assert.ok(quick.runs > 0);
    assert.equal(stopped.starts, 1);
    await inOverflow[0]!.end();
    await lab.clock.forward(0);
    assert.equal(stopped.starts, 2);
    await lab.clock.forward(60 * SECOND);
    assert.equal(stopped.stops.length, 1, 'nothing waits for its slot there');
  });

  test('is preempted for another that waits for the overflow, after its time there', async () => {
    const all = ['a', 'b', 'c'].map((name) => longJob(name));
    const quick = lab.quickJob({ ...hanging, when: { every: SECOND } });
    await lab.clock.forward(20 * SECOND);
    assert.equal(runningOf(all), 2, 'the third waits for a slot in the overflow');
    const quickRuns = quick.runs;
    await lab.clock.forward(47 * SECOND);
    assert.ok(quick.runs - quickRuns >= 45, 'what is quick does not wait for any of them');
    const stops = () => all.map(({ stops }) => stops.length).toSorted();
    assert.deepEqual(stops(), [0, 1, 1], 'one for want of room in the overflow, one after its time there');
    assert.equal(runningOf(all), 2);
  });

  test('gets to its end, however many others never do', async () => {
    for (let count = 0; count < 6; count++) longJob(`endless-${count}`);
    const real = longJob('real', 10 * MINUTE);
    await lab.clock.forward(3 * 60 * MINUTE);
    assert.ok(real.isDone);
  });

  test('is not stopped for a job that cannot begin either', async () => {
    const all = ['a', 'b', 'c'].map((name) => longJob(name));
    await lab.clock.forward(12 * SECOND);
    lab.runner.pause();
    const before = all.flatMap(({ stops }) => stops).length;
    await lab.clock.forward(10 * MINUTE);
    assert.equal(all.flatMap(({ stops }) => stops).length, before);
    assert.equal(runningOf(all), 3);
  });
});
