// A series of packs: each batch leaves a small one behind, and from time to time one with everything replaces them.
import type { Chunks, ObjectType } from './objects.ts';
import { type Base, OpenPack, type PackPart } from './open-pack.ts';
import { commitsIn } from './pack-content.ts';

/** A hidden pack on disk, and the packs that it replaces. */
export interface WrittenPack {
  readonly name: string;
  readonly replaced: readonly string[];
}

/** Each small pack holds a whole document, and git looks for an object in every pack. */
const MAX_BATCHES = 32;

export interface SeriesOnDisk {
  readonly ordinal: number;
  readonly turn: number;
  readonly whole: PackPart | undefined;
  readonly batches: readonly PackPart[];
}

export class PackSeries {
  readonly ordinal: number;
  readonly #repository: string;
  /** All of the series. */
  #all: OpenPack;
  /** The objects added since the last turn. */
  #batch: OpenPack;
  #turn = 0;
  /** The pack on disk that holds all up to its turn … */
  #whole: string | undefined;
  #commitsInWhole = 0;
  /** … and those after it. */
  #batches: string[] = [];

  constructor(repository: string, ordinal: number) {
    this.#repository = repository;
    this.ordinal = ordinal;
    this.#all = new OpenPack();
    this.#batch = new OpenPack({ isBrief: true });
  }

  /** Goes on with one that is on disk; undefined: it is full, or its deltas are too deep to go on from `base`. */
  static resume(repository: string, { ordinal, turn, whole, batches }: SeriesOnDisk, base: Base | undefined): PackSeries | undefined {
    const all = OpenPack.resume([...(whole ? [whole] : []), ...batches], base);
    if (!all) return undefined;
    const series = new PackSeries(repository, ordinal);
    series.#all = all;
    series.#turn = turn;
    series.#whole = whole?.name;
    series.#commitsInWhole = whole ? commitsIn(whole) : 0;
    series.#batches = batches.map(({ name }) => name);
    return series;
  }

  get isFull(): boolean {
    return this.#all.isFull;
  }

  add(type: Exclude<ObjectType, 'blob'>, id: string, content: Buffer): void {
    if (this.#all.has(id)) return;
    this.#all.add(type, id, content);
    this.#batch.add(type, id, content);
  }

  addBlob(id: string, chunks: Chunks): void {
    if (this.#all.has(id)) return;
    this.#all.addBlob(id, chunks);
    this.#batch.addBlob(id, chunks);
  }

  /** Writes the added objects to disk; `asOne`: all of the series in one pack. undefined: they are on disk already. */
  write({ asOne = false } = {}): WrittenPack | undefined {
    if (this.#batch.isEmpty && !(asOne && this.#batches.length > 0)) return undefined;
    const position = { ordinal: this.ordinal, turn: ++this.#turn };
    const isWorthIt = this.#all.commits >= 2 * this.#commitsInWhole || this.#batches.length + 1 >= MAX_BATCHES;
    const batch = this.#batch;
    this.#batch = new OpenPack({ isBrief: true });
    if (!(asOne || this.isFull || isWorthIt)) {
      const name = batch.write(this.#repository, { ...position, isBatch: true });
      batch.release();
      this.#batches.push(name);
      return { name, replaced: [] };
    }
    const replaced = [...(this.#whole === undefined ? [] : [this.#whole]), ...this.#batches];
    batch.release();
    this.#whole = this.#all.write(this.#repository, { ...position, isBatch: false });
    this.#commitsInWhole = this.#all.commits;
    this.#batches = [];
    return { name: this.#whole, replaced };
  }
}
