// How many bytes may be held at the same time, by all callers that share the budget.
export class ByteBudget {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  /** Whether enough was left. The caller releases the bytes afterwards. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#left += bytes;
  }
}
