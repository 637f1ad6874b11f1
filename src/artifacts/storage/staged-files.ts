// Which files of staging areas are finished, remembered: to read a folder for each file that comes into it would take ever longer.
import { join } from 'node:path';
import { finishedFiles, type StagedFile, stagingOf } from './staging.ts';
import type { Uploader } from './storage.ts';

export class StagedFiles {
  readonly #root: () => string;
  /** By folder, and there by key. A folder is read once; a caller that changes many of its files at once calls `forget`. */
  readonly #known = new Map<string, Promise<Map<string, StagedFile>>>();

  constructor(root: () => string) {
    this.#root = root;
  }

  async find(uploader: Uploader, key: string): Promise<StagedFile | undefined> {
    const root = this.#root();
    const files = this.#known.getOrInsertComputed(this.#folder(uploader), () => finishedFiles(root, uploader));
    return (await files).get(key);
  }

  /** undefined: the one that was finished is not any more. */
  async changed(uploader: Uploader, key: string, file: StagedFile | undefined): Promise<void> {
    const files = await this.#known.get(this.#folder(uploader));
    if (file) files?.set(key, file);
    else files?.delete(key);
  }

  forget(uploader: Uploader): void {
    this.#known.delete(this.#folder(uploader));
  }

  #folder(uploader: Uploader): string {
    return join(this.#root(), ...stagingOf(uploader));
  }
}
