// Tables: as wide as the terminal, or as wide as their content.

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = 2;
const NARROWEST = 8;
const CUT = '…';
const NOTHING = '-';
/** Characters that must not reach a terminal: line breaks, and those that move its cursor or change its colours. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** `columns`: how wide it may be; undefined: nothing is cut, as for programs that read it. */
export function tableText({ head, rows }: Table, columns?: number): string {
  const cells = [head.map((one) => one.toUpperCase()), ...rows.map((row) => row.map(cellText))];
  const wanted = head.map((_, column) => Math.max(...cells.map((row) => [...row[column]!].length)));
  const widths = columns === undefined ? wanted : fitting(wanted, columns);
  return cells
    .map((row) => row.map((cell, column) => padded(cut(cell, widths[column]!), widths[column]!)).join(' '.repeat(GAP)))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function cellText(text: string): string {
  return oneLine(text).trim() || NOTHING;
}

/** A text as part of a line. */
export function oneLine(text: string): string {
  return text.replaceAll(CONTROL, ' ');
}

/** The widest column gives way first, down to a width at which something can be read. */
export function fitting(wanted: readonly number[], columns: number): readonly number[] {
  const widths = [...wanted];
  let surplus = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - columns;
  while (surplus > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    const second = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const all = widths.flatMap((width, column) => (width === widest ? [column] : []));
    const each = Math.max(1, Math.min(widest - second, Math.ceil(surplus / all.length)));
    for (const column of all.toReversed()) {
      const taken = Math.min(each, Math.max(0, surplus));
      widths[column] = widest - taken;
      surplus -= taken;
    }
  }
  return widths;
}

function cut(text: string, width: number): string {
  const signs = [...text];
  return signs.length <= width ? text : `${signs.slice(0, width - 1).join('')}${CUT}`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}
