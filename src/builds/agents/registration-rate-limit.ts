// Limits registrations of agents without a valid key: any client that reaches the server can register, and could fill the table of agents.
import type { Clock } from '../../kit/concurrency/clock.ts';
import { Refusal } from '../../kit/refusal.ts';

const WINDOW_MS = 60_000;
export const MAX_FROM_ONE_ADDRESS = 60;
export const MAX_FROM_ALL = 300;
export const MAX_PENDING = 1000;

export class RegistrationRateLimit {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byAddress = new Map<string, number>();
  #count = 0;
  #since = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Refuses one more agent that an administrator has to look at. */
  checkLimit(address: string, pending: number): void {
    if (pending >= MAX_PENDING) {
      const message = `${MAX_PENDING} agents wait to be enabled already. An administrator has to enable some, or disable and delete them.`;
      throw new Refusal('tooMany', message, { retryAfter: WINDOW_MS / 1000 });
    }
    const now = this.#clock.now();
    if (now - this.#since < WINDOW_MS && ((this.#byAddress.get(address) ?? 0) >= MAX_FROM_ONE_ADDRESS || this.#count >= MAX_FROM_ALL)) {
      const retryAfter = Math.ceil((this.#since + WINDOW_MS - now) / 1000);
      throw new Refusal('tooMany', 'Too many agents register without a valid key. Try again later.', { retryAfter });
    }
  }

  note(address: string): void {
    const now = this.#clock.now();
    if (now - this.#since >= WINDOW_MS) {
      this.#byAddress.clear();
      this.#count = 0;
      this.#since = now;
    }
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    this.#count++;
  }
}
