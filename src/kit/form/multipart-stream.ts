// The parts of a `multipart/form-data` body as they come: little of it is held at a time, however large it is.
import { BLANK_LINE, MAX_HEAD_BYTES, type PartHead, readHead } from './multipart.ts';

export interface StreamedPart extends PartHead {
  /** To be read before the next part is asked for; an unread rest is skipped then. */
  readonly content: AsyncIterable<Buffer>;
}

/** The body is cut off, or is no form. */
export class NoForm extends Error {
  constructor() {
    super('The body is no form, or it is cut off.');
  }
}

/** Forms have few; each of them costs, however little is in it. */
const MAX_PARTS = 1000;
const LINE_BREAK = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from(BLANK_LINE);

export async function* streamedParts(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<StreamedPart, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const pieces = new Pieces(body);
  // The first delimiter may stand at the very beginning, without a line break before it.
  pieces.putBack(LINE_BREAK);
  await passOver(pieces.upTo(delimiter));
  let parts = 0;
  for (let next = await pieces.take(2); next.toString('latin1') !== '--'; next = await pieces.take(2)) {
    if (++parts > MAX_PARTS) throw new NoForm();
    pieces.putBack(next);
    const head = await headOf(pieces);
    // The line break before the delimiter may be the one that ends the head.
    pieces.putBack(LINE_BREAK);
    let isRead = false;
    const content = async function* () {
      yield* withoutStart(pieces.upTo(delimiter), LINE_BREAK.length);
      isRead = true;
    };
    yield { ...readHead(head), content: content() };
    if (!isRead) await passOver(pieces.upTo(delimiter));
  }
}

async function headOf(pieces: Pieces): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces.upTo(END_OF_HEAD)) {
    length += piece.length;
    if (length > MAX_HEAD_BYTES) throw new NoForm();
    parts.push(piece);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function passOver(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

async function* withoutStart(content: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer, void> {
  let left = bytes;
  for await (const piece of content) {
    const passed = Math.min(left, piece.length);
    left -= passed;
    if (passed < piece.length) yield piece.subarray(passed);
  }
}

class Pieces {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  putBack(bytes: Buffer): void {
    this.#held = Buffer.concat([bytes, this.#held]);
  }

  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more();
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** All before this mark, which is taken, too. */
  async *upTo(mark: Buffer): AsyncGenerator<Buffer, void> {
    for (;;) {
      const found = this.#held.indexOf(mark);
      // The mark may have begun in the last bytes.
      const end = found >= 0 ? found : Math.max(0, this.#held.length - mark.length + 1);
      const piece = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(end);
      // A consumer that stops here leaves the mark in place.
      if (piece.length > 0) yield piece;
      if (found >= 0) {
        this.#held = this.#held.subarray(mark.length);
        return;
      }
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw new NoForm();
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
  }
}
