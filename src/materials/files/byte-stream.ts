// Reads bytes that come in chunks: up to a sign, or so many of them.
import { MaterialProblem } from '../clients/client.ts';

const MAX_WORD_BYTES = 64 * 1024;

export class ByteStream {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The text before the next sign; undefined: there is nothing more. */
  async wordUntil(sign: string): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(sign);
      if (end >= 0) {
        const word = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + Buffer.byteLength(sign));
        return word;
      }
      if (this.#rest.length > MAX_WORD_BYTES) throw new MaterialProblem('What the program printed cannot be read.');
      const chunk = await this.#next();
      if (!chunk) {
        if (this.#rest.length > 0) throw endsTooEarly();
        return undefined;
      }
      this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    }
  }

  async take(count: number): Promise<Uint8Array> {
    // Memory of its own, so that it can be handed to another thread.
    const taken = new Uint8Array(count);
    let at = 0;
    await this.#forEach(count, (piece) => {
      taken.set(piece, at);
      at += piece.length;
    });
    return taken;
  }

  async skip(count: number): Promise<void> {
    await this.#forEach(count, () => {});
  }

  /** Stops reading before the end. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #forEach(count: number, use: (piece: Buffer) => void): Promise<void> {
    let wanted = count;
    while (wanted > 0) {
      if (this.#rest.length === 0) {
        const chunk = await this.#next();
        if (!chunk) throw endsTooEarly();
        this.#rest = chunk;
      }
      const piece = this.#rest.subarray(0, wanted);
      use(piece);
      wanted -= piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { value, done } = await this.#chunks.next();
    return done ? undefined : value;
  }
}

function endsTooEarly(): MaterialProblem {
  return new MaterialProblem('What the program printed ends too early.');
}
