// The MD5 of a list of chunks, taken up again at the first chunk that differs from the list before.
import { createHash, type Hash } from 'node:crypto';

interface Checkpoint {
  /** How many chunks it has seen. */
  readonly chunkCount: number;
  readonly hash: Hash;
}

const BYTES_BETWEEN_CHECKPOINTS = 256 * 1024;

export class PrefixMd5 {
  #chunks: readonly Buffer[] = [];
  #checkpoints: Checkpoint[] = [];
  #digest = '';

  of(chunks: readonly Buffer[]): string {
    const same = this.#sameUntil(chunks);
    if (this.#digest !== '' && same === chunks.length && same === this.#chunks.length) return this.#digest;
    this.#checkpoints = this.#checkpoints.filter(({ chunkCount }) => chunkCount <= same);
    const last = this.#checkpoints.at(-1);
    const hash = last?.hash.copy() ?? createHash('md5');
    let bytes = 0;
    for (let at = last?.chunkCount ?? 0; at < chunks.length; at++) {
      hash.update(chunks[at]!);
      bytes += chunks[at]!.length;
      if (bytes < BYTES_BETWEEN_CHECKPOINTS) continue;
      bytes = 0;
      this.#checkpoints.push({ chunkCount: at + 1, hash: hash.copy() });
    }
    this.#chunks = chunks;
    this.#digest = hash.digest('hex');
    return this.#digest;
  }

  #sameUntil(chunks: readonly Buffer[]): number {
    const length = Math.min(chunks.length, this.#chunks.length);
    let at = 0;
    while (at < length && chunks[at] === this.#chunks[at]) at++;
    return at;
  }
}
