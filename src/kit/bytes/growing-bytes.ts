// Bytes that grow at their end. The place they leave for a larger one is given back at once, not when garbage is next collected.
import { releaseBuffer } from './release-buffer.ts';

/** No character of a string takes more bytes than this in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;

export class GrowingBytes {
  #bytes: Buffer<ArrayBuffer>;
  #size = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.from(new ArrayBuffer(capacity));
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes added so far; good until more are added. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }

  addText(text: string): void {
    this.#makeRoom(text.length * MAX_BYTES_PER_CHARACTER);
    this.#size += this.#bytes.write(text, this.#size);
  }

  addBytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Gives the place back at once; nothing can be added or read any more. */
  release(): void {
    releaseBuffer(this.#bytes);
  }

  /** All of them, in a place just as large. Nothing can be added any more. */
  finish(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#bytes.buffer.transfer(this.#size));
  }

  #makeRoom(bytes: number): void {
    const needed = this.#size + bytes;
    if (needed <= this.#bytes.length) return;
    this.#bytes = Buffer.from(this.#bytes.buffer.transfer(Math.max(needed, 2 * this.#bytes.length)));
  }
}
