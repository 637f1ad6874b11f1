// The pack that grows: each batch writes it anew with more objects in it, until it is full and the next one begins.
import { crc32 } from 'node:zlib';
import { alignedWith } from './align.ts';
import { makeDelta } from './delta.ts';
import type { Chunks, ObjectType } from './objects.ts';
import { HASH_BYTES, indexOf, PACK_HEAD_BYTES, type PackedObject, packOf } from './pack.ts';
import { deltaEntry, readHead, wholeEntry } from './pack-entry.ts';
import { packName, writePack } from './pack-files.ts';

/** A blob of this pack that others can be a delta of. */
export interface Base {
  readonly chunks: Chunks;
  readonly offset: number;
  readonly depth: number;
}

export interface PackOnDisk {
  readonly name: string;
  readonly bytes: number;
}

/** The deepest chain of deltas; git itself makes none above 50 and breaks up longer ones. */
const DEEPEST = 40;
/**
 * The first blob is whole. Each is a delta of the one before, but each tenth of the one ten before, and each hundredth of
 * the one a hundred before: so none of 250 is deeper than 2 + 9 + 9.
 */
const STRIDES = [100, 10, 1] as const;
const DEEPEST_OF_STRIDES = 20;
/** Few enough that writing the pack again with each batch, and checking what that leaves behind, stays cheap. */
const MOST_COMMITS = 250;
const MOST_BYTES = 16 * 1024 * 1024;
const FIRST_CAPACITY = 64 * 1024;

export class OpenPack {
  readonly ordinal: number;
  readonly #objects: PackedObject[] = [];
  readonly #byId = new Map<string, PackedObject>();
  #entries = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #size = 0;
  #commits = 0;
  #blobs = 0;
  #wholeBytes = 0;
  /** For each stride the blob that the next one at this stride is a delta of. */
  #bases: Base[] = [];
  #resumed: Base | undefined;
  #countOnDisk = 0;

  constructor(ordinal: number) {
    this.ordinal = ordinal;
  }

  /** Goes on with a pack that is on disk; undefined: it is full, or its deltas are too deep to go on from `base`. */
  static resume(ordinal: number, pack: Buffer, objects: readonly PackedObject[], base: Base | undefined): OpenPack | undefined {
    if (base && base.depth > DEEPEST - DEEPEST_OF_STRIDES) return undefined;
    const open = new OpenPack(ordinal);
    open.#append(pack.subarray(PACK_HEAD_BYTES, pack.length - HASH_BYTES));
    for (const object of objects) {
      open.#note(object);
      if (readHead(pack.subarray(object.offset)).type === 'commit') open.#commits++;
    }
    open.#resumed = base;
    open.#countOnDisk = objects.length;
    return open.isFull ? undefined : open;
  }

  get isFull(): boolean {
    return this.#commits >= MOST_COMMITS || this.#size > Math.max(MOST_BYTES, 2 * this.#wholeBytes);
  }

  get isOnDisk(): boolean {
    return this.#countOnDisk === this.#objects.length;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  add(type: Exclude<ObjectType, 'blob'>, id: string, content: Buffer): void {
    if (this.has(id)) return;
    if (type === 'commit') this.#commits++;
    this.#addEntry(id, wholeEntry(type, content));
  }

  addBlob(id: string, chunks: Chunks): void {
    if (this.has(id)) return;
    if (this.#resumed) this.#goOnFrom(this.#resumed, chunks);
    const offset = this.#nextOffset;
    const stride = STRIDES.findIndex((size) => this.#blobs % size === 0);
    const base = this.#bases[stride];
    const entry = base ? deltaEntry(offset - base.offset, makeDelta(base.chunks, chunks)) : wholeEntry('blob', Buffer.concat(chunks));
    if (!base) this.#wholeBytes = entry.length;
    this.#addEntry(id, entry);
    this.#blobs++;
    const added = { chunks, offset, depth: base ? base.depth + 1 : 0 };
    for (let at = stride; at < STRIDES.length; at++) this.#bases[at] = added;
  }

  /** Puts the pack on disk as it is now. */
  write(repository: string): PackOnDisk {
    // Sorted but for the newest, which costs next to nothing.
    this.#objects.sort((one, other) => (one.id < other.id ? -1 : 1));
    const { pieces, checksum } = packOf(this.#entries.subarray(0, this.#size), this.#objects.length);
    const name = packName(this.ordinal, this.#objects.length, checksum);
    writePack(repository, name, pieces, indexOf(this.#objects, checksum));
    this.#countOnDisk = this.#objects.length;
    return { name, bytes: this.#size };
  }

  /** The first blob after a restart finds the content of its base, but not the chunks it was made of. */
  #goOnFrom(base: Base, chunks: Chunks): void {
    const aligned = { ...base, chunks: alignedWith(chunks, base.chunks) };
    this.#bases = STRIDES.map(() => aligned);
    this.#blobs = 1;
    this.#resumed = undefined;
  }

  get #nextOffset(): number {
    return PACK_HEAD_BYTES + this.#size;
  }

  #addEntry(id: string, entry: Buffer): void {
    this.#note({ id, offset: this.#nextOffset, crc: crc32(entry) });
    this.#append(entry);
  }

  #note(object: PackedObject): void {
    this.#objects.push(object);
    this.#byId.set(object.id, object);
  }

  #append(bytes: Buffer): void {
    const size = this.#size + bytes.length;
    if (size > this.#entries.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#entries.length, size));
      this.#entries.copy(larger, 0, 0, this.#size);
      this.#entries = larger;
    }
    bytes.copy(this.#entries, this.#size);
    this.#size = size;
  }
}
