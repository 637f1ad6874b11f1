// Notices when the history in git is not as it was written, and has it written anew from the change log.
import { OneAnswerThread } from '../../kit/concurrency/threads/one-answer-thread.ts';
import { startThread } from '../../kit/concurrency/threads/thread.ts';
import { ownProgram } from '../../kit/process/own-program.ts';
import type { Projection } from './projection.ts';

interface Parts {
  readonly repository: string;
  readonly projection: Pick<Projection, 'rewrite' | 'upToDate'>;
  readonly onDamage: (what: string) => void;
  /** The history is whole again. */
  readonly onRepaired: () => void;
  /** Called when the history could not be checked, or not be written anew. */
  readonly onFailure: (failure: unknown) => void;
}

/** A client that fails to read the history may try again and again. */
const MIN_PAUSE_MS = 10 * 60_000;
const MAX_LISTED = 3;

export class HistoryGuard {
  readonly #parts: Parts;
  readonly #check: OneAnswerThread<readonly string[]>;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #repair: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#check = new OneAnswerThread(() =>
      startThread(ownProgram('document/projection/check-thread.ts'), { workerData: parts.repository }),
    );
  }

  /** Looks at all of it in the background, unless that was done a moment ago. */
  look(): void {
    if (this.#check.isRunning || this.#repair || performance.now() - this.#lookedAt < MIN_PAUSE_MS) return;
    this.#lookedAt = performance.now();
    this.#check
      .run()
      .then((damage = []) => (damage.length > 0 ? this.repair(damageText(damage)) : undefined))
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
    await this.#check.stop();
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
}

function damageText(damage: readonly string[]): string {
  const more = damage.length > MAX_LISTED ? [`and ${damage.length - MAX_LISTED} more`] : [];
  return `${[...damage.slice(0, MAX_LISTED), ...more].join(', ')}.`;
}
