// The document now and at earlier times, as the API asks for it.
import type { HistoryReader } from '../../kit/git/history.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { HistoryIndex, IndexedRevision } from '../../store/sqlite/history-index.ts';
import type { CurrentDocument } from './messages.ts';
import type { Projection } from './projection.ts';

const BEING_REPAIRED = 'The history of the configuration was damaged and is being rebuilt. Try again later.';
const RETRY_SECONDS = 10;

interface Parts {
  readonly projection: Projection;
  readonly index: HistoryIndex;
  readonly repository: HistoryReader;
  /** The revision of the last acknowledged change. */
  readonly revision: () => number;
  /** The history cannot be read; returns when something is done about it. */
  readonly onDamage: (what: string) => Promise<void>;
}

export class Documents {
  readonly #parts: Parts;
  #latest: CurrentDocument | undefined;
  #asked: { readonly revision: number; readonly answer: Promise<CurrentDocument> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The document with every change acknowledged before this call. */
  async current(): Promise<CurrentDocument> {
    const revision = this.#parts.revision();
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
    const { projection, index } = this.#parts;
    await projection.upToDate();
    const found = index.findByMd5(md5);
    return found && this.#readExisting(found);
  }

  /** The document of a revision. */
  async at(revision: number): Promise<CurrentDocument> {
    const { projection, index } = this.#parts;
    await projection.upToDate();
    return this.#readExisting(index.findByRevision(revision));
  }

  async #readExisting(found: IndexedRevision | undefined): Promise<CurrentDocument> {
    const document = found && (await this.#read(found));
    if (!document) throw new Refusal('unavailable', BEING_REPAIRED, { retryAfter: RETRY_SECONDS });
    return document;
  }

  async #fetch(): Promise<CurrentDocument> {
    const { projection, index } = this.#parts;
    const last = projection.isIdle ? index.last() : undefined;
    const document = (last && (await this.#read(last))) ?? (await projection.document());
    if (!this.#latest || this.#latest.revision < document.revision) this.#latest = document;
    return document;
  }

  /** undefined: the history has it no more, or not as it was written. */
  async #read({ revision, md5, blob }: IndexedRevision): Promise<CurrentDocument | undefined> {
    try {
      const content = await this.#parts.repository.readBlob(blob);
      if (content) return { revision, md5, bytes: Buffer.concat(content) as Uint8Array<ArrayBuffer> };
      await this.#parts.onDamage(`revision ${revision} is missing.`);
    } catch (failure) {
      // A failure of a system call says nothing about the content.
      if ((failure as NodeJS.ErrnoException).syscall !== undefined) throw failure;
      await this.#parts.onDamage(`revision ${revision} cannot be read: ${(failure as Error).message}.`);
    }
    return undefined;
  }
}
