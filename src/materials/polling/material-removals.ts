// Materials that have left the configuration, until their directories are gone. One that comes back meanwhile waits for that.
import type { MaterialDirectories } from './directories.ts';
import type { PollSchedule } from './poll-schedule.ts';
import type { PollerParts } from './poller-parts.ts';

export class LeavingMaterials {
  readonly #parts: Pick<PollerParts, 'materials' | 'onFailure'>;
  readonly #directories: MaterialDirectories;
  readonly #leaving = new Map<string, Promise<unknown>>();

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
    const leaving = remove()
      .catch((failure: unknown) => onFailure(failure, 'the directory of a material could not be removed'))
      .then(() => {
        if (this.#leaving.get(fingerprint) === leaving) this.#leaving.delete(fingerprint);
      });
    this.#leaving.set(fingerprint, leaving);
  }

  async whenLeft(fingerprint: string): Promise<void> {
    await this.#leaving.get(fingerprint);
  }

  async whenAllLeft(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }
}
