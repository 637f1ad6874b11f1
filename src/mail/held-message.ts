// A message that is held back until all of it is there and the mail server waits for it, and then goes out in one piece, closing dot included.
import { type Readable, Transform, type TransformCallback } from 'node:stream';

export interface Handover {
  /** The mail server waits for the message. */
  begun(): void;
  /** Right before the first byte of the message; where it fails, none goes out. */
  beforeAll(): Promise<void>;
  /** The closing dot has been written to the connection. */
  allSent(): void;
}

/** The stream of a message: it is piped into the stream that adds the closing dot, and that one into the connection. */
export class HeldMessage extends Transform {
  readonly #handover: Handover;
  readonly #chunks: Buffer[] = [];
  readonly #wanted = Promise.withResolvers<void>();

  constructor(handover: Handover) {
    super();
    this.#handover = handover;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#wanted.promise
      .then(() => this.#handover.beforeAll())
      .then(
        () => done(null, Buffer.concat(this.#chunks)),
        (failure: Error) => done(failure),
      );
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    this.#handover.begun();
    pushInOnePiece(destination as unknown as Readable);
    destination.once('end', () => this.#handover.allSent());
    this.#wanted.resolve();
    return super.pipe(destination, options);
  }
}

/** A mail server that has the first byte of a message then has its closing dot, too: this process cannot end between two writes. */
function pushInOnePiece(stream: Readable): void {
  const push = stream.push.bind(stream);
  const chunks: Buffer[] = [];
  stream.push = (chunk: Buffer | null) => {
    if (chunk !== null) return chunks.push(chunk) > 0;
    push(Buffer.concat(chunks));
    return push(null);
  };
}
