// The content of an object as it comes. Where the way to the store breaks, it is asked for the rest.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReceivedObject, S3Client } from '../../../kit/s3/client.ts';
import { BucketFailure } from '../../../kit/s3/failure.ts';
import type { Retry } from '../../../kit/s3/retry.ts';
import type { ByteRange } from '../storage.ts';

const NO_SUCH_BYTES = 416;

/** undefined: there is no such object, or it does not have all bytes of the range. */
export async function contentOf(client: S3Client, again: Retry, key: string, range?: ByteRange): Promise<Readable | undefined> {
  const first = await again(() => client.get(key, wanted(range))).catch(noneIfShorter);
  if (!first) return undefined;
  // Of a range that only begins in the object, stores send what there is.
  if (range && first.length !== undefined && first.length <= range.end) {
    first.content.destroy();
    return undefined;
  }
  const reading = new ObjectReader(client, again, key, range, first);
  const stream = Readable.from(reading.pieces(), { objectMode: false });
  // A reader that stops before the first byte has not started the generator.
  stream.once('close', () => reading.end());
  return stream;
}

class ObjectReader {
  readonly #client: S3Client;
  readonly #again: Retry;
  readonly #key: string;
  readonly #range: ByteRange | undefined;
  #received: ReceivedObject;
  #at: number;

  constructor(client: S3Client, again: Retry, key: string, range: ByteRange | undefined, first: ReceivedObject) {
    this.#client = client;
    this.#again = again;
    this.#key = key;
    this.#range = range;
    this.#received = first;
    this.#at = range?.start ?? 0;
    first.content.on('error', () => {}); // the reader gets the failure
  }

  end(): void {
    this.#received.content.destroy();
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      const before = this.#at;
      try {
        yield* this.#wanted(this.#received);
        return;
      } catch (failure) {
        const broken = new BucketFailure(`${this.#key} broke off: ${(failure as Error).message}`, undefined, failure);
        // Where nothing came, nothing is to be expected.
        if (this.#at === before) throw broken;
        await this.#continue(broken);
      }
    }
  }

  /** Some stores send all of an object, even if only a range is requested. */
  async *#wanted({ from, content }: ReceivedObject): AsyncGenerator<Buffer> {
    const last = this.#range?.end ?? Number.POSITIVE_INFINITY;
    let position = from;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      const piece = chunk.subarray(Math.max(0, this.#at - position), last + 1 - position);
      position += chunk.length;
      this.#at += piece.length;
      if (piece.length > 0) yield piece;
      if (this.#at > last) return;
    }
    // The client was promised all of it.
    if (this.#range) throw new Error(`it ends after ${this.#at} bytes`);
  }

  async #continue(broken: BucketFailure): Promise<void> {
    const { tag } = this.#received;
    const received = await this.#again(() => this.#client.get(this.#key, { ...wanted(this.#range), from: this.#at, ...(tag && { tag }) }));
    if (!received) throw broken;
    this.#received = received;
  }
}

export async function collected(content: IncomingMessage | Readable, maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

function wanted(range: ByteRange | undefined): { readonly from?: number; readonly to?: number } {
  return range ? { from: range.start, to: range.end } : {};
}

function noneIfShorter(failure: unknown): undefined {
  if (!(failure instanceof BucketFailure && failure.status === NO_SUCH_BYTES)) throw failure;
}
