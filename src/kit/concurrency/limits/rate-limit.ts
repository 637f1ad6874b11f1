// A rate limit by key: so many times in a window of fixed length, which begins with the first of them.
import { setNewest } from '../../newest-entries.ts';
import type { Clock } from '../clock.ts';

export interface RateLimitOptions {
  /** How many times in one window. */
  readonly max: number;
  readonly windowMs: number;
  /** When a window that something is counted in now began, if not with that. */
  readonly windowStart?: (now: number) => number;
}

interface Window {
  readonly count: number;
  readonly since: number;
}

/** With more keys, those that were counted longest ago are forgotten. */
const MAX_KEYS = 10_000;

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Pick<Clock, 'now'>, options: RateLimitOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** How many times are left in the window of this key. */
  left(key: string): number {
    return Math.max(0, this.#options.max - this.#windowOf(key).count);
  }

  /** How long it takes until the next time is allowed; 0: it is now. */
  waitMs(key: string): number {
    const { count, since } = this.#windowOf(key);
    return count < this.#options.max ? 0 : since + this.#options.windowMs - this.#clock.now();
  }

  /** When the window of this key began, or would begin now. */
  windowStart(key: string): number {
    return this.#windowOf(key).since;
  }

  /** Counts one more time, whether it is allowed or not. */
  note(key: string): void {
    const { count, since } = this.#windowOf(key);
    setNewest(this.#windows, key, { count: count + 1, since }, MAX_KEYS);
  }

  #windowOf(key: string): Window {
    const now = this.#clock.now();
    const known = this.#windows.get(key);
    // Also over when the clock was set back.
    if (known && now >= known.since && now - known.since < this.#options.windowMs) return known;
    return { count: 0, since: this.#options.windowStart?.(now) ?? now };
  }
}
