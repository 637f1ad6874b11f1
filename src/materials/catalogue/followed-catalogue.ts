// Follows the materials of the configuration: those that may have changed are reconciled, many changes in a row together.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { PollerParts } from '../polling/poller-parts.ts';
import type { Material } from './material.ts';

interface Parts extends Pick<PollerParts, 'catalogue' | 'onFailure'> {
  /** Called for each material that was added, changed or removed. */
  reconcile(fingerprint: string): void;
  onAllReconciled(): void;
}

export class FollowedCatalogue {
  readonly #parts: Parts;
  #configured: ReadonlyMap<string, Material> = new Map();
  #isFirst = true;
  #isClosed = false;
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** As of the last sync. */
  find(fingerprint: string): Material | undefined {
    return this.#configured.get(fingerprint);
  }

  syncAfter(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.sync().catch((failure) => this.#parts.onFailure(failure, 'the materials of the configuration could not be worked out'));
    }, milliseconds).unref();
  }

  /** When this returns, all that is in the configuration now is reconciled. */
  async sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    do {
      this.#syncing ??= this.#sync().finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    } while (this.#parts.catalogue.hasChanged && !this.#isClosed);
    if (!this.#isClosed) this.#parts.onAllReconciled();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#syncing?.catch(() => {}); // the caller of `sync` gets the failure
  }

  async #sync(): Promise<void> {
    const { catalogue, reconcile } = this.#parts;
    this.#configured = await catalogue.current();
    // Earlier changes were taken by the previous follower of the catalogue, so the first sync reconciles every material.
    const changed = this.#isFirst ? new Set([...catalogue.takeChanged(), ...this.#configured.keys()]) : catalogue.takeChanged();
    this.#isFirst = false;
    for (const fingerprint of changed) {
      if (this.#isClosed) return;
      reconcile(fingerprint);
      const wait = pause();
      if (wait) await wait;
    }
  }
}
