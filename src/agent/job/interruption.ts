// The reasons to end a job early.

/**
 * `cancel`: the server cancelled it; `drop`: it is another agent's now; `stop`: this agent ends; `fail`: the agent cannot go on with it.
 */
export type Reason = 'cancel' | 'drop' | 'stop' | 'fail';

export class Interruption {
  readonly #interrupted = new AbortController();
  readonly #killed = new AbortController();
  #reason: Reason | undefined;

  /** The last one counts: a cancelled job may still be dropped. */
  get reason(): Reason | undefined {
    return this.#reason;
  }

  /** Aborted at the first interruption. */
  get signal(): AbortSignal {
    return this.#interrupted.signal;
  }

  /** Aborted when nothing of the job may go on. */
  get killSignal(): AbortSignal {
    return this.#killed.signal;
  }

  interrupt(reason: Reason): void {
    if (this.#reason === undefined) {
      this.#reason = reason;
      this.#interrupted.abort();
    } else if (reason === 'drop' || reason === 'stop') {
      this.#reason = reason;
      this.#killed.abort();
    }
  }

  kill(): void {
    this.interrupt('cancel');
    this.#killed.abort();
  }
}
