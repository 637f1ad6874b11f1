// The tests of a job that took longest. They are noted when its reports are read: no request has to search all results for them later.
import { MAX_SLOWEST } from './limits.ts';
import type { TestResult } from './result.ts';

export interface SlowTest {
  readonly class: string;
  readonly name: string;
  readonly ms: number;
}

export class Slowest {
  /** Slowest first. */
  readonly #tests: SlowTest[] = [];

  add({ class: className, name, durationMs: ms }: TestResult): void {
    const tests = this.#tests;
    if (ms === 0 || (tests.length === MAX_SLOWEST && ms <= tests.at(-1)!.ms)) return;
    const index = tests.findIndex((one) => one.ms < ms);
    tests.splice(index < 0 ? tests.length : index, 0, { class: className, name, ms });
    tests.length = Math.min(tests.length, MAX_SLOWEST);
  }

  get tests(): readonly SlowTest[] {
    return this.#tests;
  }
}

/** As it was noted. */
export function readSlowest(text: string): readonly SlowTest[] {
  return JSON.parse(text);
}
