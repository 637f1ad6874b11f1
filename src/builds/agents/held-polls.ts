// Polls that are held open until there is something to say, or for so long. All wait equally long, so they end in the order in which they came.
import type { Order } from '../../contracts/agent-protocol/messages.ts';

export const NONE: Order = { order: 'none' };

export interface HeldPoll {
  readonly until: number;
  /** Ends it, once. */
  settle(order: Order | Error): void;
  readonly isSettled: boolean;
}

class OpenPoll implements HeldPoll {
  readonly until: number;
  isSettled = false;
  readonly #held: Set<OpenPoll>;
  readonly #resolve: (order: Order) => void;
  readonly #reject: (failure: Error) => void;

  constructor(until: number, held: Set<OpenPoll>, resolve: (order: Order) => void, reject: (failure: Error) => void) {
    this.until = until;
    this.#held = held;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  settle(order: Order | Error): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#held.delete(this);
    if (order instanceof Error) this.#reject(order);
    else this.#resolve(order);
  }
}

export class HeldPolls {
  readonly #held = new Set<OpenPoll>();

  get size(): number {
    return this.#held.size;
  }

  /** Calls `begin` with the poll; the promise is its answer. */
  hold(until: number, begin: (poll: HeldPoll) => void): Promise<Order> {
    return new Promise((resolve, reject) => {
      const poll = new OpenPoll(until, this.#held, resolve, reject);
      this.#held.add(poll);
      begin(poll);
    });
  }

  /** Ends those whose time is over. */
  expire(now: number): void {
    for (const poll of this.#held) {
      if (poll.until > now) return;
      poll.settle(NONE);
    }
  }

  /** Ends all: their agents ask again. */
  release(): void {
    for (const poll of this.#held) poll.settle(NONE);
  }
}
