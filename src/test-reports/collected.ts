// The results in the reports of one job, within the limits of a job: counted, noted, and handed on in batches.
import { testKeyOf } from '../store/builds/test-reports.ts';
import { MAX_KEPT_TEXT, MAX_PROBLEMS, MAX_TESTS } from './limits.ts';
import type { ReportProblem, TestResult } from './result.ts';
import { Slowest } from './slowest.ts';

/** Of tests that nothing distinguishes, so many are kept, and so many failed ones: the history of one must not become long by a single job. */
const MAX_SAME = 100;
const MAX_SUM_MS = Number.MAX_SAFE_INTEGER;

const TOO_MANY_TESTS = `There are more than ${MAX_TESTS} tests in the job. The others are left out.`;
const TOO_MUCH_TEXT = 'There are too many long messages and traces in the job. Further ones are left out.';
const tooManySame = (name: string): string =>
  `There are more than ${MAX_SAME} results of the test '${name.slice(0, 200)}'. The others are counted, but not kept.`;

export class Collected {
  total = 0;
  failed = 0;
  skipped = 0;
  durationMs = 0;
  readonly problems: ReportProblem[] = [];
  readonly #slowest = new Slowest();
  readonly #counts = { failed: new Map<string, number>(), others: new Map<string, number>() };
  #textBytes = 0;

  get slowest() {
    return this.#slowest.tests;
  }

  get isFull(): boolean {
    return this.total >= MAX_TESTS;
  }

  addProblem(file: string, message: string): void {
    const isKnown = this.problems.some((one) => one.file === file && one.message === message);
    if (this.problems.length < MAX_PROBLEMS && !isKnown) this.problems.push({ file, message });
  }

  /** Returns those that are kept. */
  add(file: string, results: readonly TestResult[]): readonly TestResult[] {
    const room = MAX_TESTS - this.total;
    if (results.length > room) this.addProblem(file, TOO_MANY_TESTS);
    return results.slice(0, room).flatMap((result) => this.#addOne(file, result));
  }

  #addOne(file: string, result: TestResult): TestResult[] {
    this.total++;
    if (result.result === 'failed') this.failed++;
    if (result.result === 'skipped') this.skipped++;
    this.durationMs = Math.min(this.durationMs + result.durationMs, MAX_SUM_MS);
    this.#slowest.add(result);
    if (this.#countSame(result) > MAX_SAME) {
      this.addProblem(file, tooManySame(result.name));
      return [];
    }
    return [this.#withinRoom(file, result)];
  }

  /** Failures are counted on their own: many that passed before one must not hide it. */
  #countSame(result: TestResult): number {
    const counts = result.result === 'failed' ? this.#counts.failed : this.#counts.others;
    const key = testKeyOf(result.class, result.name);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  #withinRoom(file: string, result: TestResult): TestResult {
    const bytes = Buffer.byteLength(result.message ?? '') + Buffer.byteLength(result.trace ?? '');
    if (this.#textBytes + bytes > MAX_KEPT_TEXT) {
      this.addProblem(file, TOO_MUCH_TEXT);
      return { ...result, message: null, trace: null };
    }
    this.#textBytes += bytes;
    return result;
  }
}
