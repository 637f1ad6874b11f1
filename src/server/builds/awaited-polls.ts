// Polls materials now, and waits until the polls have ended, and until a config repo has read what they found.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FinishedPoll } from '../../materials/polling/poll-run.ts';
import type { MaterialPoller } from '../../materials/polling/poller.ts';

type Poller = Pick<MaterialPoller, 'listen' | 'requestPoll' | 'isUnderWay'>;

const LOOK_EVERY_MS = 50;
/** A config repo that takes longer is not waited for. */
const MAX_READING_MS = 60_000;

export class AwaitedPolls {
  readonly #poller: Poller;
  readonly #isReading: (configRepo: string) => Promise<boolean>;
  readonly #waiting = new Map<string, Set<(failure: string | undefined) => void>>();

  constructor(poller: Poller, isReading: (configRepo: string) => Promise<boolean>) {
    this.#poller = poller;
    this.#isReading = isReading;
    poller.listen((finished) => this.#ended(finished));
  }

  /** Returns the failures. Rejects when the signal aborts: a poll may take very long. */
  async poll(fingerprints: readonly string[], signal: AbortSignal, configRepo?: string): Promise<readonly string[]> {
    const failures = await Promise.all(fingerprints.map((fingerprint) => this.#pollOne(fingerprint, signal)));
    if (configRepo !== undefined) await this.#whenRead(configRepo, signal);
    return failures.filter((failure) => failure !== undefined);
  }

  async #whenRead(configRepo: string, signal: AbortSignal): Promise<void> {
    const end = performance.now() + MAX_READING_MS;
    while (performance.now() < end && (await this.#isReading(configRepo))) await sleep(LOOK_EVERY_MS, undefined, { signal });
  }

  async #pollOne(fingerprint: string, signal: AbortSignal): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const waiting = this.#waiting.getOrInsertComputed(fingerprint, () => new Set());
    const onAbort = () => reject(signal.reason);
    waiting.add(resolve);
    try {
      signal.throwIfAborted();
      // A material that is not polled has no news.
      if ((await this.#poller.requestPoll(fingerprint)) === 'unknown') return undefined;
      signal.throwIfAborted();
      // Listens only from here on: a promise that is rejected before it has a handler ends the process.
      signal.addEventListener('abort', onAbort, { once: true });
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      waiting.delete(resolve);
      if (waiting.size === 0) this.#waiting.delete(fingerprint);
    }
  }

  /** A poll that was under way when another one was requested is followed by that one. */
  #ended({ material: { fingerprint }, failure }: FinishedPoll): void {
    if (!this.#waiting.has(fingerprint) || this.#poller.isUnderWay(fingerprint, 'counted')) return;
    for (const resolve of this.#waiting.get(fingerprint) ?? []) resolve(failure);
  }
}
