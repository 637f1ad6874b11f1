// A document in chunks that changes a little with each revision: the same number gives the same revision every time.
import type { FileRevision } from '../../../src/kit/git/history.ts';

const FIRST_SECOND = 1_700_000_000;

export class ChangingDocument {
  #chunks: readonly Buffer[];
  #revision = 0;
  readonly #chunkLines: number;

  constructor(chunks: number, chunkLines: number) {
    this.#chunkLines = chunkLines;
    this.#chunks = Array.from({ length: chunks }, (_, index) => this.#chunk(index, 0));
  }

  get text(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  next(): FileRevision {
    this.#revision++;
    const index = mixed(this.#revision) % this.#chunks.length;
    this.#chunks = this.#chunks.with(index, this.#chunk(index, this.#revision));
    return this.now();
  }

  /** The next revision, in which nothing changed. */
  unchanged(): FileRevision {
    this.#revision++;
    return this.now();
  }

  many(count: number): FileRevision[] {
    return Array.from({ length: count }, () => this.next());
  }

  now(): FileRevision {
    return {
      chunks: this.#chunks,
      fileName: 'document.xml',
      author: `user-${this.#revision % 7}`,
      time: new Date((FIRST_SECOND + this.#revision) * 1000),
      message: `Revision ${this.#revision}`,
    };
  }

  #chunk(index: number, revision: number): Buffer {
    const lines = Array.from({ length: this.#chunkLines }, (_, line) => `  <line n="${line}" v="${mixed(index * 7919 + line)}"/>\n`);
    const changed = lines.with(mixed(revision) % lines.length, `  <line changed="${mixed(revision)} in ${revision}"/>\n`);
    return Buffer.from(`<part n="${index}">\n${changed.join('')}</part>\n`);
  }
}

/** A number that looks like chance but is not. */
function mixed(number: number): number {
  const one = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
  const two = Math.imul(one ^ (one >>> 12), 0x297a2d39);
  return (two ^ (two >>> 15)) >>> 0;
}
