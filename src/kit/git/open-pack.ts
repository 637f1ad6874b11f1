// A pack in the making: objects are added to it, blobs as deltas of earlier ones where that is possible.
import { constants, crc32 } from 'node:zlib';
import { GrowingBytes } from '../bytes/growing-bytes.ts';
import { releaseBuffer } from '../bytes/release-buffer.ts';
import { alignedWith } from './align.ts';
import { makeDelta } from './delta.ts';
import { type Chunks, type ObjectType, sizeOf } from './objects.ts';
import { HASH_BYTES, indexOf, PACK_HEAD_BYTES, type PackedObject, packOf } from './pack.ts';
import { commitsIn } from './pack-content.ts';
import { deltaEntry, type Entry, wholeEntry } from './pack-entry.ts';
import { writeHidden } from './pack-files.ts';
import { type OwnPackName, packName } from './pack-names.ts';

/** A blob that others can be a delta of. */
export interface Base {
  readonly id: string;
  readonly chunks: Chunks;
  readonly depth: number;
}

interface BaseAtOffset extends Omit<Base, 'id'> {
  readonly offset: number;
}

/** A pack as it is on disk. */
export interface PackPart {
  readonly name: string;
  readonly pack: Buffer;
  readonly objects: readonly PackedObject[];
}

/** The deepest chain of deltas; git itself makes none above 50 and breaks up longer ones. */
const MAX_DEPTH = 40;
/**
 * The first blob is whole. Each is a delta of the one before, but each tenth of the one ten before, and each hundredth of
 * the one a hundred before: so none of 250 is deeper than 2 + 9 + 9.
 */
const STRIDES = [100, 10, 1] as const;
const MAX_STRIDES_DEPTH = 20;
/** Few enough that writing them again stays cheap. */
const MAX_COMMITS = 250;
const MAX_BYTES = 16 * 1024 * 1024;
const FIRST_CAPACITY = 64 * 1024;

export class OpenPack {
  readonly #level: number;
  readonly #objects: PackedObject[] = [];
  readonly #byId = new Map<string, PackedObject>();
  readonly #entries = new GrowingBytes(FIRST_CAPACITY);
  #commits = 0;
  #blobs = 0;
  #wholeBytes = 0;
  /** For each stride the blob that the next one at this stride is a delta of. */
  #bases: BaseAtOffset[] = [];
  #resumed: BaseAtOffset | undefined;

  /** One that does not stay for long need not be small. */
  constructor({ isBrief = false } = {}) {
    this.#level = isBrief ? constants.Z_BEST_SPEED : constants.Z_DEFAULT_COMPRESSION;
  }

  /** Goes on with packs that are on disk, in one; undefined: it is full, or its deltas are too deep to go on from `base`. */
  static resume(parts: readonly PackPart[], base: Base | undefined): OpenPack | undefined {
    if (base && base.depth > MAX_DEPTH - MAX_STRIDES_DEPTH) return undefined;
    const open = new OpenPack();
    for (const part of parts) open.#takeOver(part);
    if (base) open.#resumed = { ...base, offset: open.#byId.get(base.id)!.offset };
    return open.isFull ? undefined : open;
  }

  get isFull(): boolean {
    return this.#commits >= MAX_COMMITS || this.#entries.size > Math.max(MAX_BYTES, 2 * this.#wholeBytes);
  }

  get isEmpty(): boolean {
    return this.#objects.length === 0;
  }

  get commits(): number {
    return this.#commits;
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
    const entry = base ? deltaEntry(offset - base.offset, makeDelta(base.chunks, chunks)) : wholeBlob(chunks, this.#level);
    if (!base) this.#wholeBytes = sizeOf(entry);
    this.#addEntry(id, entry);
    releaseBuffer(entry.at(-1)!);
    this.#blobs++;
    const added = { chunks, offset, depth: base ? base.depth + 1 : 0 };
    for (let at = stride; at < STRIDES.length; at++) this.#bases[at] = added;
  }

  /** Puts the pack on disk as it is now, hidden, and returns its name. */
  write(repository: string, position: Omit<OwnPackName, 'name'>): string {
    // Sorted but for the newest, which costs next to nothing.
    this.#objects.sort((one, other) => (one.id < other.id ? -1 : 1));
    const { pieces, checksum } = packOf(this.#entries.bytes, this.#objects.length);
    const name = packName(position, checksum);
    writeHidden(repository, name, pieces, indexOf(this.#objects, checksum));
    return name;
  }

  /** Gives its memory back; nothing can be added to it any more. */
  release(): void {
    this.#entries.release();
  }

  /** Deltas say how far back their base is, so entries stay good when all of them move. */
  #takeOver({ pack, objects }: PackPart): void {
    const moved = this.#entries.size;
    this.#entries.addBytes(pack.subarray(PACK_HEAD_BYTES, pack.length - HASH_BYTES));
    for (const { offset, ...object } of objects) this.#note({ ...object, offset: offset + moved });
    this.#commits += commitsIn({ pack, objects });
  }

  /** The first blob after a restart finds the content of its base, but not the chunks it was made of. */
  #goOnFrom(base: BaseAtOffset, chunks: Chunks): void {
    const aligned = { ...base, chunks: alignedWith(chunks, base.chunks) };
    this.#bases = STRIDES.map(() => aligned);
    this.#blobs = 1;
    this.#resumed = undefined;
  }

  get #nextOffset(): number {
    return PACK_HEAD_BYTES + this.#entries.size;
  }

  #addEntry(id: string, entry: Entry): void {
    const crc = entry.reduce((sum, piece) => crc32(piece, sum), 0);
    this.#note({ id, offset: this.#nextOffset, crc });
    for (const piece of entry) this.#entries.addBytes(piece);
  }

  #note(object: PackedObject): void {
    this.#objects.push(object);
    this.#byId.set(object.id, object);
  }
}

/** A batch begins with one, and a large document is much memory: it is given back at once, not when garbage is next collected. */
function wholeBlob(chunks: Chunks, level: number): Entry {
  const content = new GrowingBytes(sizeOf(chunks));
  for (const chunk of chunks) content.addBytes(chunk);
  const entry = wholeEntry('blob', content.bytes, level);
  content.release();
  return entry;
}
