// Polls materials now, and waits until the polls have ended.
import type { FinishedPoll } from '../../materials/polling/poll-run.ts';
import type { MaterialPoller } from '../../materials/polling/poller.ts';

type Poller = Pick<MaterialPoller, 'listen' | 'update' | 'isUnderWay'>;

export class AwaitedPolls {
  readonly #poller: Poller;
  readonly #waiting = new Map<string, Set<(failure: string | undefined) => void>>();

  constructor(poller: Poller) {
    this.#poller = poller;
    poller.listen((finished) => this.#ended(finished));
  }

  /** Returns the failures. Rejects when the signal aborts: a poll may take very long. */
  async poll(fingerprints: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const failures = await Promise.all(fingerprints.map((fingerprint) => this.#pollOne(fingerprint, signal)));
    return failures.filter((failure) => failure !== undefined);
  }

  async #pollOne(fingerprint: string, signal: AbortSignal): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const waiting = this.#waiting.getOrInsertComputed(fingerprint, () => new Set());
    const onAbort = () => reject(signal.reason);
    waiting.add(resolve);
    try {
      signal.throwIfAborted();
      // A material that is not polled has no news.
      if ((await this.#poller.update(fingerprint)) === 'unknown') return undefined;
      signal.throwIfAborted();
      // Not before: a promise that is rejected without a handler ends the process.
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
