// Notices that nothing is answered for too long. A timer for each question would cost more than the question: one runs on behind all.

export class AnswerDeadline {
  readonly #longestMs: number;
  readonly #onLate: () => void;
  #awaited = 0;
  /** When the first that is awaited was asked, or the last was answered. */
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(longestMs: number, onLate: () => void) {
    this.#longestMs = longestMs;
    this.#onLate = onLate;
  }

  /** Answers come in the order of the questions. */
  async watch<T>(answer: Promise<T>): Promise<T> {
    if (this.#awaited++ === 0) this.#since = performance.now();
    this.#timer ??= setTimeout(() => this.#look(), this.#longestMs).unref();
    try {
      return await answer;
    } finally {
      this.#awaited--;
      this.#since = performance.now();
    }
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#awaited === 0) return;
    const left = this.#since + this.#longestMs - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#look(), left).unref();
    else this.#onLate();
  }
}
