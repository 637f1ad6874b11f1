// Hands modifications on in batches that are bounded by their number and by the files in them.
import type { NewModification } from './client.ts';

const MAX_MODIFICATIONS = 500;
const MAX_FILES = 20_000;

class Batch {
  #modifications: NewModification[] = [];
  #files = 0;

  get isFull(): boolean {
    return this.#modifications.length >= MAX_MODIFICATIONS || this.#files >= MAX_FILES;
  }

  get isEmpty(): boolean {
    return this.#modifications.length === 0;
  }

  add(modification: NewModification): void {
    this.#modifications.push(modification);
    this.#files += modification.files.length;
  }

  /** The collected modifications; the next ones begin a new batch. */
  take(): readonly NewModification[] {
    const taken = this.#modifications;
    this.#modifications = [];
    this.#files = 0;
    return taken;
  }
}

export async function* inBatches(
  modifications: AsyncIterable<readonly NewModification[]> | Iterable<readonly NewModification[]>,
): AsyncGenerator<readonly NewModification[], void> {
  const batch = new Batch();
  for await (const some of modifications) {
    for (const one of some) {
      batch.add(one);
      if (batch.isFull) yield batch.take();
    }
  }
  if (!batch.isEmpty) yield batch.take();
}
