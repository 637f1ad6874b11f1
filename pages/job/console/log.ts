// A console in memory: its bytes as they came, and where each line begins. Lines become text only when they are looked at.
import { PLAIN, type Style } from './ansi.ts';
import { LineStyles } from './line-styles.ts';

/** The parts of a line: `tag|HH:MM:SS.mmm text`. */
export interface LogLine {
  readonly number: number;
  readonly tag: string;
  readonly time: string;
  readonly text: string;
}

/** A task of the job: from the line that names it to the line that states how it ended. */
export interface Section {
  readonly first: number;
  /** The last line of the task; while it runs, the last line of the log. */
  last: number;
  result: 'running' | 'passed' | 'failed' | 'cancelled';
}

const NEWLINE = 10;
const ESCAPE = 27;
const BAR = 124;
/** Longer lines are shown up to here: a browser that draws a line of megabytes does nothing else. */
const MAX_SHOWN_BYTES = 20_000;
/** Lines that the program of a task has printed. */
const OUTPUT_TAGS: ReadonlySet<string> = new Set(['', '&1', '&2']);
const RESULTS: Readonly<Record<string, Section['result']>> = { '?0': 'passed', '?1': 'failed', '^C': 'cancelled' };
const TAGS: ReadonlySet<string> = new Set('## pr pe !! &1 &2 ?0 ?1 ^C !x x0 x1 ar ae j0 j1 ex'.split(' '));
/** Lines that report a failure. Output to the error stream (`&2`, `pe`) is often no error: git reports its progress there. */
const ERROR_TAGS: ReadonlySet<string> = new Set(['?1', 'j1', 'ae', 'x1']);

export class Log {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #starts = new Float64Array(1 << 12);
  #lines = 0;
  readonly #decoder = new TextDecoder();
  readonly sections: Section[] = [];
  readonly #sectionsByLine = new Map<number, Section>();
  /** Lines that say that something went wrong, in their order. */
  readonly errors: number[] = [];
  readonly #styles = new LineStyles();
  /** The first escape character in lines that are not complete; negative: there is none. */
  #escape = -1;

  /** How many bytes it has: where to go on reading. */
  get length(): number {
    return this.#length;
  }

  get lineCount(): number {
    return this.#lines;
  }

  append(chunk: Uint8Array): void {
    this.#reserve(this.#length + chunk.length);
    this.#bytes.set(chunk, this.#length);
    let at = this.#length;
    this.#length += chunk.length;
    // The end of the last chunk may have been in the middle of a line.
    if (this.#lines === 0 || this.#bytes[at - 1] === NEWLINE) this.#begin(at);
    const known = this.#bytes.subarray(0, this.#length);
    if (this.#escape < 0) this.#escape = known.indexOf(ESCAPE, at);
    for (at = known.indexOf(NEWLINE, at); at >= 0; at = known.indexOf(NEWLINE, at + 1)) {
      this.#classify(this.#lines - 1);
      this.#noteStyle(this.#lines - 1, known, at);
      if (at + 1 < this.#length) this.#begin(at + 1);
    }
  }

  line(number: number): LogLine {
    const { from, to } = this.#range(number);
    const tag = this.#tagAt(from);
    const start = tag === '' ? from : from + 3;
    const end = Math.min(to, start + MAX_SHOWN_BYTES);
    const whole = this.#decoder.decode(this.#bytes.subarray(start, end)) + (end < to ? ' … (the line goes on: see the file)' : '');
    const time = /^\d\d:\d\d:\d\d\.\d\d\d(?: |$)/.exec(whole)?.[0] ?? '';
    return { number, tag, time: time.trimEnd(), text: whole.slice(time.length) };
  }

  /** The style with which a line begins, because the line before did not reset it. */
  styleAt(line: number): Style {
    return OUTPUT_TAGS.has(this.#tagAt(this.#starts[line]!)) ? this.#styles.at(line) : PLAIN;
  }

  /** Lines as one text, to search in: as they came, with their tags. */
  textOf(first: number, last: number): string {
    return this.#decoder.decode(this.#bytes.subarray(this.#starts[first]!, this.#range(last).to));
  }

  /** The task that begins with this line. */
  sectionAt(line: number): Section | undefined {
    return this.#sectionsByLine.get(line);
  }

  sectionOf(line: number): Section | undefined {
    return this.sections.findLast(({ first }) => first <= line);
  }

  #range(line: number): { from: number; to: number } {
    const from = this.#starts[line] ?? this.#length;
    let to = line + 1 < this.#lines ? this.#starts[line + 1]! : this.#length;
    if (to > from && this.#bytes[to - 1] === NEWLINE) to -= 1;
    return { from, to };
  }

  #begin(at: number): void {
    if (at >= this.#length) return;
    if (this.#lines === this.#starts.length) {
      this.#starts = new Float64Array(this.#starts.buffer.transfer(this.#starts.byteLength * 2));
    }
    this.#starts[this.#lines++] = at;
  }

  /** Notes the start of a task, its result or a failure that a complete line reports. */
  #classify(line: number): void {
    const from = this.#starts[line]!;
    const open = this.sections.at(-1);
    if (open?.result === 'running') open.last = line;
    const tag = this.#tagAt(from);
    if (ERROR_TAGS.has(tag)) this.errors.push(line);
    if (tag === '!!') this.#beginSection(line);
    const result = RESULTS[tag];
    if (result !== undefined && open?.result === 'running') open.result = result;
  }

  /** The style of a complete line goes on in the next one; that of a program ends with its output. */
  #noteStyle(line: number, known: Uint8Array, end: number): void {
    const hasEscape = this.#escape >= 0 && this.#escape < end;
    if (!hasEscape && this.#styles.last === PLAIN) return;
    const isOutput = OUTPUT_TAGS.has(this.#tagAt(this.#starts[line]!));
    if (!isOutput) this.#styles.add(line + 1, PLAIN);
    if (!hasEscape) return;
    const { style, next } = this.#styles.after(known, this.#escape, end);
    if (isOutput) this.#styles.add(line + 1, style);
    this.#escape = next;
  }

  #beginSection(line: number): void {
    const section: Section = { first: line, last: line, result: 'running' };
    this.sections.push(section);
    this.#sectionsByLine.set(line, section);
  }

  /** Empty where the line has none: the output of a program may also hold a bar. */
  #tagAt(from: number): string {
    if (this.#bytes[from + 2] !== BAR) return '';
    const tag = String.fromCharCode(this.#bytes[from]!, this.#bytes[from + 1]!);
    return TAGS.has(tag) ? tag : '';
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    // Handed over, not copied: copies of a long log would stay in memory until the browser has time to clean up.
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.max(length, Math.ceil(this.#bytes.length * 1.5))));
  }
}
