// A clock for tests: it stands still until it is put forward.
import type { Clock } from './clock.ts';

export class FakeClock implements Clock {
  #now = Date.parse('2026-01-31T00:00:00Z');
  #alarms: { readonly time: number; readonly callBack: () => void }[] = [];

  now = () => this.#now;

  after = (milliseconds: number, callBack: () => void) => {
    const alarm = { time: this.#now + milliseconds, callBack };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((one) => one !== alarm);
    };
  };

  get alarms(): number {
    return this.#alarms.length;
  }

  async forward(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      const [first] = this.#alarms.toSorted((one, other) => one.time - other.time);
      if (!first || first.time > end) break;
      this.#alarms = this.#alarms.filter((one) => one !== first);
      this.#now = Math.max(this.#now, first.time);
      first.callBack();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** As when an administrator sets the clock, or the machine has slept: timers do not notice. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Resolves when all work that waits for nothing outside has ended. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
