// Publishes failed logins, but not all when they come in masses: an attacker who guesses passwords must not fill the disk.
import type { NewEvent } from '../store/write-with-events.ts';
import { type FailedLogin, loginFailed } from './event-facts.ts';

/** Number of failed logins in a row that are published one by one … */
const MAX_AT_ONCE = 60;
/** … and then one a minute, with the number of those that were omitted. */
const ONE_EVERY_MS = 60_000;

export class FailedLogins {
  readonly #publish: (event: NewEvent) => void;
  readonly #now: () => number;
  #left = MAX_AT_ONCE;
  #countedAt: number;
  #omitted = 0;
  #newest: FailedLogin | undefined;

  constructor(publish: (event: NewEvent) => void, now: () => number = Date.now) {
    this.#publish = publish;
    this.#now = now;
    this.#countedAt = now();
  }

  add(failed: FailedLogin): void {
    this.#omitted++;
    this.#newest = failed;
    this.publishOmitted();
  }

  /** To be called now and then: the last of many may have been omitted. */
  publishOmitted(): void {
    const gained = Math.floor((this.#now() - this.#countedAt) / ONE_EVERY_MS);
    this.#left = Math.min(this.#left + gained, MAX_AT_ONCE);
    this.#countedAt += gained * ONE_EVERY_MS;
    if (!this.#newest || this.#left === 0) return;
    this.#left--;
    this.#publish(loginFailed(this.#newest, this.#omitted - 1));
    this.#omitted = 0;
    this.#newest = undefined;
  }
}
