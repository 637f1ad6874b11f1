// Notices that nothing is answered for too long. A timer for each question would cost more than the question: one runs on behind all.

/** A timer that is later than this was kept by its own process, or by the machine. */
const MAX_EVENT_LOOP_DELAY_MS = 100;

export class AnswerDeadline {
  readonly #maxWaitMs: number;
  readonly #onLate: () => void;
  #awaited = 0;
  /** When the first that is awaited was asked, or the last was answered. */
  #since = 0;
  #isWatching = false;
  /** Once for each answer, or a machine that is always late would never notice anything. */
  #isProlonged = false;

  constructor(maxWaitMs: number, onLate: () => void) {
    this.#maxWaitMs = maxWaitMs;
    this.#onLate = onLate;
  }

  /** Answers come in the order of the questions. */
  async watch<T>(answer: Promise<T>): Promise<T> {
    if (this.#awaited++ === 0) this.#since = performance.now();
    if (!this.#isWatching) this.#checkIn(this.#maxWaitMs);
    try {
      return await answer;
    } finally {
      this.#awaited--;
      this.#since = performance.now();
      this.#isProlonged = false;
    }
  }

  #checkIn(milliseconds: number): void {
    this.#isWatching = true;
    const due = performance.now() + milliseconds;
    setTimeout(() => this.#check(performance.now() - due), milliseconds).unref();
  }

  #check(lateMs: number): void {
    this.#isWatching = false;
    if (this.#awaited === 0) return;
    // A process that was suspended has not read from its socket either: answers that came meanwhile are read next.
    if (lateMs > MAX_EVENT_LOOP_DELAY_MS && !this.#isProlonged) {
      this.#isProlonged = true;
      this.#since = performance.now();
    }
    const left = this.#since + this.#maxWaitMs - performance.now();
    if (left > 0) this.#checkIn(left);
    else this.#onLate();
  }
}
