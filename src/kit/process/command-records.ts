// Cuts bytes that come in chunks into records at a separator. Memory stays bounded: the excess of a long record is dropped.

export class RecordSplitter {
  readonly #separator: Buffer;
  readonly #maxBytes: number;
  /** The beginning of a record whose end has not come yet. */
  #open: Buffer[] = [];
  #openBytes = 0;
  /** The last bytes, which may be the beginning of a separator. */
  #tail: Buffer = Buffer.alloc(0);

  constructor(separator: string, maxBytes: number) {
    this.#separator = Buffer.from(separator);
    this.#maxBytes = maxBytes;
  }

  take(chunk: Buffer): string[] {
    const bytes = this.#tail.length > 0 ? Buffer.concat([this.#tail, chunk]) : chunk;
    const records: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(this.#separator); end >= 0; end = bytes.indexOf(this.#separator, start)) {
      this.#add(bytes.subarray(start, end));
      records.push(this.#close());
      start = end + this.#separator.length;
    }
    const keptAt = Math.max(start, bytes.length - this.#separator.length + 1);
    this.#add(bytes.subarray(start, keptAt));
    this.#tail = bytes.subarray(keptAt);
    return records;
  }

  /** The record after the last separator. */
  rest(): string | undefined {
    this.#add(this.#tail);
    return this.#openBytes > 0 ? this.#close() : undefined;
  }

  #add(piece: Buffer): void {
    const kept = piece.subarray(0, Math.max(0, this.#maxBytes - this.#openBytes));
    if (kept.length === 0) return;
    this.#open.push(kept);
    this.#openBytes += kept.length;
  }

  #close(): string {
    const record = this.#open.length === 1 ? this.#open[0]! : Buffer.concat(this.#open);
    this.#open = [];
    this.#openBytes = 0;
    return record.toString('utf8');
  }
}
