// The test files that have failed, by the events of their processes. None may be missed: a file not named here does not fail the run.
import type { EventData, TestsStream } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestQueue } from './test-queue.ts';

/** All paths are absolute. */
export class FailedFiles {
  /** Files, and the programs of processes. */
  readonly #ended = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(tests: TestsStream) {
    tests.on('test:complete', (completed) => this.#noteEnd(completed));
  }

  /** To be asked when the run has ended. A process takes from the queue by the path of its program. */
  all(queue: TestQueue): readonly string[] {
    const takers = new Map(queue.files.map((file) => [file, queue.takerOf(file)]));
    // However their processes have ended, or when no process has taken them.
    const unended = queue.files.filter((file) => !this.#ended.has(file));
    const failed = [...this.#failed].flatMap((path) => {
      const taken = queue.files.filter((file) => takers.get(file) === path);
      return taken.length === 0 ? [path] : this.#failedOf(taken);
    });
    return [...new Set([...failed, ...unended])];
  }

  /** The files that failed among those of a failed process; all of them, if the events do not show which. */
  #failedOf(taken: readonly string[]): readonly string[] {
    const known = taken.filter((file) => !this.#ended.has(file) || this.#failed.has(file));
    return known.length > 0 ? known : taken;
  }

  #noteEnd({ name, file, details }: EventData.TestComplete): void {
    // In a process that several files share, each file is a suite.
    const path = name.startsWith('file:') ? fileURLToPath(name) : name;
    if (path === name && name !== file) return; // a test
    this.#ended.add(path);
    if (!details.passed) this.#failed.add(path);
  }
}
