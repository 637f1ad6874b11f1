// Folders that are made for many files: each is looked at once, and they are brought to the disk together at the end.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FOLDER_MODE, isFolder } from './without-links.ts';

export class FolderMaker {
  readonly #root: string;
  readonly #made = new Map<string, Promise<string>>();
  /** Folders that have got a folder. */
  readonly changed = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Its path, once it exists. */
  make(parts: readonly string[]): Promise<string> {
    const path = join(this.#root, ...parts);
    return this.#made.getOrInsertComputed(path, () => this.#make(path, parts));
  }

  async #make(path: string, parts: readonly string[]): Promise<string> {
    if (parts.length === 0) {
      await mkdir(path, { recursive: true, mode: FOLDER_MODE });
      return path;
    }
    await this.make(parts.slice(0, -1));
    if (await isFolder(path)) return path;
    // With `recursive`, a folder that is made concurrently is no failure.
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    this.changed.add(dirname(path));
    return path;
  }
}
