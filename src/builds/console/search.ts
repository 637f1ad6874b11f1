// Looks for a text in lines of a console.
import { type ConsoleLine, type LineBlock, readLine } from './lines.ts';

export interface SearchedText {
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

export interface Match extends ConsoleLine {
  /** Where the line begins, in bytes. */
  readonly offset: number;
  /** Where the text is found in the text of the line, in characters. */
  readonly column: number;
}

const LINE_FEED = 0x0a;
/** Of a longer line only the part around the match is of use. */
const MAX_SHOWN_LENGTH = 2000;

export class LineSearch {
  readonly #needle: SearchedText;
  /** The searched text as bytes, and where letters are all the same as small Latin ones: finds all matches, and a few that are none. */
  readonly #bytes: Buffer;
  readonly #small: string;
  readonly #folded: string;

  constructor(needle: SearchedText) {
    this.#needle = needle;
    this.#bytes = Buffer.from(needle.text);
    this.#small = this.#bytes.toString('latin1').toLowerCase();
    this.#folded = needle.text.toLowerCase();
  }

  /** The first matches in these lines, one for each line. */
  matchesIn({ first, bytes, offset }: LineBlock, limit: number): Match[] {
    const found: Match[] = [];
    const small = this.#needle.isCaseSensitive ? undefined : foldable(this.#needle.text) ? bytes.toString('latin1').toLowerCase() : '';
    let line = first;
    let counted = 0;
    for (let from = 0; from < bytes.length && found.length < limit; ) {
      const at = this.#next(bytes, small, from);
      if (at < 0) break;
      const start = at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
      const feed = bytes.indexOf(LINE_FEED, at);
      const end = feed < 0 ? bytes.length : feed;
      line += feedsIn(bytes, counted, start);
      counted = start;
      const match = this.#verified(line, bytes.toString('utf8', start, end), offset + start);
      if (match) found.push(match);
      from = end + 1;
    }
    return found;
  }

  #next(bytes: Buffer, small: string | undefined, from: number): number {
    if (small === undefined) return bytes.indexOf(this.#bytes, from);
    // Letters of other alphabets have capitals of other bytes: each line is looked at.
    if (small === '') return from;
    return small.indexOf(this.#small, from);
  }

  #verified(line: number, raw: string, offset: number): Match | undefined {
    const read = readLine(line, raw);
    const { text, isCaseSensitive } = this.#needle;
    const column = isCaseSensitive ? read.text.indexOf(text) : read.text.toLowerCase().indexOf(this.#folded);
    if (column < 0) return undefined;
    if (read.text.length <= MAX_SHOWN_LENGTH) return { ...read, offset, column };
    const from = Math.max(0, column - MAX_SHOWN_LENGTH / 2);
    return { ...read, text: read.text.slice(from, from + MAX_SHOWN_LENGTH), is_cut: true, offset, column };
  }
}

/** ASCII letters have capitals of one byte each. */
function foldable(text: string): boolean {
  return [...text].every((character) => character <= '\x7f');
}

function feedsIn(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0 && at < to; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
