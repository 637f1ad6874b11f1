// A task that runs once for all callers that ask before it begins, one run after the other.
import { SerialQueue } from './serial-queue.ts';

export class CoalescedTask<T> {
  readonly #task: () => Promise<T>;
  readonly #queue = new SerialQueue();
  #next: Promise<T> | undefined;

  constructor(task: () => Promise<T>) {
    this.#task = task;
  }

  /** The result of a run that begins after this call; a failure is reported only to the callers of that run. */
  run(): Promise<T> {
    this.#next ??= this.#queue.run(() => {
      this.#next = undefined;
      return this.#task();
    });
    return this.#next;
  }
}
