// The sections of a console: where tasks begin and end, for folding. Read once, and further as the console grows.
import { type LineBlock, readLine } from './lines.ts';

export type SectionKind = 'preparation' | 'task' | 'on_cancel' | 'artifacts';

export interface Section {
  readonly kind: SectionKind;
  /** The number of its first line. */
  readonly line: number;
  /** Where that begins, in bytes. */
  readonly offset: number;
  /** The text of its first line. */
  readonly text: string;
  /** The time of its first line; null: it has none. */
  readonly time: string | null;
  /** Of the last line that belongs to it; null: it has not ended. */
  end: { readonly line: number; readonly time: string | null } | null;
  result: 'passed' | 'failed' | 'cancelled' | null;
}

const LINE_FEED = 0x0a;
const BAR = 0x7c;
const AMPERSAND = 0x26;
/** A job can print as many beginnings as it likes. */
const MAX_SECTIONS = 10_000;
const MAX_TEXT_LENGTH = 500;
const MAX_READ_BYTES = 4096;
const BEGINS: Readonly<Record<string, SectionKind>> = { '!!': 'task', '!x': 'on_cancel' };
const RESULTS: Readonly<Record<string, Section['result']>> = {
  '?0': 'passed',
  '?1': 'failed',
  '^C': 'cancelled',
  x0: 'passed',
  x1: 'failed',
};
/** Sections that go as far as lines of these tags follow each other. */
const GROUPS: Readonly<Record<string, SectionKind>> = { pr: 'preparation', pe: 'preparation', ar: 'artifacts', ae: 'artifacts' };

export class Sections {
  readonly list: Section[] = [];
  /** How many lines were looked at. */
  lines = 0;
  /** How many bytes. */
  bytes = 0;
  /** There are more sections than are shown. */
  isCut = false;
  #open: Section | undefined;
  /** The task inside of which the open one is. */
  #around: Section | undefined;
  #last: { line: number; readonly time: string | null } = { line: 0, time: null };

  /** Takes the next lines, which follow the last ones taken. */
  take({ first, bytes, offset, isCut }: LineBlock): void {
    let line = first;
    for (let start = 0; start < bytes.length; line++) {
      const feed = bytes.indexOf(LINE_FEED, start);
      const end = feed < 0 ? bytes.length : feed;
      // Most lines are output of tasks, which begins and ends nothing.
      if (bytes[start + 2] === BAR && bytes[start] !== AMPERSAND) {
        const text = bytes.toString('utf8', start, Math.min(end, start + MAX_READ_BYTES));
        this.#readLine(line, offset + start, text);
      } else if (!this.#isInTask) this.#close(null);
      else this.#last.line = line;
      start = end + 1;
    }
    this.bytes = offset + bytes.length;
    // Of a line that is cut the rest comes: it is counted once.
    this.lines = isCut ? first + 1 : line;
  }

  #readLine(line: number, offset: number, raw: string): void {
    const { tag, time, text } = readLine(line, raw);
    const [begins, result, group] = [BEGINS[tag ?? ''], RESULTS[tag ?? ''], GROUPS[tag ?? '']];
    const section = { line, offset, text: text.slice(0, MAX_TEXT_LENGTH), time, end: null, result: null };
    if (begins) this.#begin({ kind: begins, ...section });
    else if (result) this.#endTask(tag!.startsWith('x') ? 'on_cancel' : 'task', result, { line, time });
    else if (group && !this.#isInTask && this.#open?.kind !== group) this.#begin({ kind: group, ...section });
    else if (!group && !this.#isInTask) this.#close(null);
    this.#last = { line, time: time ?? this.#last.time };
  }

  get #isInTask(): boolean {
    return this.#open?.kind === 'task' || this.#open?.kind === 'on_cancel';
  }

  #begin(section: Section): void {
    // A task on cancel runs inside the task that is cancelled.
    if (section.kind === 'on_cancel' && this.#open?.kind === 'task') this.#around = this.#open;
    else {
      this.#around = undefined;
      this.#close(null);
    }
    this.#open = section;
    if (this.list.length >= MAX_SECTIONS) this.isCut = true;
    else this.list.push(section);
  }

  #endTask(kind: SectionKind, result: Section['result'], last: { readonly line: number; readonly time: string | null }): void {
    if (kind === 'task' && this.#open?.kind === 'on_cancel') this.#close(null);
    if (this.#open?.kind !== kind) return;
    this.#last = last;
    this.#close(result);
  }

  #close(result: Section['result']): void {
    if (!this.#open) return;
    this.#open.end = { ...this.#last };
    this.#open.result = result;
    this.#open = this.#around;
    this.#around = undefined;
  }
}
