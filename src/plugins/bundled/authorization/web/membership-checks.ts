// Remembers for a while whether a provider still has a user: otherwise each use of a session or a token would ask the provider.

const FRESH_MS = 10 * 60_000;
/** How long an answer is valid while the provider is away, so that users are not locked out. */
const USABLE_MS = 60 * 60_000;
const MAX_KEPT = 10_000;

interface Answer {
  readonly isMember: boolean;
  readonly at: number;
}

export class MembershipChecks {
  readonly #answers = new Map<string, Answer>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Rejects as `ask` does when there is no answer that can still be used. */
  async check(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const known = this.#answers.get(key);
    const age = known ? this.#now() - known.at : Number.POSITIVE_INFINITY;
    if (known && age < FRESH_MS) return known.isMember;
    try {
      const isMember = await ask();
      if (this.#answers.size >= MAX_KEPT) this.#answers.clear();
      this.#answers.set(key, { isMember, at: this.#now() });
      return isMember;
    } catch (failure) {
      if (known && age < USABLE_MS) return known.isMember;
      throw failure;
    }
  }
}
