// A file that comes, as it lies in the staging area: written and hashed piece by piece, at the same time.
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { piecesOf } from '../../kit/bytes/stream-file.ts';
import { withHandledRejection } from '../../kit/concurrency/handled-rejection.ts';
import { openToWrite, syncFolder } from '../../kit/files/without-links.ts';
import { finishedName, partName, type StagedFile } from './staging.ts';
import type { IncomingFile } from './storage.ts';

export interface OpenedFile {
  /** The staging area. */
  readonly folder: string;
  readonly key: string;
  readonly from: 'start' | 'end';
  /** It was finished already. */
  readonly finished: StagedFile | undefined;
  /** Called when the file is closed; with its name, if it is finished. */
  readonly onClosed: (finished?: StagedFile) => void | Promise<void>;
}

/** Maximum number of bytes that wait for the disk: with more, the end of a large file would take long. */
const MAY_WAIT_BYTES = 32 * 1024 * 1024;

export class FolderFile implements IncomingFile {
  readonly #opened: OpenedFile;
  readonly #handle: FileHandle;
  /** Of all bytes that are there; undefined: they were not read yet. */
  #hash: Hash | undefined;
  /** The checksum of the finished file, as long as nothing is added to it. */
  #known: string | undefined;
  #length: number;
  #synced: number;
  #writing: Promise<unknown> = Promise.resolve();
  #syncing: Promise<unknown> = Promise.resolve();

  private constructor(opened: OpenedFile, handle: FileHandle, length: number) {
    this.#opened = opened;
    this.#handle = handle;
    this.#length = length;
    this.#synced = length;
    this.#known = opened.from === 'end' ? opened.finished?.sha256 : undefined;
    if (length === 0) this.#hash = createHash('sha256');
  }

  static async open(opened: OpenedFile): Promise<FolderFile> {
    const { folder, key, from, finished } = opened;
    const part = join(folder, partName(key));
    if (finished && from === 'end') await rename(join(folder, finished.name), part);
    else if (finished) await rm(join(folder, finished.name));
    const { handle } = await openToWrite(part);
    try {
      if (from === 'start') await handle.truncate(0);
      return new FolderFile(opened, handle, (await handle.stat()).size);
    } catch (failure) {
      await handle.close();
      throw failure;
    }
  }

  get length(): number {
    return this.#length;
  }

  /** Returns when the piece before is written; this one must stay as it is. */
  async append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    const hash = await this.#hashed();
    const at = this.#length;
    await this.#writing;
    this.#known = undefined;
    this.#length += bytes.length;
    this.#writing = withHandledRejection(this.#write(bytes, at));
    hash.update(bytes);
    if (this.#length - this.#synced < MAY_WAIT_BYTES) return;
    this.#synced = this.#length;
    await this.#syncing;
    this.#syncing = withHandledRejection(this.#handle.datasync());
  }

  async finish(): Promise<{ readonly sha256: string }> {
    const { folder, key, onClosed } = this.#opened;
    let finished: StagedFile | undefined;
    try {
      try {
        await this.#writing;
        await this.#syncing;
        this.#known ??= (await this.#hashed()).digest('hex');
        await this.#handle.sync();
      } finally {
        await this.#handle.close();
      }
      const facts = { sha256: this.#known, bytes: this.#length };
      const name = finishedName(key, facts);
      await rename(join(folder, partName(key)), join(folder, name));
      finished = { ...facts, name };
      await syncFolder(folder);
      return { sha256: facts.sha256 };
    } finally {
      await onClosed(finished);
    }
  }

  async close(): Promise<void> {
    try {
      try {
        await this.#writing;
        await this.#syncing;
      } finally {
        await this.#handle.close();
      }
    } finally {
      await this.#opened.onClosed();
    }
  }

  async #hashed(): Promise<Hash> {
    if (this.#hash) return this.#hash;
    const hash = createHash('sha256');
    for await (const piece of piecesOf(this.#handle, 0, this.#length)) hash.update(piece);
    return (this.#hash = hash);
  }

  async #write(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  }
}
