// Takes bytes from a stream in the portions that are wanted.

export class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Reads this number of bytes; fewer only where the stream ends. */
  async take(bytes: number): Promise<Buffer> {
    if (this.#rest.length < bytes) await this.#gather(bytes);
    const taken = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** Reads and drops the rest of the stream. */
  async drain(): Promise<void> {
    this.#rest = Buffer.alloc(0);
    while (!(await this.#pieces.next()).done);
  }

  /** Stops reading. The owner of the stream can read the rest of it. */
  async close(): Promise<void> {
    await this.#pieces.return?.(undefined);
  }

  async #gather(bytes: number): Promise<void> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < bytes) {
      const { value, done } = await this.#pieces.next();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    this.#rest = parts.length === 2 && parts[0]!.length === 0 ? parts[1]! : Buffer.concat(parts, length);
  }
}
