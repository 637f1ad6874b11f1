// A runner for tests, by a clock that is put forward by hand, with jobs that count their runs.
import { FakeClock, settled } from '../fake-clock.ts';
import type { Job } from './job.ts';
import { PeriodicRunner } from './periodic.ts';

export const SECOND = 1000;
export const DAY = 24 * 3600 * SECOND;

export class PeriodicLab {
  readonly clock = new FakeClock();
  readonly failures: [name: string, message: string, inARow: number][] = [];
  readonly runner: PeriodicRunner;

  constructor(slots: Readonly<Record<string, number>> = { polling: 2 }) {
    this.runner = new PeriodicRunner({
      clock: this.clock,
      slots,
      onFailure: (name, failure, inARow) => this.failures.push([name, (failure as Error).message, inARow]),
    });
    this.runner.startKeeperJobs();
  }

  /** A job that counts its runs, each of which lasts until it is let go. */
  slowJob(name: string, more: Partial<Job> = {}): { readonly runs: number; end(): Promise<void> } {
    const ends: (() => void)[] = [];
    let runs = 0;
    this.runner.add({
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

  quickJob(more: Partial<Job> = {}): { runs: number } {
    const count = { runs: 0 };
    this.runner.add({ name: 'quick', when: { every: 10 * SECOND }, run: () => void count.runs++, ...more });
    return count;
  }
}
