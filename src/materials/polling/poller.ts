// Polls materials from each `start` to the next `stop`. In between another server polls them, and nothing is known of them here.

import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import type { Material } from '../catalogue/material.ts';
import { ActivePoller, type MaterialState } from './active-poller.ts';
import { MaterialDirectories } from './directories.ts';
import type { FinishedPoll } from './poll-run.ts';
import type { PollRequestResult } from './poll-schedule.ts';
import type { PollerParts } from './poller-parts.ts';
import type { MaterialWork } from './run-with-material.ts';

export class MaterialPoller {
  readonly #parts: PollerParts;
  readonly #listeners: ((finished: FinishedPoll) => void)[] = [];
  /** The calls that have not returned yet. */
  readonly #pending = new PendingWork();
  #active: ActivePoller | undefined;

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /** Loads the stored state of materials, and polls them from now on. */
  async start(): Promise<void> {
    const { materials, modifications, requestedPolls, directory } = this.#parts;
    materials.forgetPolls();
    await modifications.load();
    await requestedPolls.load();
    const stored = await materials.all();
    const directories = await MaterialDirectories.open(directory, stored);
    this.#active = new ActivePoller(this.#parts, stored, directories, (finished) => {
      for (const listener of this.#listeners) listener(finished);
    });
  }

  /** After the runner has stopped. Returns when all that was learned is written. */
  async stop(): Promise<void> {
    const active = this.#active;
    if (!active) return;
    this.#active = undefined;
    await this.#pending.ended();
    try {
      await active.close();
    } finally {
      this.#parts.modifications.unload();
      this.#parts.requestedPolls.unload();
    }
  }

  /** To be called when the configuration has changed: many changes in a row are polled together. */
  configurationChanged(): void {
    this.#active?.configurationChanged();
  }

  /** Subscribes to ended polls. */
  listen(listener: (finished: FinishedPoll) => void): void {
    this.#listeners.push(listener);
  }

  /** Watches the materials of the current configuration, and no others. */
  sync(): Promise<void> {
    return this.#whileActive((active) => active.sync());
  }

  /** Asks for a poll now, whatever happened before. When this returns, the poll takes place even after a restart. */
  requestPoll(fingerprint: string): Promise<PollRequestResult> {
    return this.#whileActive((active) => active.requestPoll(fingerprint));
  }

  /** Whether a poll of the material runs or, if counted, waits for a slot. */
  isUnderWay(fingerprint: string, waiting: 'counted' | 'not counted'): boolean {
    return this.#mustBeActive().isUnderWay(fingerprint, waiting);
  }

  /** The current state of a material. */
  stateOf(fingerprint: string): MaterialState {
    return this.#mustBeActive().stateOf(fingerprint);
  }

  /** Runs work on a material while no poll uses its directory. */
  runWithMaterial<T>(material: Material, work: MaterialWork<T>): Promise<T> {
    return this.#whileActive((active) => active.runWithMaterial(material, work));
  }

  /** Finds a material that no pipeline names: an external of another material. */
  findExternal(fingerprint: string): Promise<Material | undefined> {
    return this.#whileActive((active) => active.findExternal(fingerprint));
  }

  async #whileActive<T>(work: (active: ActivePoller) => Promise<T>): Promise<T> {
    return this.#pending.add(work(this.#mustBeActive()));
  }

  #mustBeActive(): ActivePoller {
    if (!this.#active) throw new NotKeeper();
    return this.#active;
  }
}
