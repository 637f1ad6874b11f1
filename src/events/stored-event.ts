// An event as it is stored: its text, the hash of that, and the forms in which clients get it, each made once.
import type { NewEvent, Subject } from '../store/write-with-events.ts';

/** The fields of the body, in this order. */
export interface EventContent {
  readonly number: number;
  readonly time: string;
  readonly type: string;
  readonly actor: string | null;
  readonly about: readonly Subject[];
  readonly data: NewEvent['data'];
  /** The hash of the event before it. */
  readonly previous_hash: string;
}

export class StoredEvent {
  readonly number: number;
  /** Its canonical form: the content as JSON without blanks. */
  readonly body: string;
  /** The SHA-256 of the body. */
  readonly hash: string;
  #content: EventContent | undefined;
  #json: string | undefined;
  #frame: Buffer | undefined;

  constructor({ number, body, hash }: Pick<StoredEvent, 'number' | 'body' | 'hash'>, content?: EventContent) {
    this.number = number;
    this.body = body;
    this.hash = hash;
    this.#content = content;
  }

  get content(): EventContent {
    return (this.#content ??= JSON.parse(this.body) as EventContent);
  }

  /** The body has it, too: an event that is kept takes less memory without it. */
  releaseContent(): void {
    this.#content = undefined;
  }

  /** The body, and its hash at the end. */
  get json(): string {
    return (this.#json ??= `${this.body.slice(0, -1)},"hash":"${this.hash}"}`);
  }

  /** As an event of a stream; JSON has no line breaks in it. */
  get frame(): Buffer {
    return (this.#frame ??= Buffer.from(`id: ${this.number}\ndata: ${this.json}\n\n`));
  }
}
