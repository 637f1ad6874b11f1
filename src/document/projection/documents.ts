// The document now and at earlier times, as whoever serves it asks for it.
import { readBlob } from '../../kit/git/read-object.ts';
import type { HistoryIndex, IndexedRevision } from '../../store/history-index.ts';
import type { CurrentDocument } from './messages.ts';
import type { Projection } from './projection.ts';

export class Documents {
  readonly #projection: Projection;
  readonly #index: HistoryIndex;
  readonly #repository: string;
  readonly #revision: () => number;
  #latest: CurrentDocument | undefined;
  #asked: { readonly revision: number; readonly answer: Promise<CurrentDocument> } | undefined;

  constructor(projection: Projection, index: HistoryIndex, repository: string, revision: () => number) {
    this.#projection = projection;
    this.#index = index;
    this.#repository = repository;
    this.#revision = revision;
  }

  /** With every change acknowledged before this call. */
  async current(): Promise<CurrentDocument> {
    const revision = this.#revision();
    if (this.#latest && this.#latest.revision >= revision) return this.#latest;
    if (!this.#asked || this.#asked.revision < revision) this.#asked = { revision, answer: this.#fetch() };
    const { answer } = this.#asked;
    try {
      return await answer;
    } finally {
      if (this.#asked?.answer === answer) this.#asked = undefined;
    }
  }

  /** The document that had this MD5 at some time. */
  async find(md5: string): Promise<{ readonly md5: string; readonly bytes: Uint8Array } | undefined> {
    await this.#projection.upToDate();
    const found = this.#index.findByMd5(md5);
    return found && this.#read(found);
  }

  async #fetch(): Promise<CurrentDocument> {
    const last = this.#projection.isAtRest ? this.#index.last() : undefined;
    const document = (last && (await this.#read(last))) ?? (await this.#projection.document());
    if (!this.#latest || this.#latest.revision < document.revision) this.#latest = document;
    return document;
  }

  async #read({ revision, md5, blob }: IndexedRevision): Promise<CurrentDocument | undefined> {
    const content = await readBlob(this.#repository, blob);
    return content && { revision, md5, bytes: Buffer.concat(content) as Uint8Array<ArrayBuffer> };
  }
}
