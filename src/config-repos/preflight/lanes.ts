// Limits how many preflights run at a time: a repository that does not answer delays only preflights of its own branches.

import { Semaphore } from '../../kit/concurrency/limits/semaphore.ts';
import { Refusal } from '../../kit/refusal.ts';

export interface LaneLimits {
  readonly maxRunning: number;
  readonly waiting: number;
  readonly maxWaitMs: number;
}

const MINUTE_MS = 60_000;
const AT_ONCE: LaneLimits = { maxRunning: 4, waiting: 8, maxWaitMs: MINUTE_MS };
/** Checks of one repository wait for each other in any case, because they share its directory. */
const OF_ONE_REPO = 1;
const TOO_MANY = 'Too many preflights are running. Try again in a minute.';
const RETRY_AFTER_SECONDS = 60;

type Work<T> = () => Promise<T>;

export class PreflightLanes {
  readonly #limits: LaneLimits;
  readonly #forFiles: Semaphore;
  readonly #forRefs: Semaphore;
  readonly #byRepo = new Map<string, Semaphore>();

  constructor(limits: LaneLimits = AT_ONCE) {
    const { maxRunning, waiting, maxWaitMs } = limits;
    this.#limits = limits;
    this.#forFiles = new Semaphore(maxRunning, waiting, maxWaitMs);
    this.#forRefs = new Semaphore(maxRunning, waiting, maxWaitMs);
  }

  /** Runs the preflight of files that were sent: it waits for no repository. */
  forFiles<T>(work: Work<T>): Promise<T> {
    return this.#forFiles.run(work, refusal);
  }

  /** Runs the preflight of a branch or commit, which has to be fetched. */
  forRef<T>(repo: string, work: Work<T>): Promise<T> {
    const { waiting, maxWaitMs } = this.#limits;
    const own = this.#byRepo.getOrInsertComputed(repo, () => new Semaphore(OF_ONE_REPO, waiting, maxWaitMs));
    return own.run(() => this.#forRefs.run(work, refusal), refusal);
  }
}

function refusal(): Refusal {
  return new Refusal('tooMany', TOO_MANY, { retryAfter: RETRY_AFTER_SECONDS });
}
