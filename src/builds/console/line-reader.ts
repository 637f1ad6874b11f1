// Reads a console: finds the beginning of a line, and takes whole lines from there on.
import type { FileHandle } from 'node:fs/promises';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { LineIndex } from './line-index.ts';
import type { LineBlock } from './lines.ts';

const LINE_FEED = 0x0a;
const PIECE_BYTES = 128 * 1024;
/** Longer lines are cut where lines are shown one by one. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** Where a line begins; undefined: the line before is not complete yet. Lines on the way are noted in the index. */
export async function findLine(log: FileHandle, index: LineIndex, wanted: number): Promise<number | undefined> {
  index.forgetBeyond((await log.stat()).size);
  let { line, offset: start } = index.nearest(wanted);
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let offset = start; line < wanted; ) {
    const { bytesRead } = await log.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) return undefined;
    for (let at = indexOfFeed(buffer, 0, bytesRead); at >= 0 && line < wanted; at = indexOfFeed(buffer, at + 1, bytesRead)) {
      line++;
      start = offset + at + 1;
    }
    index.note({ line, offset: start });
    offset += bytesRead;
    await pause();
  }
  return start;
}

/** Where the last complete line ends. */
export async function endOfLines(log: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - buffer.length);
    const { bytesRead } = await log.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

/** Takes lines from a place on, as far as they are complete. */
export class LineReader {
  readonly #index: LineIndex;
  #line: number;
  #offset: number | undefined;
  /** The rest of a line that was cut is passed over. */
  #isPassing = false;

  constructor(index: LineIndex, from: number) {
    this.#index = index;
    this.#line = from;
  }

  /** The next lines; undefined: there are none now. With `isOver`, the last one is taken although no line feed ends it. */
  async next(log: FileHandle, isOver: boolean): Promise<LineBlock | undefined> {
    this.#offset ??= await findLine(log, this.#index, this.#line);
    if (this.#offset === undefined) return undefined;
    if (this.#isPassing && !(await this.#passRest(log))) return undefined;
    for (let size = PIECE_BYTES; ; size = Math.min(size * 2, MAX_LINE_BYTES)) {
      const { buffer, bytesRead } = await log.read(Buffer.allocUnsafe(size), 0, size, this.#offset);
      if (bytesRead === 0) return undefined;
      const read = buffer.subarray(0, bytesRead);
      const end = read.lastIndexOf(LINE_FEED) + 1;
      if (end > 0) return this.#taken(read.subarray(0, end));
      if (bytesRead < size) return isOver ? this.#taken(read) : undefined;
      if (size === MAX_LINE_BYTES) return this.#cut(read);
    }
  }

  #taken(bytes: Buffer): LineBlock {
    const first = this.#line;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) this.#line++;
    const offset = this.#offset!;
    this.#offset! += bytes.length;
    if (bytes.at(-1) === LINE_FEED) this.#index.note({ line: this.#line, offset: this.#offset! });
    const isWhole = bytes.at(-1) === LINE_FEED;
    return { first, last: isWhole ? this.#line - 1 : this.#line, bytes, offset, isCut: false };
  }

  #cut(bytes: Buffer): LineBlock {
    this.#isPassing = true;
    const offset = this.#offset!;
    this.#offset! += bytes.length;
    return { first: this.#line, last: this.#line, bytes, offset, isCut: true };
  }

  /** Whether the end of the line is there. */
  async #passRest(log: FileHandle): Promise<boolean> {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    while (this.#isPassing) {
      const { bytesRead } = await log.read(buffer, 0, buffer.length, this.#offset!);
      if (bytesRead === 0) return false;
      const at = indexOfFeed(buffer, 0, bytesRead);
      this.#isPassing = at < 0;
      this.#offset! += at < 0 ? bytesRead : at + 1;
      await pause();
    }
    this.#line++;
    return true;
  }
}

function indexOfFeed(buffer: Buffer, from: number, end: number): number {
  const at = buffer.indexOf(LINE_FEED, from);
  return at >= end ? -1 : at;
}
