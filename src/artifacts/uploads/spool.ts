// A body that has to be read more than once, or from its end: kept in an unlinked file, which is gone when its handle is closed.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { piecesOf } from '../../kit/bytes/stream-file.ts';
import { FILE_MODE, makeFolder } from '../../kit/files/without-links.ts';
import { openTransfers } from '../open-transfers.ts';
import { UPLOADS } from '../storage/staging.ts';

export class Spool implements AsyncDisposable {
  readonly handle: FileHandle;
  bytes = 0;
  readonly #release: () => void;

  private constructor(handle: FileHandle, release: () => void) {
    this.handle = handle;
    this.#release = release;
  }

  /** `root`: the artifacts directory, on whose disk there has to be room anyway. */
  static async of(root: string, content: AsyncIterable<Buffer>): Promise<Spool> {
    const release = openTransfers.take();
    const path = join(root, UPLOADS, `spool-${randomUUID()}`);
    const spool = await opened(root, path).then(
      (handle) => new Spool(handle, release),
      (failure) => {
        release();
        throw failure;
      },
    );
    try {
      await rm(path);
      for await (const piece of content) await spool.#append(piece);
      return spool;
    } catch (failure) {
      await spool[Symbol.asyncDispose]();
      throw failure;
    }
  }

  pieces(): AsyncIterable<Buffer> {
    return piecesOf(this.handle, 0, this.bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handle.close();
    this.#release();
  }

  async #append(piece: Buffer): Promise<void> {
    for (let done = 0; done < piece.length; )
      done += (await this.handle.write(piece, done, piece.length - done, this.bytes + done)).bytesWritten;
    this.bytes += piece.length;
  }
}

async function opened(root: string, path: string): Promise<FileHandle> {
  await makeFolder(root, [UPLOADS]);
  return open(path, 'wx+', FILE_MODE);
}
