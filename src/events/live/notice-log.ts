// The newest notice about each thing, in their order: a client that was away gets the notices newer than its last one.
import type { Notice } from './notice.ts';

interface Entry {
  readonly number: number;
  readonly key: string;
  readonly notice: Notice;
  /** There is a newer one about the same thing. */
  isReplaced: boolean;
  frame: Buffer | undefined;
}

/** A part of the log, filtered for a client. */
export interface NoticeBatch {
  readonly notices: readonly Notice[];
  readonly bytes: Buffer;
  /** The number of the last one that was looked at. */
  readonly position: number;
}

export interface BatchLimits {
  readonly bytes?: number;
  readonly count?: number;
}

const MAX_NOTICES = 20_000;
const NOTHING = Buffer.alloc(0);
const ID = /^([0-9a-f]{1,16})-(\d{1,15})$/;

export class NoticeLog {
  /** Numbers mean nothing in another log: after a restart, or on another server. */
  readonly epoch: string;
  readonly #max: number;
  #entries: Entry[] = [];
  readonly #newest = new Map<string, Entry>();
  #last = 0;
  /** Some notices up to this number may be missing. */
  #forgotten = 0;

  constructor(epoch: string, max = MAX_NOTICES) {
    this.epoch = epoch;
    this.#max = max;
  }

  get last(): number {
    return this.#last;
  }

  get size(): number {
    return this.#newest.size;
  }

  idOf(number: number): string {
    return `${this.epoch}-${number}`;
  }

  /** The number in an id; undefined: it is of another log, or too old to know all changes since. */
  numberIn(id: string): number | undefined {
    const [, epoch, digits] = ID.exec(id) ?? [];
    const number = Number(digits);
    return epoch === this.epoch && this.isKnown(number) && number <= this.#last ? number : undefined;
  }

  isKnown(position: number): boolean {
    return position >= this.#forgotten;
  }

  add(key: string, notice: Notice): void {
    const before = this.#newest.get(key);
    if (before) before.isReplaced = true;
    const entry = { number: ++this.#last, key, notice, isReplaced: false, frame: undefined };
    this.#newest.set(key, entry);
    this.#entries.push(entry);
    if (this.#newest.size > this.#max) this.#forgetOldest();
    else if (this.#entries.length > 2 * this.#newest.size + 100) this.#entries = this.#entries.filter(({ isReplaced }) => !isReplaced);
  }

  /** Changes were missed: a client that is behind has to read everything again. */
  forgetAll(): void {
    this.#entries = [];
    this.#newest.clear();
    this.#forgotten = ++this.#last;
  }

  /** The wanted notices after this position; undefined: they are not known any more. */
  take(
    position: number,
    wants: (notice: Notice) => boolean,
    { bytes: maxBytes = Infinity, count = Infinity }: BatchLimits = {},
  ): NoticeBatch | undefined {
    if (!this.isKnown(position)) return undefined;
    const notices: Notice[] = [];
    const frames: Buffer[] = [];
    let size = 0;
    for (let index = this.#firstAfter(position); index < this.#entries.length; index++) {
      const entry = this.#entries[index]!;
      if (entry.isReplaced || !wants(entry.notice)) continue;
      notices.push(entry.notice);
      const frame = this.#frameOf(entry);
      size += frame.length;
      frames.push(frame);
      if (size >= maxBytes || notices.length >= count) return { notices, bytes: Buffer.concat(frames, size), position: entry.number };
    }
    return { notices, bytes: size === 0 ? NOTHING : Buffer.concat(frames, size), position: this.#last };
  }

  #frameOf(entry: Entry): Buffer {
    const { notice, number } = entry;
    return (entry.frame ??= Buffer.from(`event: ${notice.kind}\nid: ${this.idOf(number)}\ndata: ${JSON.stringify(notice.data)}\n\n`));
  }

  #firstAfter(position: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.number > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Many at once, so that it is seldom done. */
  #forgetOldest(): void {
    const known = this.#entries.filter(({ isReplaced }) => !isReplaced);
    const gone = known.splice(0, Math.ceil(this.#max / 4));
    for (const { key } of gone) this.#newest.delete(key);
    this.#forgotten = gone.at(-1)!.number;
    this.#entries = known;
  }
}
