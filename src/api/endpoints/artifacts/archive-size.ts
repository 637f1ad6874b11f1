// How much of a folder fits into one archive: it ends with a list of its files, which is kept in memory until then.

export const MAX_FILES = 200_000;
/** Builds choose the names, so their length is limited. */
const MAX_NAME_BYTES = 32 * 1024 * 1024;

export class ArchiveSize {
  #files = 0;
  #nameBytes = 0;

  /** Whether there is room for one more. */
  take(name: string): boolean {
    this.#files++;
    this.#nameBytes += Buffer.byteLength(name);
    return this.#files <= MAX_FILES && this.#nameBytes <= MAX_NAME_BYTES;
  }
}
