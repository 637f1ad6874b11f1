// A new file with the digest of what is in it, on disk when it ends.
import { createHash } from 'node:crypto';
import { StreamFile } from './stream-file.ts';

export interface FileSeal {
  readonly bytes: number;
  readonly sha256: string;
}

const MODE = 0o600;

export class HashedFile {
  readonly #file: StreamFile;
  readonly #hash = createHash('sha256');

  private constructor(file: StreamFile) {
    this.#file = file;
  }

  static async create(path: string): Promise<HashedFile> {
    return new HashedFile(await StreamFile.create(path, MODE, 'gentle'));
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  /** The piece must stay as it is until the next one was taken. */
  async write(piece: Uint8Array): Promise<void> {
    this.#hash.update(piece); // while the piece before is on its way
    await this.#file.write(piece);
  }

  async finish(): Promise<FileSeal> {
    await this.#file.finish();
    return { bytes: this.#file.bytes, sha256: this.#hash.digest('hex') };
  }
}
