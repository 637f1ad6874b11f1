// A history of a document of some size, of which each revision changes one part.
import type { FileRevision, HistoryRepository } from '../../../src/kit/git/history.ts';

const PART_BYTES = 5_000;
const WORDS = ['pipeline', 'stage', 'job', 'task', 'material', 'url', 'branch', 'exec', 'command', 'resource'];

export class GrowingHistory {
  readonly #repository: HistoryRepository;
  #chunks: readonly Buffer[];
  #revision = 0;

  constructor(repository: HistoryRepository, bytes: number) {
    this.#repository = repository;
    this.#chunks = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, index) => partOf(index));
  }

  /** One batch. */
  write(count: number): void {
    this.#repository.prepare(Array.from({ length: count }, () => this.#next())).publish();
  }

  #next(): FileRevision {
    const index = Math.floor(Math.random() * this.#chunks.length);
    this.#revision++;
    this.#chunks = this.#chunks.with(index, partOf(index));
    return {
      chunks: this.#chunks,
      fileName: 'document.xml',
      author: 'bench',
      time: new Date(this.#revision * 1000),
      message: `Revision ${this.#revision}`,
    };
  }
}

/** All of it is new each time, which is more than an edit by hand changes. */
function partOf(index: number): Buffer {
  let text = `<part n="${index}">\n`;
  const word = () => WORDS[Math.floor(Math.random() * WORDS.length)];
  while (text.length < PART_BYTES) text += `  <${word()} ${word()}="${word()}-${Math.floor(Math.random() * 10_000)}" />\n`;
  return Buffer.from(`${text}</part>\n`);
}
