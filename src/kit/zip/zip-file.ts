// Writes a zip archive in one go, with checksums by which a damaged part can be named later.
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { piecesOf, StreamFile } from '../bytes/stream-file.ts';
import { dataDescriptor, directory, localHeader, type ZipEntry } from './records.ts';

/** Where the content of an entry stands, and its CRC-32 up to the end of each mebibyte and of all. */
export interface EntryChecksums {
  readonly at: number;
  readonly bytes: number;
  readonly mode: number;
  readonly marks: readonly string[];
}

export interface ZipChecksums {
  readonly bytes: number;
  readonly entries: Readonly<Record<string, EntryChecksums>>;
  /** The CRC-32 of everything that is not content. */
  readonly frame: string;
}

export const MARK_EVERY_BYTES = 1024 * 1024;
const MODE = 0o600;

/** On disk when it is finished. */
export class ZipFile {
  readonly #file: StreamFile;
  readonly #entries: ZipEntry[] = [];
  readonly #seals: Record<string, EntryChecksums> = {};
  readonly #onBytes: (bytes: number) => void;
  #frame = 0;

  private constructor(file: StreamFile, onBytes: (bytes: number) => void) {
    this.#file = file;
    this.#onBytes = onBytes;
  }

  static async create(path: string, onBytes: (bytes: number) => void = () => {}): Promise<ZipFile> {
    return new ZipFile(await StreamFile.create(path, MODE, 'gentle'), onBytes);
  }

  addText(name: string, content: string | Uint8Array, mode: number): Promise<void> {
    return this.#add(name, mode, [typeof content === 'string' ? Buffer.from(content) : content]);
  }

  /** The first `bytes` of a file, or all where it ends before. */
  addFile(name: string, handle: FileHandle, bytes: number, mode: number): Promise<void> {
    return this.#add(name, mode, piecesOf(handle, 0, bytes));
  }

  async #add(name: string, mode: number, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const time = new Date();
    const headerAt = this.#file.bytes;
    await this.#writeFrame(localHeader({ name, time }));
    const at = this.#file.bytes;
    const marks = new Marks();
    for await (const piece of pieces) {
      marks.add(piece);
      await this.#file.write(piece);
      this.#onBytes(piece.length);
    }
    const entry = { name, mode, time, headerAt, bytes: this.#file.bytes - at, crc: marks.crc };
    await this.#writeFrame(dataDescriptor(entry));
    this.#entries.push(entry);
    this.#seals[name] = { at, bytes: entry.bytes, mode, marks: marks.end() };
  }

  async finish(): Promise<ZipChecksums> {
    for (const piece of directory(this.#entries, this.#file.bytes)) await this.#writeFrame(piece);
    await this.#file.finish();
    return { bytes: this.#file.bytes, entries: this.#seals, frame: hex(this.#frame) };
  }

  #writeFrame(bytes: Buffer): Promise<void> {
    this.#frame = crc32(bytes, this.#frame);
    return this.#file.write(bytes);
  }
}

/** The checksums of a content that comes in pieces of any size. */
export class Marks {
  crc = 0;
  bytes = 0;
  readonly #marks: string[] = [];

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const upTo = Math.min(piece.length, at + MARK_EVERY_BYTES - (this.bytes % MARK_EVERY_BYTES));
      const part = at === 0 && upTo === piece.length ? piece : piece.subarray(at, upTo);
      this.crc = crc32(part, this.crc);
      this.bytes += part.length;
      if (this.bytes % MARK_EVERY_BYTES === 0) this.#marks.push(hex(this.crc));
      at = upTo;
    }
  }

  end(): readonly string[] {
    return this.bytes % MARK_EVERY_BYTES === 0 && this.bytes > 0 ? this.#marks : [...this.#marks, hex(this.crc)];
  }
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
