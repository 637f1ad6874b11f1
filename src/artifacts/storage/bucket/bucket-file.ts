// A file that comes, on its way to the staging area of a bucket: a small one in one piece, others in parts as they come.

import { createHash, type Hash, randomBytes } from 'node:crypto';
import { Refusal } from '../../../kit/refusal.ts';
import type { S3Client } from '../../../kit/s3/client.ts';
import { BucketFailure } from '../../../kit/s3/failure.ts';
import type { Retry } from '../../../kit/s3/retry.ts';
import type { IncomingFile, Uploader } from '../storage.ts';
import type { Guard } from './bucket-messages.ts';
import { contentOf } from './content.ts';
import type { Keys, StagedObject } from './keys.ts';

export interface BucketFileParts {
  readonly client: S3Client;
  readonly again: Retry;
  readonly keys: Keys;
  readonly guard: Guard;
  readonly uploader: Uploader;
  readonly path: string;
  /** It was finished already; then it is known, and nothing of it is here. */
  readonly finished: StagedObject | undefined;
  /** Called when the request has closed the file. */
  readonly onClosed: (file: BucketFile, isFinished: boolean) => void;
}

interface PartUpload {
  readonly key: string;
  readonly upload: string;
  readonly id: string;
  readonly tags: string[];
}

/** Stores take none that are smaller than 5 MiB, and some want all of the same size. So much of each file is held in memory. */
export const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
const TOO_LARGE = 'A file in a bucket has at most 78 GiB.';

export class BucketFile implements IncomingFile {
  readonly #parts: BucketFileParts;
  readonly #hash: Hash = createHash('sha256');
  /** The finished file of an earlier request, as long as nothing is added to it. */
  #known: StagedObject | undefined;
  #sha256: string | undefined;
  #pieces: Buffer[] = [];
  #held = 0;
  #length = 0;
  #upload: PartUpload | undefined;

  constructor(parts: BucketFileParts) {
    this.#parts = parts;
    this.#known = parts.finished;
  }

  get length(): number {
    return this.#known?.bytes ?? this.#length;
  }

  async append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await this.#parts.guard.run(async () => {
      if (this.#known) await this.#load(this.#known);
      await this.#take(bytes);
    });
  }

  async finish(): Promise<{ readonly sha256: string }> {
    let isFinished = false;
    try {
      if (this.#known) return { sha256: this.#known.sha256 };
      const sha256 = (this.#sha256 ??= this.#hash.digest('hex'));
      await this.#parts.guard.run(() => this.#finish(sha256));
      isFinished = true;
      return { sha256 };
    } finally {
      this.#parts.onClosed(this, isFinished || this.#known !== undefined);
    }
  }

  async close(): Promise<void> {
    this.#parts.onClosed(this, this.#known !== undefined);
  }

  /** Gives up the upload: no request continues it. */
  async abandon(): Promise<void> {
    this.#pieces = [];
    if (this.#upload) await this.#parts.client.abandonUpload(this.#upload.key, this.#upload.upload);
    this.#upload = undefined;
  }

  async #take(bytes: Buffer): Promise<void> {
    // An answer that did not come may have ended it already; nothing can be put after that.
    if (this.#sha256 !== undefined) throw new Refusal('conflict', 'This file is whole already.');
    this.#hash.update(bytes);
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    this.#length += bytes.length;
    while (this.#held >= PART_BYTES) await this.#sendPart(PART_BYTES);
  }

  /** Bytes that could not be sent stay here, to be sent with the next ones. */
  async #sendPart(length: number): Promise<void> {
    const { client, again } = this.#parts;
    const held = Buffer.concat(this.#pieces, this.#held);
    this.#pieces = [held];
    const upload = (this.#upload ??= await this.#begin());
    if (upload.tags.length >= MAX_PARTS) throw new Refusal('tooLarge', TOO_LARGE);
    const part = held.subarray(0, length);
    upload.tags.push(await again(() => client.putPart(upload.key, upload.upload, upload.tags.length + 1, part)));
    this.#pieces = [held.subarray(length)];
    this.#held -= length;
  }

  async #begin(): Promise<PartUpload> {
    const { client, again, keys, uploader, path } = this.#parts;
    const id = randomBytes(8).toString('hex');
    const key = keys.parts(uploader, path, id);
    return { key, id, upload: await again(() => client.beginUpload(key)), tags: [] };
  }

  async #finish(sha256: string): Promise<void> {
    const { client, again, keys, uploader, path, finished } = this.#parts;
    const facts = { sha256, bytes: this.#length };
    const name = this.#upload ? keys.marker(uploader, path, facts, this.#upload.id) : keys.staged(uploader, path, facts);
    if (this.#upload) {
      if (this.#held > 0) await this.#sendPart(this.#held);
      await this.#endUpload(this.#upload);
      await again(() => client.put(name, Buffer.alloc(0)));
    } else {
      const content = Buffer.concat(this.#pieces, this.#held);
      await again(() => client.put(name, content));
    }
    this.#pieces = [];
    if (finished && finished.name !== name) await again(() => client.remove([finished.name, finished.content]));
  }

  /** Said twice because the answer was lost, it finds no upload, but all of the object. */
  async #endUpload({ key, upload, tags }: PartUpload): Promise<void> {
    const { client, again } = this.#parts;
    try {
      await again(() => client.endUpload(key, upload, tags));
    } catch (failure) {
      if (!(failure instanceof BucketFailure && failure.status === 404)) throw failure;
      if ((await again(() => client.size(key))) !== this.#length) throw failure;
    }
  }

  async #load(known: StagedObject): Promise<void> {
    const { client, again, path } = this.#parts;
    const content = await contentOf(client, again, known.content);
    if (!content) throw new Error(`The file ${path} came, and is gone.`);
    this.#known = undefined;
    for await (const piece of content as AsyncIterable<Buffer>) await this.#take(piece);
  }
}
