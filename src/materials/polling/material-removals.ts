// Removals of materials that have left the configuration, and of their directories. A material that comes back waits for its removal.
import type { MaterialDirectories } from './directories.ts';
import type { PollSchedule } from './poll-schedule.ts';
import type { PollerParts } from './poller-parts.ts';

export class MaterialRemovals {
  readonly #parts: Pick<PollerParts, 'materials' | 'onFailure'>;
  readonly #directories: MaterialDirectories;
  readonly #removals = new Map<string, Promise<unknown>>();

  constructor(parts: Pick<PollerParts, 'materials' | 'onFailure'>, directories: MaterialDirectories) {
    this.#parts = parts;
    this.#directories = directories;
  }

  add({ material: { fingerprint }, job }: PollSchedule): void {
    const { materials, onFailure } = this.#parts;
    const remove = async () => {
      await job.remove();
      await this.#directories.remove(async () => (await materials.find(fingerprint))?.directory);
    };
    const removal = remove()
      .catch((failure: unknown) => onFailure(failure, 'the directory of a material could not be removed'))
      .then(() => {
        if (this.#removals.get(fingerprint) === removal) this.#removals.delete(fingerprint);
      });
    this.#removals.set(fingerprint, removal);
  }

  async whenRemoved(fingerprint: string): Promise<void> {
    await this.#removals.get(fingerprint);
  }

  async whenAllRemoved(): Promise<void> {
    await Promise.all(this.#removals.values());
  }
}
