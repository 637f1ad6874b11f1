// Limits how often something is started: with a gap between any two starts. After a longer gap the next one starts at once.

export class StartLimiter<Order extends { readonly id: number }> {
  readonly #gapMs: number;
  readonly #start: (order: Order) => void;
  readonly #waiting = new Map<number, Order>();
  #lastAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(gapMs: number, start: (order: Order) => void) {
    this.#gapMs = gapMs;
    this.#start = start;
  }

  add(order: Order): void {
    this.#waiting.set(order.id, order);
    this.#goOn();
  }

  /** False: it is not waiting any more. */
  withdraw(id: number): boolean {
    return this.#waiting.delete(id);
  }

  readonly #goOn = (): void => {
    if (this.#timer !== undefined) return;
    const [first] = this.#waiting.values();
    if (!first) return;
    const restMs = this.#lastAt + this.#gapMs - performance.now();
    if (restMs > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#goOn();
      }, restMs);
      return;
    }
    this.#waiting.delete(first.id);
    this.#lastAt = performance.now();
    this.#start(first);
    this.#goOn();
  };
}
