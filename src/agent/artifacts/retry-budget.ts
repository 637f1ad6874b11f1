// How long requests about the artifacts of a job are sent again while the server answers that it cannot do them.
import { pluralize } from '../../kit/text/pluralize.ts';
import { type Answer, ownMessageOf } from '../server/server-client.ts';
import { ArtifactFailure, type RetryBudget } from './context.ts';

/** A fault of the server comes again each time; one that starts, is busy, or waits for its database or store is well again some time. */
type Trouble = 'fault' | 'unavailable';

export interface RetryLimits {
  /** From the first answer on. */
  readonly ms: Readonly<Record<Trouble, number>>;
  /** However long the server was away between two answers, it is asked so many times. */
  readonly answers: number;
}

const MINUTE_MS = 60_000;
const RETRY_LIMITS: RetryLimits = { ms: { fault: 5 * MINUTE_MS, unavailable: 30 * MINUTE_MS }, answers: 20 };

const FIRST_FAULT = 500;
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

interface Series {
  readonly since: number;
  count: number;
}

/** Shared by all artifacts of a job: what fails for the first one need not be tried as long for each of the others. */
export class JobRetryBudget implements RetryBudget {
  readonly #limits: RetryLimits;
  readonly #now: () => number;
  readonly #series = new Map<Trouble, Series>();

  constructor(limits = RETRY_LIMITS, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  noteProgress(): void {
    this.#series.clear();
  }

  noteFailure(answer: Answer): void {
    const trouble = troubleOf(answer);
    const series = this.#series.getOrInsertComputed(trouble, () => ({ since: this.#now(), count: 0 }));
    series.count++;
    const { ms, answers } = this.#limits;
    const passedMs = this.#now() - series.since;
    if (series.count < answers || passedMs < ms[trouble]) return;
    throw new ArtifactFailure(gaveUp(answer, passedMs));
  }
}

function troubleOf({ status }: Answer): Trouble {
  return status >= FIRST_FAULT && !UNAVAILABLE.has(status) ? 'fault' : 'unavailable';
}

function gaveUp(answer: Answer, passedMs: number): string {
  const message = ownMessageOf(answer);
  const last = `Its last answer has status ${answer.status}${message === undefined ? '' : `: ${message.replace(/\.$/, '')}`}.`;
  return `The server has failed to do this for ${pluralize(Math.round(passedMs / MINUTE_MS), 'minute')}, so the agent gives up. ${last} Look for the cause in the log of the server, and run the job again when it is mended.`;
}
