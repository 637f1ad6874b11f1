// A file that comes from the server: under another name until it is whole, and then at once under its own.
import { createHash, type Hash, hash as hashOf } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withHandledRejection } from '../../../kit/concurrency/handled-rejection.ts';
import { type Piece, releasePiece } from '../../server/answer-content.ts';
import { ArtifactFailure, ofDisk } from '../context.ts';

/** Few large pieces are written faster than many small ones. */
const PIECE_BYTES = 512 * 1024;

/** A target always gives the same name, so that the unfinished file of a killed agent is replaced. */
function unfinishedName(target: string): string {
  return join(dirname(target), `.slipway-fetch-${hashOf('sha256', target).slice(0, 16)}`);
}

export class NewFile {
  readonly #target: string;
  readonly #unfinished: string;
  readonly #handle: FileHandle;
  #hash: Hash = createHash('sha256');
  #parts: Piece[] = [];
  #waiting = 0;
  #length = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(target: string, unfinished: string, handle: FileHandle) {
    this.#target = target;
    this.#unfinished = unfinished;
    this.#handle = handle;
  }

  static async at(target: string): Promise<NewFile> {
    const unfinished = unfinishedName(target);
    rmSync(unfinished, { force: true });
    return new NewFile(target, unfinished, await open(unfinished, 'wx'));
  }

  get length(): number {
    return this.#length;
  }

  /** Rejects also for failures of earlier writes. The bytes are gone afterwards. */
  async write(bytes: Piece): Promise<void> {
    this.#length += bytes.length;
    this.#waiting += bytes.length;
    this.#hash.update(bytes);
    if (this.#parts.push(bytes) && this.#waiting >= PIECE_BYTES) await this.#flush();
  }

  async beginAnew(): Promise<void> {
    await this.#writing;
    await this.#handle.truncate(0);
    [this.#hash, this.#parts, this.#waiting, this.#length] = [createHash('sha256'), [], 0, 0];
  }

  /** Whether it has the expected content; then it has its name. */
  async finish(sha256: string): Promise<boolean> {
    await this.#flush();
    await this.#writing;
    if (this.#hash.digest('hex') !== sha256) return false;
    await this.#handle.close();
    await rename(this.#unfinished, this.#target);
    return true;
  }

  /** After a failure. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => {}); // the caller knows of the failure
    await this.#handle.close();
    await rm(this.#unfinished, { force: true });
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const [parts, bytes, at] = [this.#parts, this.#waiting, this.#length - this.#waiting];
    if (bytes === 0) return;
    [this.#parts, this.#waiting] = [[], 0];
    const written = this.#handle.writev(parts, at).then(({ bytesWritten }) => {
      if (bytesWritten !== bytes) throw new ArtifactFailure('The disk of the agent is full: free some space on it.');
      for (const part of parts) releasePiece(part);
    });
    this.#writing = withHandledRejection(written); // the next write rejects with it
  }
}

/** A small file, whose content is known to be right. */
export function writeSmall(target: string, content: Buffer): void {
  const unfinished = unfinishedName(target);
  try {
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, content, { flag: 'wx' });
    renameSync(unfinished, target);
  } catch (failure) {
    rmSync(unfinished, { force: true });
    throw ofDisk(failure);
  }
}
