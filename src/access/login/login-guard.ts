// Guards the checks of passwords: against guessing, and against floods that would keep others waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { FairSemaphore } from '../../kit/concurrency/limits/fair-semaphore.ts';
import { customerNetwork } from '../../kit/network/address-network.ts';
import { setNewest } from '../../kit/newest-entries.ts';
import { Refusal } from '../../kit/refusal.ts';
import { pluralize } from '../../kit/text/pluralize.ts';
import { pairOf, Throttle } from './throttle.ts';

export interface Attempt {
  readonly login: string;
  readonly address: string;
  /** A keyed hash of the credentials and of the address they come from. */
  readonly key: string;
}

export interface LoginGuardParts {
  readonly now: () => number;
  readonly delay: (milliseconds: number) => Promise<unknown>;
}

const LIMITS = { max: 24, maxPerKey: 8, maxWaitingPerKey: 200 };
/** Of one user from one address. Concurrent requests with the same Authorization header share one check, and count once. */
const MAX_WAITING = 50;
const MAX_LOGIN_LENGTH = 255;
const KNOWN_MS = 60 * 60_000;
const MAX_KNOWN = 10_000;
const BUSY_SECONDS = 2;
const TOO_MANY_TRIES = 'Too many logins of this user from your address are being checked. Try again in a moment.';

export class LoginGuard {
  readonly #parts: LoginGuardParts;
  readonly #throttle: Throttle;
  readonly #mutex = new KeyedMutex();
  /** How many tries of each user from each address are under way. */
  readonly #underWay = new Map<string, number>();
  readonly #slots = new FairSemaphore(LIMITS);
  /** Credentials that were right a while ago, by key, with the time until which that counts. */
  readonly #known = new Map<string, number>();

  constructor(parts: LoginGuardParts = { now: Date.now, delay: sleep }) {
    this.#parts = parts;
    this.#throttle = new Throttle(parts.now);
  }

  /** Runs a check, which answers undefined for wrong credentials. Tries of one user from one address are checked one after the other. */
  run<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
    const claim = { login: comparable(attempt.login).slice(0, MAX_LOGIN_LENGTH), address: customerNetwork(attempt.address) };
    const checkAndNote = async () => {
      const found = await check();
      this.#note(claim, attempt.key, found !== undefined);
      return found;
    };
    return this.#serialized(pairOf(claim), async () => {
      const wait = this.#throttle.lockOutSeconds(claim);
      if (wait > 0) throw lockedOut(wait);
      // Credentials that were right from this address before do not wait for the tries of others.
      if (this.#isKnown(attempt.key)) return this.#inSlot(`known ${claim.login}`, checkAndNote);
      const delay = this.#throttle.delayMs(claim);
      if (delay > 0) await this.#parts.delay(delay);
      return this.#inSlot(claim.address, checkAndNote);
    });
  }

  /** Refuses tries at once that would wait for long: a queue without an end would be work for minutes. */
  async #serialized<T>(pair: string, work: () => Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(pair) ?? 0;
    if (underWay >= MAX_WAITING) throw new Refusal('tooMany', TOO_MANY_TRIES, { retryAfter: BUSY_SECONDS });
    this.#underWay.set(pair, underWay + 1);
    try {
      return await this.#mutex.run(pair, work);
    } finally {
      const left = this.#underWay.get(pair)! - 1;
      if (left > 0) this.#underWay.set(pair, left);
      else this.#underWay.delete(pair);
    }
  }

  #inSlot<T>(key: string, work: () => Promise<T>): Promise<T> {
    const message = 'Too many logins from your address are being checked. Try again in a moment.';
    return this.#slots.run(key, work) ?? Promise.reject(new Refusal('tooMany', message, { retryAfter: BUSY_SECONDS }));
  }

  #note(claim: { readonly login: string; readonly address: string }, key: string, isRight: boolean): void {
    this.#known.delete(key);
    if (!isRight) {
      this.#throttle.failed(claim);
      return;
    }
    this.#throttle.succeeded(claim);
    setNewest(this.#known, key, this.#parts.now() + KNOWN_MS, MAX_KNOWN);
  }

  #isKnown(key: string): boolean {
    return (this.#known.get(key) ?? 0) > this.#parts.now();
  }
}

/** Directories take several spellings for one name: all of them count as tries of the same user. */
function comparable(login: string): string {
  return login.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function lockedOut(seconds: number): Refusal {
  return new Refusal('tooMany', `Too many failed logins. Try again in ${pluralize(seconds, 'second')}.`, { retryAfter: seconds });
}
