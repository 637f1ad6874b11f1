// Jobs that only one of several servers may run: none before it is the keeper, none after, and the same again when it is once more.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock, settled } from '../fake-clock.ts';
import type { Job } from './job.ts';
import { KeeperRoleLost } from './keeper.ts';
import { PeriodicRunner } from './periodic.ts';
import { DAY, SECOND } from './periodic-lab.ts';

class Lab {
  readonly clock = new FakeClock();
  readonly failures: unknown[] = [];
  readonly runner = new PeriodicRunner({
    clock: this.clock,
    slots: { polling: 1 },
    onFailure: (_, failure) => this.failures.push(failure),
  });

  job(more: Partial<Job> = {}): { runs: number } {
    const count = { runs: 0 };
    this.runner.add({ name: 'job', when: { every: 10 * SECOND }, run: () => void count.runs++, ...more });
    return count;
  }
}

/** Runs until its signal aborts, and then until it is let go; `reason` is that of the signal. */
class Stubborn {
  readonly run: Job['run'];
  readonly #gate = Promise.withResolvers<void>();
  reason: unknown;
  isRunning = false;

  constructor() {
    this.run = async (signal) => {
      this.isRunning = true;
      signal.addEventListener('abort', () => (this.reason = signal.reason));
      await this.#gate.promise;
      this.isRunning = false;
      signal.throwIfAborted();
    };
  }

  release(): void {
    this.#gate.resolve();
  }
}

describe('jobs of the keeper', () => {
  test('begin when this server becomes the keeper, end when it ceases to be, and can begin again', async () => {
    const lab = new Lab();
    const mine = lab.job({ where: 'keeper', when: { every: 10 * SECOND, firstAfter: 3 * SECOND } });
    const unsaid = lab.job();
    const all = lab.job({ where: 'everywhere' });
    await lab.clock.forward(60 * SECOND);
    assert.deepEqual([mine.runs, unsaid.runs, all.runs], [0, 0, 6]);
    lab.runner.startKeeperJobs();
    await lab.clock.forward(20 * SECOND);
    assert.deepEqual([mine.runs, unsaid.runs, all.runs], [2, 2, 8]);
    await lab.runner.stopKeeperJobs();
    await lab.clock.forward(60 * SECOND);
    assert.deepEqual([mine.runs, unsaid.runs, all.runs], [2, 2, 14]);
    lab.runner.startKeeperJobs();
    lab.runner.startKeeperJobs();
    await lab.clock.forward(2 * SECOND);
    assert.equal(mine.runs, 2);
    await lab.clock.forward(SECOND);
    assert.equal(mine.runs, 3);
  });

  test('get the reason why they end, and are awaited; jobs of all servers go on', async () => {
    const lab = new Lab();
    const [mine, patient, all] = [new Stubborn(), new Stubborn(), new Stubborn()];
    const slowRunPolicy = { slowAfterMs: SECOND, overflowMs: SECOND };
    lab.job({ run: mine.run });
    lab.job({ run: patient.run, kind: 'polling', slowRunPolicy });
    lab.job({ run: all.run, where: 'everywhere' });
    const waiting = lab.job({ kind: 'polling' });
    lab.runner.startKeeperJobs();
    await lab.clock.forward(10 * SECOND);
    let isStopped = false;
    const stopping = lab.runner.stopKeeperJobs().then(() => (isStopped = true));
    await settled();
    assert.ok(mine.reason instanceof KeeperRoleLost && patient.reason instanceof KeeperRoleLost);
    assert.deepEqual([all.reason, isStopped], [undefined, false]);
    mine.release();
    await settled();
    assert.equal(isStopped, false);
    patient.release();
    await stopping;
    assert.deepEqual([mine.isRunning, patient.isRunning, all.isRunning], [false, false, true]);
    await lab.clock.forward(DAY);
    assert.equal(waiting.runs, 0, 'one that waited for a slot does not get it');
    assert.deepEqual(lab.failures, [], 'to end when asked to is no failure');
    all.release();
    await lab.runner.stop();
  });

  test('jobs of the keeper that fail while they are asked to end count as failed', async () => {
    const lab = new Lab();
    const failure = new Error('disk full');
    lab.job({ run: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(failure))) });
    lab.runner.startKeeperJobs();
    await lab.clock.forward(10 * SECOND);
    await lab.runner.stopKeeperJobs();
    assert.deepEqual(lab.failures, [failure]);
  });

  test('forget their failures when they begin again', async () => {
    const lab = new Lab();
    lab.job({ run: () => Promise.reject(new Error('no')), when: { every: SECOND } });
    lab.runner.startKeeperJobs();
    await lab.clock.forward(60 * SECOND);
    await lab.runner.stopKeeperJobs();
    const before = lab.failures.length;
    lab.runner.startKeeperJobs();
    await lab.clock.forward(SECOND);
    assert.equal(lab.failures.length, before + 1);
  });

  test('can be added and refreshed before they begin, and only then are asked for their time', async () => {
    const lab = new Lab();
    let asked = 0;
    const next = () => {
      asked++;
      return asked > 1 ? undefined : lab.clock.now();
    };
    let runs = 0;
    const added = lab.runner.add({ name: 'timed', when: { next }, run: () => void runs++ });
    added.refresh();
    await lab.clock.forward(SECOND);
    assert.deepEqual([asked, runs], [0, 0]);
    lab.runner.startKeeperJobs();
    await lab.clock.forward(SECOND);
    assert.equal(runs, 1);
    await lab.runner.stopKeeperJobs();
    asked = 0;
    added.refresh();
    await lab.clock.forward(DAY);
    assert.deepEqual([asked, runs, lab.clock.alarms], [0, 1, 0]);
  });

  test('jobs of the keeper that were removed before they begin do not run', async () => {
    const lab = new Lab();
    let runs = 0;
    const added = lab.runner.add({ name: 'gone', when: { every: SECOND }, run: () => void runs++ });
    await added.remove();
    lab.runner.startKeeperJobs();
    await lab.clock.forward(DAY);
    assert.equal(runs, 0);
  });
});

describe('a pause', () => {
  test('a pause of the runner holds back jobs of the keeper, too', async () => {
    const lab = new Lab();
    const job = lab.job();
    const persistent = lab.job({ runsWhilePaused: true });
    lab.runner.pause();
    lab.runner.startKeeperJobs();
    await lab.clock.forward(20 * SECOND);
    assert.deepEqual([job.runs, persistent.runs], [0, 2]);
    await lab.runner.stopKeeperJobs();
    lab.runner.resume();
    await lab.clock.forward(60 * SECOND);
    assert.deepEqual([job.runs, persistent.runs], [0, 2]);
    lab.runner.startKeeperJobs();
    await lab.clock.forward(10 * SECOND);
    assert.deepEqual([job.runs, persistent.runs], [1, 3]);
  });
});

test('the end of the runner ends them too, for good', async () => {
  const lab = new Lab();
  const job = new Stubborn();
  const other = lab.job();
  lab.job({ run: job.run, when: { every: SECOND } });
  lab.runner.startKeeperJobs();
  await lab.clock.forward(SECOND);
  const stopped = lab.runner.stop();
  assert.ok(job.reason !== undefined && !(job.reason instanceof KeeperRoleLost));
  job.release();
  await stopped;
  lab.runner.startKeeperJobs();
  await lab.clock.forward(DAY);
  assert.deepEqual([other.runs, lab.clock.alarms], [0, 0]);
});
