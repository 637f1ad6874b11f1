// Limits registrations of agents without a valid key: any client that reaches the server can register, and could fill the table of agents,
// or guess the key.
import type { Clock } from '../../kit/concurrency/clock.ts';
import { customerNetwork } from '../../kit/network/address-network.ts';
import { Refusal } from '../../kit/refusal.ts';

const WINDOW_MS = 60_000;
export const MAX_FROM_ONE_ADDRESS = 60;
export const MAX_FROM_ALL = 300;
export const MAX_PENDING = 1000;
export const MAX_WRONG_KEYS = 60;
const MAX_REMEMBERED = 10_000;
const TOO_MANY = 'Too many agents register without a valid key. Try again later.';

export class RegistrationRateLimit {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byAddress = new Map<string, number>();
  #count = 0;
  #since = Number.NEGATIVE_INFINITY;
  /** By address; within a window of their own. */
  readonly #wrongKeys = new Map<string, { readonly count: number; readonly since: number }>();

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
    const ofAddress = this.#byAddress.get(customerNetwork(address)) ?? 0;
    if (now - this.#since < WINDOW_MS && (ofAddress >= MAX_FROM_ONE_ADDRESS || this.#count >= MAX_FROM_ALL))
      throw this.#tooMany(this.#since);
  }

  note(address: string): void {
    const now = this.#clock.now();
    if (now - this.#since >= WINDOW_MS) {
      this.#byAddress.clear();
      this.#count = 0;
      this.#since = now;
    }
    const network = customerNetwork(address);
    this.#byAddress.set(network, (this.#byAddress.get(network) ?? 0) + 1);
    this.#count++;
  }

  /** Refuses further keys of an address that has sent many wrong ones, whether they are right or not: the answer must not reveal it. */
  checkKeys(address: string): void {
    const known = this.#wrongKeysOf(customerNetwork(address));
    if (known.count >= MAX_WRONG_KEYS) throw this.#tooMany(known.since);
  }

  noteWrongKey(address: string): void {
    const network = customerNetwork(address);
    const { count, since } = this.#wrongKeysOf(network);
    this.#wrongKeys.set(network, { count: count + 1, since });
    if (this.#wrongKeys.size > MAX_REMEMBERED) this.#wrongKeys.delete(this.#wrongKeys.keys().next().value!);
  }

  #wrongKeysOf(network: string): { readonly count: number; readonly since: number } {
    const now = this.#clock.now();
    const known = this.#wrongKeys.get(network);
    return known && now - known.since < WINDOW_MS ? known : { count: 0, since: now };
  }

  #tooMany(since: number): Refusal {
    return new Refusal('tooMany', TOO_MANY, { retryAfter: Math.ceil((since + WINDOW_MS - this.#clock.now()) / 1000) });
  }
}
