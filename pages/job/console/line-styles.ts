// The styles with which the lines of a console begin: as in a terminal, a colour goes on until the program resets it.
import { PLAIN, type Style, styleAfter } from './ansi.ts';

const ESCAPE = 27;
const BRACKET = 91;
const ZERO = 48;
/** `m` ends the sequences that set a style. */
const STYLE = 109;
/** After the digits come `:` and `;`. */
const LAST_IN_CODES = 59;
/** Longer sequences are none that a program means. */
const MAX_SEQUENCE = 1000;
/** A program may use any number of colours; those that were used last are soon known again. */
const MAX_KNOWN = 10_000;

export class LineStyles {
  /** Lines that begin with another style than the line before, in their order, with their styles. */
  readonly #lines: number[] = [];
  readonly #styles: Style[] = [];
  /** By the style before and the codes that change it. */
  readonly #known = new Map<Style, Map<string, Style>>();
  /** One object for each style, by what it sets, so that styles are compared as objects. */
  readonly #interned = new Map<string, Style>([[keyOf(PLAIN), PLAIN]]);
  #knownCount = 0;

  /** Of the last line that was added. */
  get last(): Style {
    return this.#styles.at(-1) ?? PLAIN;
  }

  /** Lines are added in their order; those that are left out begin like the line before. */
  add(line: number, style: Style): void {
    if (style === this.last) return;
    this.#lines.push(line);
    this.#styles.push(style);
  }

  at(line: number): Style {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#lines[middle]! <= line) low = middle + 1;
      else high = middle;
    }
    return this.#styles[low - 1] ?? PLAIN;
  }

  /** The style after a line that ends at `end`. `first` is its first escape character; `next` the first one after the line. */
  after(bytes: Uint8Array, first: number, end: number): { style: Style; next: number } {
    let style = this.last;
    // What was set before a reset does not matter: lines with colours mostly end with one.
    let from = first;
    let next = first;
    for (; next >= 0 && next < end; next = bytes.indexOf(ESCAPE, next + 1)) {
      if (!isReset(bytes, next)) continue;
      style = PLAIN;
      from = next + 1;
    }
    for (let at = bytes.indexOf(ESCAPE, from); at >= 0 && at < end; at = bytes.indexOf(ESCAPE, at + 1)) {
      style = this.#afterSequence(style, bytes, at);
    }
    return { style, next };
  }

  #afterSequence(style: Style, bytes: Uint8Array, at: number): Style {
    if (bytes[at + 1] !== BRACKET) return style;
    let end = at + 2;
    while (bytes[end]! >= ZERO && bytes[end]! <= LAST_IN_CODES) end += 1;
    if (bytes[end] !== STYLE || end - at > MAX_SEQUENCE) return style;
    let codes = '';
    for (let place = at + 2; place < end; place += 1) codes += String.fromCharCode(bytes[place]!);
    return this.#afterCodes(style, codes);
  }

  #afterCodes(style: Style, codes: string): Style {
    const known = this.#known.get(style)?.get(codes);
    if (known !== undefined) return known;
    const made = styleAfter(style, codes);
    const key = keyOf(made);
    const after = this.#interned.get(key) ?? made;
    if (this.#knownCount++ > MAX_KNOWN) {
      this.#known.clear();
      this.#knownCount = 0;
    }
    this.#interned.set(key, after);
    this.#known.set(style, (this.#known.get(style) ?? new Map<string, Style>()).set(codes, after));
    return after;
  }
}

/** `ESC [ 0 m` or `ESC [ m`. */
function isReset(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === BRACKET && (bytes[at + 2] === STYLE || (bytes[at + 2] === ZERO && bytes[at + 3] === STYLE));
}

/** Without what was set and is not any more. */
function keyOf(style: Style): string {
  return JSON.stringify(
    Object.entries(style)
      .filter(([, value]) => value !== undefined && value !== false)
      .toSorted(),
  );
}
