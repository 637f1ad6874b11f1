// Limits registrations of agents without a valid key: any client that reaches the server can register, and could fill the table of agents,
// or guess the key.
import type { Clock } from '../../kit/concurrency/clock.ts';
import { RateLimit } from '../../kit/concurrency/limits/rate-limit.ts';
import { customerNetwork } from '../../kit/network/address-network.ts';
import { Refusal } from '../../kit/refusal.ts';

const WINDOW_MS = 60_000;
export const MAX_FROM_ONE_ADDRESS = 60;
export const MAX_FROM_ALL = 300;
export const MAX_PENDING = 1000;
export const MAX_WRONG_KEYS = 60;
/** The key of the limit for all addresses together. */
const ALL = '';
const TOO_MANY = 'Too many agents register without a valid key. Try again later.';

export class RegistrationRateLimit {
  readonly #fromAll: RateLimit;
  /** In the windows of all together. */
  readonly #byAddress: RateLimit;
  /** By address. */
  readonly #wrongKeys: RateLimit;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#fromAll = new RateLimit(clock, { max: MAX_FROM_ALL, windowMs: WINDOW_MS });
    this.#byAddress = new RateLimit(clock, {
      max: MAX_FROM_ONE_ADDRESS,
      windowMs: WINDOW_MS,
      windowStart: () => this.#fromAll.windowStart(ALL),
    });
    this.#wrongKeys = new RateLimit(clock, { max: MAX_WRONG_KEYS, windowMs: WINDOW_MS });
  }

  /** Refuses one more agent that an administrator has to look at. */
  checkLimit(address: string, pending: number): void {
    if (pending >= MAX_PENDING) {
      const message = `${MAX_PENDING} agents wait to be enabled already. An administrator has to enable some, or disable and delete them.`;
      throw new Refusal('tooMany', message, { retryAfter: WINDOW_MS / 1000 });
    }
    refuseFor(Math.max(this.#fromAll.waitMs(ALL), this.#byAddress.waitMs(customerNetwork(address))));
  }

  note(address: string): void {
    this.#fromAll.note(ALL);
    this.#byAddress.note(customerNetwork(address));
  }

  /** Refuses further keys of an address that has sent many wrong ones, whether they are right or not: the answer must not reveal it. */
  checkKeys(address: string): void {
    refuseFor(this.#wrongKeys.waitMs(customerNetwork(address)));
  }

  noteWrongKey(address: string): void {
    this.#wrongKeys.note(customerNetwork(address));
  }
}

function refuseFor(waitMs: number): void {
  if (waitMs > 0) throw new Refusal('tooMany', TOO_MANY, { retryAfter: Math.ceil(waitMs / 1000) });
}
