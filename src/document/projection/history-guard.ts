// Notices when the history in git is not as it was written, and has it written anew from the change log.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../kit/concurrency/threads/thread.ts';
import { ownProgram } from '../../kit/process/own-program.ts';
import type { Projection } from './projection.ts';

interface Parts {
  readonly repository: string;
  readonly projection: Pick<Projection, 'rewrite' | 'upToDate'>;
  readonly onDamage: (what: string) => void;
  /** The history is whole again. */
  readonly onRepaired: () => void;
  /** It could not be looked at, or not be written anew. */
  readonly onFailure: (failure: unknown) => void;
}

/** A client that fails to read the history may try again and again. */
const MIN_PAUSE_MS = 10 * 60_000;
const MAX_LISTED = 3;

export class HistoryGuard {
  readonly #parts: Parts;
  #thread: Worker | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #repair: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at all of it in the background, unless that was done a moment ago. */
  look(): void {
    if (this.#thread || this.#repair || performance.now() - this.#lookedAt < MIN_PAUSE_MS) return;
    this.#lookedAt = performance.now();
    this.#damage()
      .then((damage) => (damage.length > 0 ? this.repair(damageText(damage)) : undefined))
      .catch(this.#parts.onFailure);
  }

  /** Has it written anew; returns when that has begun. */
  repair(what: string): Promise<void> {
    this.#repair ??= this.#rewrite(what).catch((failure: unknown) => {
      this.#repair = undefined;
      this.#parts.onFailure(failure);
    });
    return this.#repair;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  async #rewrite(what: string): Promise<void> {
    const { projection, onDamage, onRepaired, onFailure } = this.#parts;
    onDamage(what);
    await projection.rewrite();
    projection
      .upToDate()
      .then(onRepaired, onFailure)
      .finally(() => {
        this.#repair = undefined;
      });
  }

  async #damage(): Promise<readonly string[]> {
    const thread = startThread(ownProgram('document/projection/check-thread.ts'), { workerData: this.#parts.repository });
    this.#thread = thread.on('exit', () => {
      this.#thread = undefined;
    });
    thread.unref();
    const ended = once(thread, 'exit').then((): [readonly string[]] => [[]]);
    const [damage] = await Promise.race([once(thread, 'message') as Promise<[readonly string[]]>, ended]);
    return damage;
  }
}

function damageText(damage: readonly string[]): string {
  const more = damage.length > MAX_LISTED ? [`and ${damage.length - MAX_LISTED} more`] : [];
  return `${[...damage.slice(0, MAX_LISTED), ...more].join(', ')}.`;
}
