// Things that hold a file open: as many as allowed, those closed first that were not used for the longest time.

export interface Closable {
  /** It must not be used any more. */
  readonly isBroken: boolean;
  close(): Promise<void>;
}

class SharedFile<T extends Closable> {
  readonly opening: Promise<T>;
  /** undefined: not open yet, or it cannot be opened. */
  file: T | undefined;
  users = 0;
  isRetired = false;
  readonly closed = Promise.withResolvers<void>();

  constructor(opening: Promise<T>) {
    this.opening = opening.then((file) => (this.file = file));
  }
}

export class OpenFiles<T extends Closable> {
  readonly #maxOpen: number;
  readonly #onFailure: (failure: unknown) => void;
  /** In the order of their last use. */
  readonly #opened = new Map<string, SharedFile<T>>();
  /** Files that are closed after their last use: none is opened again before. */
  readonly #retired = new Map<string, SharedFile<T>>();

  constructor(maxOpen: number, onFailure: (failure: unknown) => void) {
    this.#maxOpen = maxOpen;
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#opened.size + this.#retired.size;
  }

  async use<R>(key: string, open: () => Promise<T>, work: (file: T) => Promise<R>): Promise<R> {
    const opened = this.#find(key, open);
    opened.users++;
    try {
      return await work(await opened.opening);
    } finally {
      opened.users--;
      if (!opened.file || opened.file.isBroken) this.#retire(key, opened);
      this.#closeUnused(key, opened);
      this.#closeOldest();
    }
  }

  /** Closes the file when its present uses end; the next use opens it again. */
  close(key: string): void {
    const opened = this.#opened.get(key);
    if (!opened) return;
    this.#retire(key, opened);
    this.#closeUnused(key, opened);
  }

  async closeAll(): Promise<void> {
    for (const key of [...this.#opened.keys()]) this.close(key);
    await Promise.all([...this.#retired.values()].map(({ closed }) => closed.promise));
  }

  #find(key: string, open: () => Promise<T>): SharedFile<T> {
    const known = this.#opened.get(key);
    this.#opened.delete(key);
    const before = this.#retired.get(key)?.closed.promise;
    const opened = known ?? new SharedFile(before ? before.then(open) : open());
    this.#opened.set(key, opened);
    return opened;
  }

  #retire(key: string, opened: SharedFile<T>): void {
    if (opened.isRetired) return;
    opened.isRetired = true;
    this.#opened.delete(key);
    this.#retired.set(key, opened);
  }

  #closeUnused(key: string, opened: SharedFile<T>): void {
    if (!opened.isRetired || opened.users > 0) return;
    void (opened.file?.close() ?? Promise.resolve()).catch(this.#onFailure).then(() => {
      if (this.#retired.get(key) === opened) this.#retired.delete(key);
      opened.closed.resolve();
    });
  }

  #closeOldest(): void {
    for (const [key, { users }] of this.#opened) {
      if (this.#opened.size <= this.#maxOpen) return;
      if (users === 0) this.close(key);
    }
  }
}
