// Reads and writes large files in pieces, so that reading, writing and the work on a piece happen at the same time.
import { type FileHandle, open } from 'node:fs/promises';
import { withHandledRejection } from '../concurrency/handled-rejection.ts';

const PIECE_BYTES = 512 * 1024;
const QUICK_SYNC_MS = 2;
const SLOW_SYNC_MS = 5;
const BUFFERS = 3;

/**
 * When written data must be on disk: never, at the end, or at the end without slowing other writers down. For their sake little
 * may wait for the disk at a time, because a small commit meanwhile waits for all of it; and more where other writers keep the
 * disk busy, because then every sync takes long anyway.
 */
export type Durability = 'none' | 'quick' | 'gentle';

const MAY_WAIT: Readonly<Record<Durability, { readonly min: number; readonly max: number }>> = {
  none: { min: Number.POSITIVE_INFINITY, max: Number.POSITIVE_INFINITY },
  quick: { min: 64 * PIECE_BYTES, max: 64 * PIECE_BYTES },
  gentle: { min: PIECE_BYTES, max: 8 * PIECE_BYTES },
};

/** A new file that is written once from front to end. */
export class StreamFile {
  readonly #handle: FileHandle;
  readonly #durability: Durability;
  #bytes = 0;
  #synced = 0;
  #mayWait: number;
  #writing: Promise<unknown> = Promise.resolve();
  #syncing: Promise<unknown> = Promise.resolve();

  private constructor(handle: FileHandle, durability: Durability) {
    this.#handle = handle;
    this.#durability = durability;
    this.#mayWait = MAY_WAIT[durability].min;
  }

  static async create(path: string, mode: number, durability: Durability): Promise<StreamFile> {
    return new StreamFile(await open(path, 'wx', mode), durability);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns when the piece before is written; this one must stay as it is until the next one was taken. */
  async write(piece: Uint8Array): Promise<void> {
    const at = this.#bytes;
    this.#bytes += piece.length;
    await this.#writing;
    this.#writing = withHandledRejection(this.#writeAt(piece, at));
    if (this.#bytes - this.#synced < this.#mayWait) return;
    this.#synced = this.#bytes;
    await this.#syncing;
    this.#syncing = withHandledRejection(this.#sync());
  }

  async finish(): Promise<void> {
    try {
      await this.#writing;
      await this.#syncing;
      if (this.#durability !== 'none') await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
  }

  async #sync(): Promise<void> {
    const began = performance.now();
    await this.#handle.datasync();
    const took = performance.now() - began;
    const { min, max } = MAY_WAIT[this.#durability];
    if (took > SLOW_SYNC_MS) this.#mayWait = Math.min(this.#mayWait * 2, max);
    else if (took < QUICK_SYNC_MS) this.#mayWait = Math.max(this.#mayWait / 2, min);
  }

  async #writeAt(piece: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < piece.length; ) {
      done += (await this.#handle.write(piece, done, piece.length - done, at + done)).bytesWritten;
    }
  }
}

/** Reads one piece ahead of the consumer; a piece is valid until the next but one was taken. Ends early where the file does. */
export async function* piecesOf(handle: FileHandle, from: number, bytes: number): AsyncGenerator<Buffer> {
  const buffers: Buffer[] = [];
  const end = from + bytes;
  const readAt = (at: number, turn: number) => {
    if (at >= end) return undefined;
    const length = Math.min(PIECE_BYTES, end - at);
    const buffer = (buffers[turn % BUFFERS] ??= Buffer.allocUnsafe(length));
    return withHandledRejection(handle.read(buffer, 0, Math.min(length, buffer.length), at));
  };
  let at = from;
  let reading = readAt(at, 0);
  for (let turn = 1; reading; turn++) {
    const { buffer, bytesRead } = await reading;
    if (bytesRead === 0) return;
    at += bytesRead;
    reading = readAt(at, turn);
    yield buffer.subarray(0, bytesRead);
  }
}
