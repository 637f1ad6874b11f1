// The lines of a console: `<tag>|HH:MM:SS.mmm text`, and those without such a beginning.

export interface ConsoleLine {
  /** Counted from 0. */
  readonly line: number;
  /** The time of day on the agent; null: the line has none. */
  readonly time: string | null;
  /** The kind of output; null: the line does not say. */
  readonly tag: string | null;
  readonly text: string;
  /** The text here is cut: the line is longer. */
  readonly is_cut?: true;
}

/** Whole lines as they stand in the file. */
export interface LineBlock {
  /** The number of the first one. */
  readonly first: number;
  /** The number of the last one. */
  readonly last: number;
  readonly bytes: Buffer;
  /** Where they begin in the file. */
  readonly offset: number;
  /** It is the beginning of one line that is too long to be shown. */
  readonly isCut: boolean;
}

const BEGINNING = /^([!-{}~]{2})\|(\d\d:\d\d:\d\d\.\d{3})(?: |$)/;
const PREFIX_LENGTH = 'tt|HH:MM:SS.mmm '.length;

export function readLine(line: number, raw: string): ConsoleLine {
  const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  // Most lines have one; looking for the bar first spares the others the rest.
  const match = text.charCodeAt(2) === 0x7c ? BEGINNING.exec(text) : null;
  if (!match) return { line, time: null, tag: null, text };
  return { line, time: match[2]!, tag: match[1]!, text: text.slice(PREFIX_LENGTH) };
}

export function linesIn({ first, bytes, isCut }: LineBlock): ConsoleLine[] {
  const raw = bytes.toString('utf8').split('\n');
  if (raw.at(-1) === '') raw.pop();
  return raw.map((text, index) => (isCut ? { ...readLine(first, text), is_cut: true } : readLine(first + index, text)));
}

/** A line of the server itself, as the console has it; several where the text has several. */
export function writeNotice(text: string, now: Date): string {
  const [time, milliseconds] = [[now.getHours(), now.getMinutes(), now.getSeconds()], now.getMilliseconds()] as const;
  const shown = `${time.map((part) => String(part).padStart(2, '0')).join(':')}.${String(milliseconds).padStart(3, '0')}`;
  return text
    .split(/\r?\n/)
    .map((line) => `##|${shown} ${line}\n`)
    .join('');
}
