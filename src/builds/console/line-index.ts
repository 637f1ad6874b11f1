// Where lines of a console begin: not of every line, but of one now and then, and of the last one that was looked for.

export interface LineStart {
  readonly line: number;
  readonly offset: number;
}

const BEGINNING: LineStart = { line: 0, offset: 0 };
const MAX_STARTS = 1024;
const FIRST_STEP_BYTES = 64 * 1024;

export class LineIndex {
  /** In the order of lines. */
  #starts: LineStart[] = [BEGINNING];
  #step = FIRST_STEP_BYTES;
  /** The furthest line start known: clients that poll ask for it next. */
  #furthest = BEGINNING;

  get furthest(): LineStart {
    return this.#furthest;
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The last one known that is not after this line. */
  nearest(line: number): LineStart {
    if (this.#furthest.line <= line) return this.#furthest;
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]!.line <= line) low = middle;
      else high = middle - 1;
    }
    return this.#starts[low]!;
  }

  note(start: LineStart): void {
    if (start.offset <= this.#furthest.offset) return;
    this.#furthest = start;
    if (start.offset - this.#starts.at(-1)!.offset < this.#step) return;
    this.#starts.push(start);
    if (this.#starts.length <= MAX_STARTS) return;
    this.#starts = this.#starts.filter((_, index) => index % 2 === 0);
    this.#step *= 2;
  }

  /** Of a file that has become shorter nothing is known any more. */
  forgetBeyond(bytes: number): void {
    if (this.#furthest.offset <= bytes) return;
    this.#starts = [BEGINNING];
    this.#furthest = BEGINNING;
  }
}
