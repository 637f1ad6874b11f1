// Makes console lines out of the output of a program: each with its tag and the time. Works on bytes, because there may be a lot of them.
import { isUtf8 } from 'node:buffer';

const CR = 13;
const LF = 10;
/** A longer line is broken, so that one without an end does not fill the memory. */
const MAX_LINE_BYTES = 256 * 1024;

/** `<tag>|HH:MM:SS.mmm ` in the time of the agent. */
export function linePrefix(tag: string, time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const milliseconds = String(time.getMilliseconds()).padStart(3, '0');
  return `${tag}|${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${milliseconds} `;
}

/** A text of one or several lines as lines of the console. */
export function linesOf(tag: string, text: string, time: Date): Buffer {
  const prefix = linePrefix(tag, time);
  const lines = text.replace(/\r?\n$/, '').split(/\r\n|\r|\n/);
  return Buffer.from(lines.map((line) => `${prefix}${line}\n`).join(''));
}

/** One stream of a program. Lines are given on when they are whole. */
export class LineWriter {
  readonly #tag: string;
  /** The beginning of a line, as single-byte characters. */
  #begun = '';

  constructor(tag: string) {
    this.#tag = tag;
  }

  write(chunk: Buffer, time: Date): Buffer | undefined {
    const text = chunk.toString('latin1');
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      this.#begun += text;
      return this.#begun.length > MAX_LINE_BYTES ? this.#brokenOff(this.#begun, time) : undefined;
    }
    const whole = this.#begun + text.slice(0, end);
    this.#begun = text.slice(end + 1);
    return this.#lines(whole, time);
  }

  /** The last line, if it has no end. */
  end(time: Date): Buffer | undefined {
    if (this.#begun === '') return undefined;
    const last = this.#begun;
    this.#begun = '';
    return this.#lines(last, time);
  }

  /** Breaks between characters: at most three bytes of one stand at the end. */
  #brokenOff(text: string, time: Date): Buffer {
    let end = text.length;
    while (end > text.length - 4 && (text.charCodeAt(end - 1) & 0xc0) === 0x80) end--;
    if (text.charCodeAt(end - 1) >= 0xc0) end--;
    else end = text.length;
    this.#begun = text.slice(end);
    return this.#lines(text.slice(0, end), time);
  }

  #lines(text: string, time: Date): Buffer {
    const prefix = linePrefix(this.#tag, time);
    const bytes = Buffer.from(`${prefix}${text.replaceAll('\n', `\n${prefix}`)}\n`, 'latin1');
    return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString());
  }
}

/** Ends every line with one LF, also where a progress bar returns to the beginning of its line. */
export class LineEnds {
  #wasCr = false;

  write(chunk: Buffer): Buffer {
    const bytes = this.#wasCr && chunk[0] === LF ? chunk.subarray(1) : chunk;
    if (chunk.length > 0) this.#wasCr = chunk[chunk.length - 1] === CR;
    if (!bytes.includes(CR)) return bytes;
    return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n').replaceAll('\r', '\n'), 'latin1');
  }
}
