// The server's own copy of a repository: complete only with its label, gone when it is half done or too large.
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MaterialProblem, type PollContext } from './client.ts';
import { withinSize } from './size-watch.ts';
import { type WatchOptions, withStallTimeout } from './stall-watch.ts';

/** Written last: without it, a copy is not complete. It names the source of the copy. */
const LABEL = 'slipway-source';

export class LocalCopy {
  readonly path: string;
  readonly #label: string;
  readonly #context: PollContext;

  constructor(folder: string, source: object, context: PollContext) {
    this.path = join(context.directory, folder);
    this.#label = `${JSON.stringify(source)}\n`;
    this.#context = context;
  }

  get exists(): boolean {
    try {
      return readFileSync(join(this.path, LABEL), 'utf8') === this.#label;
    } catch {
      return false;
    }
  }

  /** Makes the copy, or updates it. Fails when nothing more arrives for `responseTimeoutMs`. */
  async fill(work: (options: WatchOptions) => Promise<unknown>): Promise<void> {
    const { limits, signal } = this.#context;
    const existed = this.exists;
    try {
      await withinSize(this.path, limits.maxBytes, signal, (stop) => withStallTimeout(this.path, limits.responseTimeoutMs, stop, work));
    } catch (failure) {
      if (!existed || failure instanceof MaterialProblem) await this.remove();
      throw failure;
    }
    if (!existed) writeFileSync(join(this.path, LABEL), this.#label);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}
