// Lets the followers of a console wait for more of it.

export class Watch {
  #version = 0;
  #wake = Promise.withResolvers<void>();
  /** The job is completed: no more output will come. */
  hasEnded = false;
  /** How many followers there are. */
  watchers = 0;

  /** Changes with each sign that there is more, or that there will be no more. */
  get version(): number {
    return this.#version;
  }

  notify(): void {
    this.#version++;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Waits until the version is another one; for so long at most. Returns whether it is. */
  async changed(version: number, maxMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#version !== version || signal?.aborted) return this.#version !== version;
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, maxMs).unref();
    const abort = () => over.resolve();
    signal?.addEventListener('abort', abort, { once: true });
    await Promise.race([this.#wake.promise, over.promise]);
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    return this.#version !== version;
  }
}
