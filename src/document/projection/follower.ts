// Follows the change log: keeps the document as it is now, and records the document of every revision in the history.
import type { HistoryRepository } from '../../kit/git/history.ts';
import { writeSealed } from '../../shape/json/entity-json.ts';
import type { Entity, Kind } from '../../shape/resource.ts';
import type { ChangeFeed, LoggedRevision } from '../../store/readers/change-feed.ts';
import type { HistoryIndex } from '../../store/sqlite/history-index.ts';
import { SCHEMA_VERSION } from '../xml/sections/document.ts';
import type { EntityJson } from '../xml/write.ts';
import { commitMessage } from './commit-message.ts';
import { Document, type DocumentEdit, editOf, isInDocument } from './document.ts';
import type { CurrentDocument } from './messages.ts';
import { PrefixMd5 } from './prefix-md5.ts';

const DOCUMENT_NAME = 'cruise-config.xml';
const READ_AT_ONCE = 200;
const MAX_WAITING = 2000;
const MAX_AT_ONCE = 100;
/** Time limit of a batch. It writes a whole document, so it should hold many revisions; a request for the document may wait for its end. */
const MAX_BATCH_MS = 400;

interface Parts {
  readonly feed: ChangeFeed;
  readonly index: HistoryIndex;
  readonly repository: HistoryRepository;
  readonly kinds: ReadonlyMap<string, Kind>;
}

interface WaitingRevision {
  readonly logged: LoggedRevision;
  readonly edits: readonly DocumentEdit[];
}

/** Its methods are called one after the other: a call waits while another one reads. */
export class Follower {
  readonly #parts: Parts;
  /** The document as it is now. */
  readonly #head = new Document();
  #headRevision = 0;
  readonly #headMd5 = new PrefixMd5();
  /** The document as of the last revision in the history. */
  #recorded = new Document();
  #recordedRevision = 0;
  readonly #recordedMd5 = new PrefixMd5();
  /** Revisions that the head has seen, but not the history. */
  readonly #waiting: WaitingRevision[] = [];

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async open(parts: Parts): Promise<Follower> {
    const follower = new Follower(parts);
    await follower.#load();
    return follower;
  }

  async #load(): Promise<void> {
    const { feed, index, repository } = this.#parts;
    this.#headRevision = await feed.now(({ kind, key, created, value }) => {
      const edit = this.#editOf(kind, key, created, value);
      if (edit) this.#head.apply(edit);
    });
    const last = index.last();
    if (last && last.revision > this.#headRevision) {
      throw new Error(
        `The history knows revision ${last.revision}, but the change log ends at ${this.#headRevision}: they do not belong together.`,
      );
    }
    if (last) this.#recorded = await this.#documentAt(last.revision);
    this.#recordedRevision = last?.revision ?? 0;
    // A history that has lost its commits is written anew, from the change log.
    if (!repository.recover(last?.commit, this.#recorded.chunks())) this.rewrite();
  }

  /** Forgets the history, so that it is written from the beginning. */
  rewrite(): void {
    this.#parts.index.clear();
    this.#parts.repository.recover(undefined);
    this.#recorded = new Document();
    this.#recordedRevision = 0;
    this.#waiting.length = 0;
  }

  get recordedRevision(): number {
    return this.#recordedRevision;
  }

  /** Whether there is more to record than was recorded at once. */
  get hasBacklog(): boolean {
    return this.#waiting.length > 0;
  }

  /** Leaves the history tidy: nothing more comes for a while. */
  rest(): void {
    this.#parts.repository.putTogether();
  }

  /** The document as of a revision: later changes are undone. */
  async #documentAt(revision: number): Promise<Document> {
    const document = this.#head.copy();
    for await (const changes of this.#parts.feed.changesSince(revision)) {
      for (const { kind, key, created, before } of changes) {
        const edit = this.#editOf(kind, key, created, before);
        if (edit) document.apply(edit);
      }
    }
    return document;
  }

  /** Records some of the new revisions, and returns whether there were any. */
  async work(): Promise<boolean> {
    if (this.#waiting.length === 0) await this.#readMore();
    if (this.#waiting.length === 0) return false;
    this.#record();
    return true;
  }

  /** The document that has seen this revision. */
  async documentAt(minRevision: number): Promise<CurrentDocument> {
    while (this.#headRevision < minRevision) {
      // Usually both go on together; the head goes alone when the history is far behind.
      const isTogether = this.#lastRead >= this.#headRevision && this.#waiting.length < MAX_WAITING;
      const hasRead = await (isTogether ? this.#readMore() : this.#advanceHead());
      if (!hasRead) throw new Error(`The change log has no revision ${minRevision}.`);
    }
    const chunks = this.#head.chunks();
    return { revision: this.#headRevision, md5: this.#headMd5.of(chunks), bytes: joined(chunks) };
  }

  /** The last revision that was read for the history. */
  get #lastRead(): number {
    return this.#waiting.at(-1)?.logged.revision ?? this.#recordedRevision;
  }

  async #readMore(): Promise<boolean> {
    const revisions = await this.#parts.feed.after(this.#lastRead, READ_AT_ONCE);
    for (const logged of revisions) {
      const edits = this.#editsOf(logged);
      this.#waiting.push({ logged, edits });
      if (logged.revision > this.#headRevision) this.#moveHead(logged.revision, edits);
    }
    return revisions.length > 0;
  }

  async #advanceHead(): Promise<boolean> {
    const revisions = await this.#parts.feed.after(this.#headRevision, READ_AT_ONCE);
    for (const logged of revisions) this.#moveHead(logged.revision, this.#editsOf(logged));
    return revisions.length > 0;
  }

  #moveHead(revision: number, edits: readonly DocumentEdit[]): void {
    for (const edit of edits) this.#head.apply(edit);
    this.#headRevision = revision;
  }

  #record(): void {
    const { repository, index, kinds } = this.#parts;
    const deadline = performance.now() + MAX_BATCH_MS;
    const batch: { revision: number; md5: string }[] = [];
    const commits: Parameters<HistoryRepository['prepare']>[0][number][] = [];
    while (batch.length < Math.min(MAX_AT_ONCE, this.#waiting.length) && (batch.length === 0 || performance.now() < deadline)) {
      const { logged, edits } = this.#waiting[batch.length]!;
      for (const edit of edits) this.#recorded.apply(edit);
      const chunks = this.#recorded.chunks();
      const md5 = this.#recordedMd5.of(chunks);
      const message = commitMessage(logged, kinds, { md5, schemaVersion: SCHEMA_VERSION });
      batch.push({ revision: logged.revision, md5 });
      commits.push({ chunks, fileName: DOCUMENT_NAME, author: logged.actor, time: new Date(logged.time), message });
    }
    const prepared = repository.prepare(commits);
    index.add(batch.map((one, at) => ({ ...one, ...prepared.results[at]! })));
    prepared.publish();
    this.#waiting.splice(0, batch.length);
    this.#recordedRevision = batch.at(-1)!.revision;
  }

  #editsOf({ changes }: LoggedRevision): DocumentEdit[] {
    return changes.flatMap(({ kind, key, created, after }) => this.#editOf(kind, key, created, after) ?? []);
  }

  #editOf(kindName: string, key: string, created: number, value: string | null): DocumentEdit | undefined {
    const kind = this.#parts.kinds.get(kindName);
    if (!kind || !isInDocument(kind.name)) return undefined;
    const json = value === null ? undefined : (writeSealed(kind, JSON.parse(value) as Entity) as EntityJson);
    return editOf(kind.name, key, created, json);
  }
}

/** In memory of its own, so that it can be handed over to another thread. */
function joined(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
